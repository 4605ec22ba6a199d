// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas of a kind that flitcalc prints, and the simulations that it compares them with: lone
// worms, the worms of a stream, and loads of the whole network.
#ifndef REPLAY_FLITCALC_FLITCALC_H
#define REPLAY_FLITCALC_FLITCALC_H

#include "input/network_input.h"
#include "net/routes/delay.h"
#include "stream/reader.h"
#include "table/table.h"
#include "tool/tool.h"

// --- formula_sizes.c

// The formula of a kind of network for worms of given sizes, next to one simulated worm in an empty
// network.

#define FORMULA_SIZES_MAX 64u

struct formula_request {
	struct net_setup setup; // network, routes, parameters, clock
	const struct fabric *fabric;
	uint32_t sizes_B[FORMULA_SIZES_MAX];
	uint32_t size_count;
	uint64_t senders;
	int level_percent;
};

// Reads the sizes from an option's words (each may hold several with commas); without any, 4 B to 8
// KiB in powers of two, unless the kind has tables of its own. TR_ERROR where one is not a whole
// number of bytes from 1 to 256 MiB or there are too many.
enum tr_status formula_sizes_read(const struct opt_list *words, struct formula_request *request,
				  struct tr_error *err);

// "sizes": a row for each number of switches on host 0's routes, and each size; "terms": the terms
// of each. The caller frees both.
#define FORMULA_SIZES_TABLES 2u
enum tr_status formula_sizes_tables(const struct formula_request *request,
				    struct table *tables[FORMULA_SIZES_TABLES],
				    struct tr_error *err);

// --- formula_own.c

// A kind's own tables.

#define OWN_SPANS_MAX 256u

struct own_request {
	struct opt_list nodes;	  // words, each of numbers or FROM..TO with commas
	struct opt_list measured; // paths of tables of measured times
	struct net_span spans[OWN_SPANS_MAX];
	uint32_t span_count;
};

// Reads the words of nodes into spans. TR_ERROR where one is malformed or out of range.
enum tr_status own_request_read(struct own_request *own, struct tr_error *err);

// Writes the tables, at most NET_TABLES_MAX and *count, for the caller to free. Returns false after
// reporting an error; *count is 0 then.
bool own_tables(struct tool *tool, const struct own_request *own,
		const struct formula_request *formula, struct table **tables, size_t *count);

// --- formula_deliveries.c

// Network times of delivered worms, next to the formula for their sizes and numbers of switches:
// the difference is the cost of contention.

struct formula_deliveries;

// request is lent until close. The caller closes *deliveries, also after TR_ERROR.
enum tr_status formula_deliveries_open(struct formula_deliveries **deliveries,
				       const struct formula_request *request, struct tr_error *err);

// A stream begins: TR_ERROR where its worms could not travel by the formula's parameters. Then each
// worm that it delivered.
enum tr_status formula_deliveries_begin(struct formula_deliveries *deliveries, struct tr_reader *in,
					struct tr_error *err);
void formula_deliveries_add(struct formula_deliveries *deliveries,
			    const struct tr_delivery *delivery);

// A row for each number of switches and each octave of sizes. The caller frees it.
struct table *formula_deliveries_table(const struct formula_deliveries *deliveries);

// Frees it; NULL does nothing.
void formula_deliveries_close(struct formula_deliveries *deliveries);

// --- formula_loads.c

// A network for the formulas of a load.

#define FORMULA_LOADS_MAX 64u

struct load_request {
	struct num_ratio mean_B;
	struct opt_list loads;	   // words, each of loads with commas; none: the usual ones
	struct num_ratio period_s; // of the matrix; 0: it gives proportions
	bool selves;		   // uniform traffic of each host also to itself
	bool channels;		   // print the table of these
	bool between;		   // and what switches send each other
};

struct loaded_network {
	const struct formula_request *network;
	const struct load_request *request;
	struct net_graph graph;
	struct net_load_terms terms;
	struct net_route_lengths lengths;
	uint32_t trunks; // links between switches
	bool even;	 // all links have one rate
};

// Both requests are lent until the close. TR_ERROR where the kind has no such formulas, a parameter
// is out of range or a route is not sound. Close it in any case; zero is a valid closed one.
enum tr_status loaded_network_open(struct loaded_network *loaded,
				   const struct formula_request *network,
				   const struct load_request *request, struct tr_error *err);
void loaded_network_close(struct loaded_network *loaded);

// The flows of a matrix of bytes over the network's routes; weights NULL: uniform. TR_ERROR where
// nothing is sent, or a flow has no route. The caller clears them in any case.
enum tr_status loaded_flows(const struct loaded_network *loaded, const double *weights,
			    struct net_flows *flows, struct tr_error *err);

// A load of these flows, and what the formulas say.
struct load_point {
	struct net_load load;
	double share; // of the usual rate, of a mean host
	struct net_delay delay;
	double even_saf_s; // eq. 3.10 and 3.12: NaN where traffic or rates are not even
	double even_vct_s;
	double adaptive_vct_s; // eq. 3.12 with the chances of eq. 3.13
};

// uniform: whether the flows are those of uniform traffic.
void load_point_find(const struct loaded_network *loaded, const struct net_flows *flows,
		     double unit_Bps, double mean_B, bool uniform, struct load_point *point);

// The load at which the first link of some roles (net_flows_fullest) is full; infinite where none
// carries anything.
double loaded_full(const struct loaded_network *loaded, const struct net_flows *flows,
		   unsigned roles, uint32_t *fullest);

// --- formula_load_tables.c

// The tables of a traffic matrix (weights as for loaded_flows): its flows over the network, and the
// formulas for its loads. Writes at most LOAD_TABLES of them for the caller to free, their number
// to *count, also with TR_ERROR.
#define LOAD_TABLES 4u
enum tr_status load_tables(const struct loaded_network *loaded, const double *weights,
			   struct table **tables, size_t *count, struct tr_error *err);

// --- formula_runs.c

// Simulated runs beside the formulas of a load.

struct formula_runs;

// The traffic of the formulas for each run: its own matrix, or its load in the proportions of
// weights or of uniform traffic.
struct runs_traffic {
	const double *weights;
	bool own; // the deliveries' own matrix
	const char *map;
	bool ignore_unmapped;
};

// Everything is lent until the close. The caller closes *runs, also after TR_ERROR.
enum tr_status formula_runs_open(struct formula_runs **runs, const struct loaded_network *loaded,
				 const struct runs_traffic *traffic, struct tr_error *err);

// A run begins: a stream of deliveries; each packet that it delivered; and its row. TR_ERROR where
// a node is no host, all came at one time, or a flow has no route.
enum tr_status formula_runs_begin(struct formula_runs *runs, struct tr_reader *in,
				  struct tr_error *err);
enum tr_status formula_runs_add(struct formula_runs *runs, const struct tr_delivery *delivery,
				struct tr_error *err);
enum tr_status formula_runs_end(struct formula_runs *runs, struct tr_error *err);

// The table, a row for each run. The caller frees it, once.
struct table *formula_runs_table(struct formula_runs *runs);

// Frees it; NULL does nothing.
void formula_runs_close(struct formula_runs *runs);

// --- formula_origin.c

#define FORMULA_NETWORK "switch:8" // where none are given, as for flitsim
#define FORMULA_ROUTES "shortest"

// Warns, naming both, where the last simulation in the history of a stream had a network or routes
// of another name than these. Folders do not count, and a stream without such a history passes.
void formula_origin_check(struct tool *tool, const struct tr_reader *in, const char *network,
			  const char *routes);

#endif
