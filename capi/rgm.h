/* rgm.h: graph matching and quadratic assignment by rgm, for C and whatever calls C.
 *
 *   go build -buildmode=c-shared -o librgm.so ./capi
 *   cc program.c -I capi -L . -lrgm
 *
 * Every function but rgm_version and rgm_abi_version returns RGM_OK or another code, and then
 * writes what is wrong, where, and the remedy to *error, which may be NULL. Nothing is printed, and
 * no fault of rgm's own goes beyond RGM_EINTERNAL.
 *
 * Graphs, problems and results are known by handles, numbers above 0 that never come again: one
 * that was freed, or of another kind, is RGM_EHANDLE. Whoever gets a handle frees it.
 *
 * Threads may call all functions at the same time, also with the same handles. Nodes are counted
 * from 0. Matrices are in rows, of numbers that are finite. In an affinity matrix, index i*n2+a
 * stands for node i of graph 1 with node a of graph 2.
 *
 * Memory stays the caller's, and is only read during a call; see rgm_dense for the one exception.
 *
 * The library carries the Go runtime, which cannot be unloaded: dlclose does nothing. A child that
 * fork makes of a process with the library loaded has no threads of Go: there every function is
 * RGM_EFORK. Load it after fork, or start another program in the child.
 *
 * On Linux, Go's threads block all signals but those of faults, and so does a thread within
 * these functions, but for its calls of an rgm_callback and for an instant every 50 ms: handlers
 * of the program run on the program's own stacks, whether they were installed with SA_ONSTACK
 * or not. Faults (SIGSEGV, SIGBUS, SIGFPE) outside of Go go to handlers that were installed before
 * the library was loaded; those installed later need SA_ONSTACK, and must pass on what
 * is not theirs.
 */
#ifndef RGM_H
#define RGM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define RGM_API __declspec(dllexport)
#else
#define RGM_API __attribute__((visibility("default")))
#endif

#define RGM_VERSION "0.3.0-dev"
/* Changes where a program that was compiled with an earlier header would not work with the library. */
#define RGM_ABI_VERSION 1

enum {
  RGM_OK = 0,
  RGM_EINVAL = 1,    /* an argument is of no use */
  RGM_EHANDLE = 2,   /* there is no such handle, or no longer, or of another kind */
  RGM_EBUSY = 3,     /* a search uses what is to be freed */
  RGM_EINTERNAL = 4, /* a fault of rgm */
  RGM_EFORK = 5,     /* the process is a child of the one that loaded the library */
  RGM_ESTOPPED = 6   /* the callback ended the search before it had a matching */
};

enum { RGM_MAXIMIZE = 0, RGM_MINIMIZE = 1 };

/* What a result has for each node of graph 1. */
enum {
  RGM_MATCHING = 0,  /* the node of graph 2, -1 for none */
  RGM_WITNESSES = 1, /* edges that speak for the match; of graphs that were aligned, as the next */
  RGM_MARGINS = 2,   /* how many more than for the next best partner */
  RGM_SURE = 3,      /* 1 where the match is sure, else 0 */
  RGM_CONFIDENCE = 4 /* how likely the match is right, in ten thousandths; 0 without one */
};

typedef uint64_t rgm_handle;

typedef struct rgm_error {
  int32_t code;
  char message[1020]; /* UTF-8 */
} rgm_error;

/* A graph, or a set of points. What is NULL it does not have; of points alone edges are chosen. */
typedef struct rgm_graph {
  int64_t nodes;
  const double *points; /* nodes * dimensions; NaN is unknown, of features too */
  int64_t dimensions;
  const double *features; /* nodes * feature_count */
  int64_t feature_count;
  const int64_t *ends; /* 2 * edges: the nodes that each edge joins; not NULL of a graph without edges */
  int64_t edges;
  const double *weights;       /* edges */
  const double *edge_features; /* edges * edge_feature_count */
  int64_t edge_feature_count;
  int32_t directed; /* 1 where edges lead from the first node to the second */
} rgm_graph;

/* The best so far of a search that goes on. It is valid during the call. */
typedef struct rgm_incumbent {
  double objective;
  double seconds; /* since the search began, when this was found */
  int64_t steps;
  int64_t nodes; /* of graph 1 */
  const int64_t *matching;
  char found_by[32];
  double lower_bound; /* of a distance, which is the objective: no edits cost less; nodes and steps are then 0 */
} rgm_incumbent;

/* Is called on the thread that called rgm_solve or a distance: with each better matching, of several at once with
 * the last, and with NULL at least every 50 ms. A value other than 0 ends the search with its best so
 * far. It must return: no longjmp, no exception. */
typedef int32_t (*rgm_callback)(const rgm_incumbent *best, void *user);

/* RGM_VERSION and RGM_ABI_VERSION of the library. */
RGM_API const char *rgm_version(void);
RGM_API int32_t rgm_abi_version(void);

/* A problem of an affinity matrix k of entries = (n1*n2)^2 numbers. One that is symmetric
 * and maximised is not copied: k must stay as it is until the problem is freed. */
RGM_API int32_t rgm_dense(int64_t n1, int64_t n2, const double *k, int64_t entries, int32_t sense, rgm_handle *problem, rgm_error *error);

/* The same of entries k[rows[e], cols[e]] = values[e], in any order; those of one place add up. */
RGM_API int32_t rgm_sparse(int64_t n1, int64_t n2, const int64_t *rows, const int64_t *cols, const double *values, int64_t entries, int32_t sense,
                           rgm_handle *problem, rgm_error *error);

/* The sum of a[i,j]*b[m(i),m(j)] and linear[i,m(i)], of flows a (n1*n1) and distances b (n2*n2);
 * linear (n1*n2) may be NULL. Solutions match all nodes of the smaller graph. */
RGM_API int32_t rgm_assignment(int64_t n1, int64_t n2, const double *a, const double *b, const double *linear, int32_t sense, rgm_handle *problem,
                               rgm_error *error);

/* A graph, which is copied. */
RGM_API int32_t rgm_graph_new(const rgm_graph *graph, rgm_handle *handle, rgm_error *error);

/* A graph of the text of a file, in the format that its name's ending says: .graphml .json .csv ... */
RGM_API int32_t rgm_graph_read(const char *name, const char *text, int64_t bytes, rgm_handle *handle, rgm_error *error);

/* Where a picture shows the nodes of a graph: x and y of each, to values, which has room for count = 2 * nodes numbers. They
 * are the first two coordinates of its points, or places by its edges. */
RGM_API int32_t rgm_graph_places(rgm_handle graph, double *values, int64_t count, rgm_error *error);

/* The problem of matching two graphs, which may be freed. compare is NULL, or JSON with kernel and scale
 * as in the service's instances. The option method align, and the default where it suits the graphs,
 * align them by their edges; all other methods compare edges pairwise. */
RGM_API int32_t rgm_match(rgm_handle graph1, rgm_handle graph2, const char *compare, rgm_handle *problem, rgm_error *error);

/* Searches. options is NULL, or JSON: {"time_limit": "500ms", "seed": 7}. callback may be NULL.
 *
 * The options, by their JSON names:
 *   method (string): the search, by its name; auto combines several, rgm follows the trained policy, align matches
 *     two graphs by their edges; every other name is that one search (auto, or profile if that is set)
 *   model (string): the network, by its name, of a method that uses one; the command line also takes a file (matching
 *     for affinity matrices, qap for flows and distances, align for align)
 *   time_limit (duration): longest time of a call, reading and preparing two graphs included (none: the search ends
 *     by itself)
 *   deadline (duration): for a search without time_limit: it ends by itself, but no later than this (none)
 *   max_steps (integer): most steps of a search, or of each rollout; a step is an action, a swap or a trial (from the
 *     size, or none for a distance)
 *   steps_per_node (integer): in place of max_steps: steps for each node of the larger graph (none)
 *   patience (integer): end a search after this many steps without a better matching (from the size, or none with
 *     max_steps or steps_per_node)
 *   target (number): of instances: end a search at this objective, or a better one (none)
 *   seed (integer): seed of all random choices (0)
 *   threads (integer): processors for one search, or for all pairs of a collection; a search limited by steps has the
 *     same result on any number (all for a single instance, else 1)
 *   inliers (integer): match this many nodes; a method that matches all of them then releases the weakest matches (as
 *     many as raise the objective)
 *   regularize (string): multiply the score of m matches by f(m), so that outliers can stay unmatched: none, f1, f2,
 *     f3 (of the paper), mean (1/m), mean:p (1/m^p) or null (1 over the best score of m matches on shuffled edges)
 *     (none)
 *   complete (boolean): match all nodes of the smaller graph
 *   leave_out (boolean): of two graphs: after the search, remove each match that is less likely to be right than to
 *     have a node without a partner; right matches can be removed too
 *   fix (strings): known matches, which the result keeps: i:a for node i of graph 1 and node a of graph 2, counted
 *     from 0, or in rgm match their names
 *   profile (boolean): also return the best matching found of every size
 *   best (integer): also return this many of the best matchings, one of those that differ only by a symmetry; for
 *     small instances it is proved that none are better (none)
 *   affinity (string): affinities to search by: given, learned (a network re-weighs them), or a model that re-weighs
 *     them; learned ones let outliers stay unmatched; if some are negative, all stay as given; the objective always
 *     counts the given ones (given)
 *   rollouts (integer): searches by the policy that advance side by side (8)
 *   beam (integer): width of a beam search by the policy; above 1 it takes the place of rollouts (1)
 *   irrevocable (boolean): the policy never releases a match: w/o rev. in the paper
 *   start (string): of instances: where rollouts without releases begin: empty, or supported, each then at a match
 *     that the leading eigenvector of the affinities favours (empty)
 *   refine (string): improve the result of any method: none, rewrite (local rewriting), ipfp, tabu, or a model for
 *     it; takes half of the time limit (none)
 *   restarts (integer): starts of the method faq; the best result counts (1)
 *   initial (integers): of instances: a matching to start from: for each node of graph 1 its node of graph 2, or -1
 *   edges (string): of two graphs: which nodes are joined: given (by the graphs), complete (all), delaunay, knn:K
 *     (the K nearest), or auto: given if there are edges, else complete, for many points delaunay (in space knn:8)
 *     (auto)
 *   kernel (string): of two graphs: what edges are compared by: length, direction (and length, if neither graph is
 *     turned), weight, features, binary (only that there is an edge), or auto: the first of features, weight, length
 *     that both graphs have (auto)
 *   scale (string): of two graphs: unit of lengths: same (for both graphs), free (the mean or median distance of two
 *     nodes in each), or auto: same if the mean distances differ by at most a tenth, else what matches better (auto)
 *   weight (string): of two graphs: edge attribute, a number, that is the weight (weight)
 *   must_agree (strings): of two graphs: names of attributes that must be equal: nodes that differ are never matched,
 *     edges that differ never shared (none)
 *   node_weight (number): of two graphs: how much the attributes of nodes count beside the edges: a number, or auto:
 *     from the data, by how well they tell nodes apart (auto)
 *   similarity (rows of numbers): of two graphs: how similar nodes are, beside what is compared: rows [i, a, score],
 *     node i of graph 1, node a of graph 2, both from 0, and a number above 0
 * So far. */
RGM_API int32_t rgm_solve(rgm_handle problem, const char *options, rgm_callback callback, void *user, rgm_handle *result, rgm_error *error);

/* The edit distance of two graphs: the least cost of deleting, inserting and substituting nodes and edges so that
 * graph 1 becomes graph 2, with a lower bound. Words, numbers and places are those that the graphs have, edges from a node
 * to itself are left out. options is NULL, or JSON: {"costs": "chem2", "time_limit": "500ms"}.
 *
 * Its options, by their JSON names:
 *   time_limit (duration): longest time of a call, reading and preparing two graphs included (none: the search ends
 *     by itself)
 *   max_steps (integer): most steps of a search, or of each rollout; a step is an action, a swap or a trial (from the
 *     size, or none for a distance)
 *   seed (integer): seed of all random choices (0)
 *   threads (integer): processors for one search, or for all pairs of a collection; a search limited by steps has the
 *     same result on any number (all for a single instance, else 1)
 *   costs (string): what edits cost: the name of a model, or the text of a TOML file (on the command line the file);
 *     uniform is 1 for each edit, 0 if labels are equal (uniform)
 *   within (number): only find out whether the distance is at most this (none)
 *   path (boolean): also return the edits, one by one
 *   matchings (integer): also return up to this many matchings whose cost is the distance, once that is proved (none)
 * The result has a matching (RGM_MATCHING), -1 for nodes that are deleted, and the fields of rgm distance --format json. */
RGM_API int32_t rgm_distance(rgm_handle graph1, rgm_handle graph2, const char *options, rgm_callback callback, void *user, rgm_handle *result,
                             rgm_error *error);

/* A graph by labels. Two nodes have one edge at most, or one each way; an edge may go from a node to itself. */
typedef struct rgm_labelled {
  int64_t nodes;
  const int64_t *labels; /* nodes; NULL: 0, 1, ... */
  const int64_t *ends;   /* 2 * edges: the nodes that each edge joins */
  int64_t edges;
  const int64_t *edge_labels; /* edges; NULL: 0, 1, ... */
  int32_t directed;
} rgm_labelled;

/* What edits of nodes cost, or of edges, by their labels: numbers of at least 0. A substitution may be INFINITY: never. */
typedef struct rgm_costs {
  int64_t labels1, labels2;
  const double *delete_costs;     /* labels1 */
  const double *insert_costs;     /* labels2 */
  const double *substitute_costs; /* labels1 * labels2 */
} rgm_costs;

/* rgm_distance by tables of costs in place of the option costs. */
RGM_API int32_t rgm_distance_by_costs(const rgm_labelled *graph1, const rgm_labelled *graph2, const rgm_costs *nodes, const rgm_costs *edges,
                                      const char *options, rgm_callback callback, void *user, rgm_handle *result, rgm_error *error);

/* The distances of all pairs of count graphs, others being NULL, or of each graph to each of the others: count * count or
 * count * other_count numbers, in rows, to distance, and as many lower bounds. The options are those of rgm_distance; time_limit
 * and max_steps are of each pair, and all processors share the pairs. callback is called with NULL at least every 50 ms. Where it
 * ends the search this is RGM_ESTOPPED, and pairs that were not measured are NaN, as while it runs. */
RGM_API int32_t rgm_distances(const rgm_handle *graphs, int64_t count, const rgm_handle *others, int64_t other_count, const char *options,
                              rgm_callback callback, void *user, double *distance, double *lower_bound, rgm_error *error);

/* Writes a part of a result, RGM_MATCHING or another, to values, which has room for count numbers, and
 * how many there are to *written: nodes of graph 1, or 0 where the result lacks the part. */
RGM_API int32_t rgm_result_nodes(rgm_handle result, int32_t part, int64_t *values, int64_t count, int64_t *written, rgm_error *error);

/* Writes a result as JSON (docs/CLI_JSON.md), without what rgm_result_nodes has, ended by 0, to text,
 * which has room for size bytes, as far as it goes; and its length to *length. */
RGM_API int32_t rgm_result_json(rgm_handle result, char *text, int64_t size, int64_t *length, rgm_error *error);

/* Frees what a handle is of; 0 is of nothing. Of a problem that is searched it is RGM_EBUSY. */
RGM_API int32_t rgm_free(rgm_handle handle, rgm_error *error);

#ifdef __cplusplus
}
#endif
#endif
