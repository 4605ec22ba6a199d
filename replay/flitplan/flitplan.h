// SPDX-License-Identifier: GPL-3.0-or-later
// The program around the plan: what it reads, prints and writes.
#ifndef REPLAY_FLITPLAN_FLITPLAN_H
#define REPLAY_FLITPLAN_FLITPLAN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "net/studies/designs/blocks.h"
#include "net/topology/topology.h"
#include "plan.h"
#include "plan_rates.h"
#include "table/table.h"
#include "tool/tool.h"
#include "value/num.h"

// --- plan_traffic.c

// The text of the traffic: a table of pairs with, maybe, one of nodes before it. Zero is a valid
// empty one.
struct plan_text {
	char *text;
	size_t bytes;
	char *name;		 // for messages
	double seconds;		 // that its bytes are of; 0: it does not say
	struct plan_pairs rates; // of a trace or counters, its text NULL; seconds 0: of neither
};

// Reads the first operand, or standard input: a table; a model, of which flitgen --pairs then makes
// one; a trace, or counters of ports, of which the rates make one. rate_bps: that of a port.
// Returns false after reporting an error.
bool plan_text_open(struct tool *tool, const struct plan_rate *rate, double rate_bps,
		    struct plan_text *text);
void plan_text_close(struct plan_text *text);

// Sets seconds by what the text, zero-terminated, is.
void plan_text_look(struct plan_text *text);

// The nodes that the table names, in the order in which they appear; where all are called node0,
// node1 and so on, up to the highest. names is NULL then.
struct plan_names {
	char **names;
	uint32_t count;
};
enum tr_status plan_names_find(const struct plan_text *text, struct plan_names *names,
			       struct tr_error *err);
void plan_names_close(struct plan_names *names);

// What hosts there are and what they send.
struct plan_traffic {
	uint64_t *bytes; // [from * hosts + to]
	bool *servers;
	struct num_ratio *rates_bps; // of each node's link, as the table of nodes has them; 0/0: it
				     // does not say
	struct num_ratio least_bps; // of these; 0/0
};

struct plan_traffic_request {
	const char *map;
	bool ignore_unmapped;
	const struct opt_list *servers; // names of hosts, also several with commas between
};

// *skipped: bytes of nodes that are no hosts. TR_ERROR with file and line; the caller closes the
// traffic in any case.
enum tr_status plan_traffic_read(const struct plan_text *text,
				 const struct plan_traffic_request *request,
				 const struct net_topology *topology, struct plan_traffic *traffic,
				 double *skipped, struct tr_error *err);

// Returns false after reporting an error.
bool plan_traffic_open(struct tool *tool, const struct plan_text *text,
		       const struct plan_traffic_request *request,
		       const struct net_topology *topology, struct plan_traffic *traffic);
void plan_traffic_close(struct plan_traffic *traffic);

// --- plan_network.c

struct plan_network_request {
	const char *network; // NULL: budget
	const char *budget;  // "SWITCHES,PORTS"
	const char *routes;  // NULL: inside blocks of a design, else updown
};

struct plan_network {
	struct net_topology topology;
	struct net_blocks blocks;
	bool is_design;
	char *what; // of a budget: what was made of it
};

// A design of a budget is for so many nodes. Returns false after reporting an error.
bool plan_network_open(struct tool *tool, const struct plan_network_request *request,
		       const struct plan_text *text, struct plan_network *network);
void plan_network_close(struct plan_network *network);

// The rule that routes it (NULL: inside blocks).
const char *plan_network_rule(const struct plan_network_request *request,
			      const struct plan_network *network);

// --- plan_measure.c

struct plan_measure {
	struct tool *tool;
	const char *trace; // NULL: nothing is measured
	const struct opt_list *fabric;
	const char *map;
	bool unlike;		  // the trace has another rate than the traffic that is planned for
	double ticks;		  // that the first simulation took; 0: there was none
	unsigned runs, runs_most; // simulations so far, and how many there can be
};

// TR_ERROR where a word names a kind of network whose links flitsim does not sample.
enum tr_status plan_measure_check(const struct opt_list *fabric, struct tr_error *err);

// Compares the rate of the trace, if there is one, with that of the plan; full_Bps: that of all
// nodes at their links' rate. Warns and sets measure->unlike where they differ. Returns false after
// reporting an error.
bool plan_measure_compare(struct plan_measure *measure, const struct plan *plan, double full_Bps);

// Has flitsim carry the trace over the network as it is planned, and finds the busiest channel;
// sets plan->measured unless the trace is unlike. All utilisations refer to the duration of the
// first simulation: the packets are the same, and a plan that delivers them sooner must not look
// busier. Returns false after reporting an error.
bool plan_measure(struct plan_measure *measure, struct plan *plan, double *highest);

// --- plan_add.c

enum plan_addition {
	PLAN_ADD_NOTHING,
	PLAN_ADD_CLIENT,
	PLAN_ADD_SERVER,
	PLAN_ADD_CHANNEL,
	PLAN_ADD_SWITCH
};

struct plan_add_request {
	int what;	  // enum plan_addition
	const char *like; // host; NULL: the mean of its kind
	double link_rate_Bps;
};

// A table with what each place does that it could go to. The caller frees it; NULL after an error.
struct table *plan_add_table(struct plan *plan, const struct plan_add_request *request,
			     struct tr_error *err);

// --- plan_tables.c

// The state of a plan at some point, for the table of steps.
struct plan_stage {
	const char *name;
	char busiest[PLAN_CHANNEL_NAME_BYTES]; // channel, by the cables of that point
	struct plan_score score;
	uint64_t local, hops;
	uint32_t above;	 // channels above delta
	size_t moves;	 // so far
	double measured; // busiest channel in a simulation; NAN: none
};

// The plan as it is now, under this name; delta: the utilisation above which channels are counted.
// name is lent.
struct plan_stage plan_stage_of(const struct plan *plan, const char *name, double delta);

// Tables of the plan, which the caller frees: of its stages; of the pairs of switches on the
// busiest channel; of the changes; of the channels, with their utilisation before; of the nodes
// that are at another switch than before.
struct table *plan_steps_table(const struct plan *plan, const struct plan_stage *stages,
			       size_t count);
struct table *plan_busiest_table(const struct plan *plan);
struct table *plan_moves_table(const struct plan *plan);
struct table *plan_channels_table(const struct plan *plan, const double *before);
struct table *plan_nodes_table(const struct plan *plan, const uint32_t *before);

// --- plan_outputs.c

struct plan_outputs {
	const char *network;
	const char *routes;
	const char *map;
	const char *drawing;
	const char *drawing_before;
};

// Writes what is asked for; each file takes its name when it is whole. Returns false after
// reporting an error.
bool plan_outputs_write(struct tool *tool, const struct plan_outputs *outputs,
			const struct plan *plan, const char *map, const double *before);

#endif
