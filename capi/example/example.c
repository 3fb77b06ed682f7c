/* example.c: places facilities, matches two point sets and measures distances, by rgm.h.
 *
 *   scripts/wheel --library dist
 *   cc -O2 capi/example/example.c -I dist -L dist -lrgm -lm -Wl,-rpath,dist -o dist/example && dist/example
 */
#include "rgm.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 12 };

/* Is called with each better matching; a value other than 0 would end the search. */
static int32_t tell(const rgm_incumbent *best, void *user) {
  if (best != NULL) {
    *(double *)user = best->objective;
  }
  return 0;
}

/* Prints what went wrong and ends the program. */
static void check(int32_t code, const rgm_error *error) {
  if (code != RGM_OK) {
    fprintf(stderr, "rgm: %s\n", error->message);
    exit(1);
  }
}

/* Searches a problem and prints its result. */
static void solve(const char *title, rgm_handle problem, const char *options) {
  rgm_error error;
  rgm_handle result;
  double heard = NAN;
  check(rgm_solve(problem, options, tell, &heard, &result, &error), &error);

  int64_t matching[N], n, length;
  check(rgm_result_nodes(result, RGM_MATCHING, matching, N, &n, &error), &error);
  char json[2048];
  check(rgm_result_json(result, json, sizeof json, &length, &error), &error);

  printf("%s:", title);
  for (int64_t i = 0; i < n; i++) printf(" %" PRId64, matching[i]);
  printf("\n%s\n", json);
  check(rgm_free(result, &error), &error);
  check(rgm_free(problem, &error), &error);
}

int main(void) {
  if (rgm_abi_version() != RGM_ABI_VERSION) {
    fprintf(stderr, "librgm is %s, rgm.h is %s\n", rgm_version(), RGM_VERSION);
    return 1;
  }
  rgm_error error;
  rgm_handle problem;

  /* Facilities in a ring, which send much to their neighbours, on places of a grid: 3 rows of 4. */
  double flow[N * N] = {0}, distance[N * N];
  for (int i = 0; i < N; i++) {
    flow[i * N + (i + 1) % N] = flow[(i + 1) % N * N + i] = 5;
    for (int j = 0; j < N; j++) distance[i * N + j] = abs(i / 4 - j / 4) + abs(i % 4 - j % 4);
  }
  check(rgm_assignment(N, N, flow, distance, NULL, RGM_MINIMIZE, &problem, &error), &error);
  solve("places", problem, "{\"seed\": 1, \"time_limit\": \"1s\"}");

  /* The same points, turned and in another order. */
  double left[2 * N], right[2 * N];
  for (int i = 0; i < N; i++) {
    double x = cos(7 * i), y = sin(5 * i), turn = 0.3;
    int j = 5 * i % N;
    left[2 * i] = x, left[2 * i + 1] = y;
    right[2 * j] = cos(turn) * x - sin(turn) * y, right[2 * j + 1] = sin(turn) * x + cos(turn) * y;
  }
  rgm_handle graphs[2];
  for (int k = 0; k < 2; k++) {
    rgm_graph points = {.nodes = N, .points = k == 0 ? left : right, .dimensions = 2};
    check(rgm_graph_new(&points, &graphs[k], &error), &error);
  }
  check(rgm_match(graphs[0], graphs[1], NULL, &problem, &error), &error);
  for (int k = 0; k < 2; k++) check(rgm_free(graphs[k], &error), &error);
  solve("points", problem, "{\"seed\": 1}");

  /* How far a path of three nodes is from a triangle, of which one node has another label: by costs of our own, and by name. */
  const double ones[] = {1, 1}, labels[] = {0, 3, 3, 0}, none[] = {0};
  const int64_t path[] = {0, 1, 1, 2}, triangle[] = {0, 1, 1, 2, 2, 0}, kinds[] = {0, 0, 0, 1}, same[] = {0, 0, 0};
  rgm_labelled first = {.nodes = 3, .labels = kinds, .ends = path, .edges = 2, .edge_labels = same};
  rgm_labelled second = {.nodes = 3, .labels = kinds + 1, .ends = triangle, .edges = 3, .edge_labels = same};
  rgm_costs of_nodes = {2, 2, ones, ones, labels}, of_edges = {1, 1, ones, ones, none};
  rgm_handle result;
  int64_t length;
  char json[2048];
  check(rgm_distance_by_costs(&first, &second, &of_nodes, &of_edges, "{\"path\": true}", NULL, NULL, &result, &error), &error);
  check(rgm_result_json(result, json, sizeof json, &length, &error), &error);
  printf("edits: %s\n", json);
  check(rgm_free(result, &error), &error);

  rgm_graph shapes[2] = {{.nodes = 3, .ends = path, .edges = 2}, {.nodes = 3, .ends = triangle, .edges = 3}};
  for (int k = 0; k < 2; k++) check(rgm_graph_new(&shapes[k], &graphs[k], &error), &error);
  double far[4], lower[4];
  check(rgm_distances(graphs, 2, NULL, 0, "{\"costs\": \"chem2\"}", NULL, NULL, far, lower, &error), &error);
  printf("distances: %g %g %g %g\n", far[0], far[1], far[2], far[3]);
  for (int k = 0; k < 2; k++) check(rgm_free(graphs[k], &error), &error);

  /* What is wrong has a code and a message. */
  int32_t code = rgm_solve(problem, NULL, NULL, NULL, &problem, &error);
  printf("%" PRId32 ": %s\n", code, error.message);
  return 0;
}
