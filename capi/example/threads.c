/* threads.c: threads that solve a small problem again and again, and what memory the process then has.
 *
 *   cc -O2 capi/example/threads.c -I dist -L dist -lrgm -pthread -Wl,-rpath,dist -o dist/threads && dist/threads 64 1000
 */
#include "rgm.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { N = 8 };

static int solves; /* of each thread */

/* Ends the program where something went wrong. */
static void check(int32_t code, const rgm_error *error) {
  if (code != RGM_OK) {
    fprintf(stderr, "rgm: %s\n", error->message);
    exit(1);
  }
}

static void *work(void *unused) {
  (void)unused;
  double flows[N * N], distances[N * N];
  for (int k = 0; k < N * N; k++) {
    flows[k] = k * 7 % 10;
    distances[k] = k * 3 % 11;
  }
  for (int k = 0; k < solves; k++) {
    rgm_error error;
    rgm_handle problem, result;
    int64_t matching[N], n;
    check(rgm_assignment(N, N, flows, distances, NULL, RGM_MINIMIZE, &problem, &error), &error);
    check(rgm_solve(problem, "{\"max_steps\": 100, \"threads\": 1}", NULL, NULL, &result, &error), &error);
    check(rgm_result_nodes(result, RGM_MATCHING, matching, N, &n, &error), &error);
    check(rgm_free(result, &error), &error);
    check(rgm_free(problem, &error), &error);
  }
  return NULL;
}

/* Has threads solve, and returns the most memory that the process had until now, in MiB. */
static double run(int threads) {
  pthread_t all[threads];
  for (int k = 0; k < threads; k++) pthread_create(&all[k], NULL, work, NULL);
  for (int k = 0; k < threads; k++) pthread_join(all[k], NULL);
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_maxrss / 1024.0;
}

int main(int argc, char **argv) {
  if (argc != 3 || atoi(argv[1]) < 1 || atoi(argv[2]) < 1) {
    fprintf(stderr, "threads: want THREADS SOLVES\n");
    return 2;
  }
  int threads = atoi(argv[1]);
  solves = atoi(argv[2]);
  double first = run(threads), then = run(threads);
  printf("%d threads, %d solves each: at most %.1f MiB, and %.1f after as many again\n", threads, solves, first, then);
  return 0;
}
