/* The functions of rgm.h around their bodies in Go: what only C can do about signals and fork. */
#include "rgm.h"
#include "_cgo_export.h"

#include <stdio.h>
#include <string.h>

#if defined(__linux__)
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t forked;

static void in_child(void) { forked = 1; }

/* Signals of faults, and SIGURG, by which Go stops its goroutines. */
static const int go_needs[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGURG};

static void block(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  for (size_t k = 0; k < sizeof go_needs / sizeof *go_needs; k++) sigdelset(&all, go_needs[k]);
  pthread_sigmask(SIG_BLOCK, &all, before);
}

static void restore(const sigset_t *before) { pthread_sigmask(SIG_SETMASK, before, NULL); }

/* Go's threads inherit the mask of the thread that loads the library, from Go's own constructor:
 * one with a priority runs before it and, since Go's object is linked first, one without runs after. */
static sigset_t loading;
__attribute__((constructor(101))) static void before_go(void) { block(&loading); }
__attribute__((constructor)) static void after_go(void) {
  restore(&loading);
  pthread_atfork(NULL, NULL, in_child);
}
#else
typedef int sigset_t;
static const int forked = 0;
static void block(sigset_t *before) { (void)before; }
static void restore(const sigset_t *before) { (void)before; }
#endif

const char *rgm_version(void) { return RGM_VERSION; }
int32_t rgm_abi_version(void) { return RGM_ABI_VERSION; }

static int32_t fail(rgm_error *error, int32_t code, const char *message) {
  if (error != NULL) {
    error->code = code;
    snprintf(error->message, sizeof error->message, "%s", message);
  }
  return code;
}

/* CALL returns what a body in Go does, with signals blocked. */
#define CALL(body)                                                                                                        \
  do {                                                                                                                    \
    if (forked) return fail(error, RGM_EFORK, "the library was loaded before fork: load it in the child alone");          \
    sigset_t mask;                                                                                                        \
    block(&mask);                                                                                                         \
    int32_t code = body;                                                                                                  \
    restore(&mask);                                                                                                       \
    return code;                                                                                                          \
  } while (0)

int32_t rgm_dense(int64_t n1, int64_t n2, const double *k, int64_t entries, int32_t sense, rgm_handle *problem, rgm_error *error) {
  CALL(goDense(n1, n2, (double *)k, entries, sense, problem, error));
}

int32_t rgm_sparse(int64_t n1, int64_t n2, const int64_t *rows, const int64_t *cols, const double *values, int64_t entries, int32_t sense,
                   rgm_handle *problem, rgm_error *error) {
  CALL(goSparse(n1, n2, (int64_t *)rows, (int64_t *)cols, (double *)values, entries, sense, problem, error));
}

int32_t rgm_assignment(int64_t n1, int64_t n2, const double *a, const double *b, const double *linear, int32_t sense, rgm_handle *problem,
                       rgm_error *error) {
  CALL(goAssignment(n1, n2, (double *)a, (double *)b, (double *)linear, sense, problem, error));
}

int32_t rgm_graph_new(const rgm_graph *graph, rgm_handle *handle, rgm_error *error) { CALL(goGraphNew((rgm_graph *)graph, handle, error)); }

int32_t rgm_graph_read(const char *name, const char *text, int64_t bytes, rgm_handle *handle, rgm_error *error) {
  CALL(goGraphRead((char *)name, (char *)text, bytes, handle, error));
}

int32_t rgm_graph_places(rgm_handle graph, double *values, int64_t count, rgm_error *error) { CALL(goGraphPlaces(graph, values, count, error)); }

int32_t rgm_match(rgm_handle graph1, rgm_handle graph2, const char *compare, rgm_handle *problem, rgm_error *error) {
  CALL(goMatch(graph1, graph2, (char *)compare, problem, error));
}

struct rgm_call {
  rgm_callback callback;
  void *user;
  sigset_t *mask; /* outside of the library */
};

int32_t tell_host(struct rgm_call *call, rgm_incumbent *best) {
  sigset_t within;
  block(&within);
  restore(call->mask);
  int32_t stop = call->callback == NULL ? 0 : call->callback(best, call->user);
  restore(&within);
  return stop;
}

static int32_t solve(rgm_handle problem, const char *options, struct rgm_call *call, sigset_t *mask, rgm_handle *result, rgm_error *error) {
  call->mask = mask;
  return goSolve(problem, (char *)options, call, result, error);
}

int32_t rgm_solve(rgm_handle problem, const char *options, rgm_callback callback, void *user, rgm_handle *result, rgm_error *error) {
  struct rgm_call call = {callback, user, NULL};
  CALL(solve(problem, options, &call, &mask, result, error));
}

static int32_t distance(rgm_handle graph1, rgm_handle graph2, const char *options, struct rgm_call *call, sigset_t *mask, rgm_handle *result,
                        rgm_error *error) {
  call->mask = mask;
  return goDistance(graph1, graph2, (char *)options, call, result, error);
}

int32_t rgm_distance(rgm_handle graph1, rgm_handle graph2, const char *options, rgm_callback callback, void *user, rgm_handle *result,
                     rgm_error *error) {
  struct rgm_call call = {callback, user, NULL};
  CALL(distance(graph1, graph2, options, &call, &mask, result, error));
}

static int32_t by_costs(const rgm_labelled *graph1, const rgm_labelled *graph2, const rgm_costs *nodes, const rgm_costs *edges, const char *options,
                        struct rgm_call *call, sigset_t *mask, rgm_handle *result, rgm_error *error) {
  call->mask = mask;
  return goDistanceByCosts((rgm_labelled *)graph1, (rgm_labelled *)graph2, (rgm_costs *)nodes, (rgm_costs *)edges, (char *)options, call, result,
                           error);
}

int32_t rgm_distance_by_costs(const rgm_labelled *graph1, const rgm_labelled *graph2, const rgm_costs *nodes, const rgm_costs *edges,
                              const char *options, rgm_callback callback, void *user, rgm_handle *result, rgm_error *error) {
  struct rgm_call call = {callback, user, NULL};
  CALL(by_costs(graph1, graph2, nodes, edges, options, &call, &mask, result, error));
}

static int32_t distances(const rgm_handle *graphs, int64_t count, const rgm_handle *others, int64_t other_count, const char *options,
                         struct rgm_call *call, sigset_t *mask, double *distance, double *lower_bound, rgm_error *error) {
  call->mask = mask;
  return goDistances((rgm_handle *)graphs, count, (rgm_handle *)others, other_count, (char *)options, call, distance, lower_bound, error);
}

int32_t rgm_distances(const rgm_handle *graphs, int64_t count, const rgm_handle *others, int64_t other_count, const char *options,
                      rgm_callback callback, void *user, double *distance, double *lower_bound, rgm_error *error) {
  struct rgm_call call = {callback, user, NULL};
  CALL(distances(graphs, count, others, other_count, options, &call, &mask, distance, lower_bound, error));
}

int32_t rgm_result_nodes(rgm_handle result, int32_t part, int64_t *values, int64_t count, int64_t *written, rgm_error *error) {
  CALL(goResultNodes(result, part, values, count, written, error));
}

int32_t rgm_result_json(rgm_handle result, char *text, int64_t size, int64_t *length, rgm_error *error) {
  CALL(goResultJSON(result, text, size, length, error));
}

int32_t rgm_free(rgm_handle handle, rgm_error *error) { CALL(goFree(handle, error)); }
