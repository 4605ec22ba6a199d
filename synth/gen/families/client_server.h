// SPDX-License-Identifier: GPL-3.0-or-later
// Classes of nodes (servers, workgroups) and the shares of traffic within and between them: a traffic matrix of blocks, as
// switch-based networks are planned with (Qiao, Network routing and planning in switch-based networks, PhD thesis, Michigan
// State University 1997, sections 3.1, 4.7.1 and 5.5.1). The parameters of the family "client-server" (man/flit-model.5).
#ifndef GEN_FAMILIES_CLIENT_SERVER_H
#define GEN_FAMILIES_CLIENT_SERVER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gen/forecast.h"
#include "gen/pairs.h"
#include "gen/size_bins.h"
#include "trace/model.h"
#include "trace/status.h"

#define CLIENT_SERVER_NODES_MAX 1000000u
#define CLIENT_SERVER_ALL UINT32_MAX // as a target: any other node

// So much of a class' packets goes to any node of another, all alike (but the sender itself).
struct client_target {
	uint32_t class; // its number, or CLIENT_SERVER_ALL
	double share;	// 0 .. 1
};

struct client_class {
	const char *name; // the section's, of the text
	uint64_t nodes;	  // how many
	uint32_t *at;	  // their numbers, owned; NULL: those that are left, in order
	size_t at_count;
	double rate_bps;	       // of a node's link
	double load;		       // of it, in payload; NAN: think
	double think_s;		       // mean of the exponential time from a message's end to the next; NAN: load
	struct client_target *targets; // owned; shares sum up to 1
	size_t target_count;
	struct size_bin *bins; // of what it sends; owned
	size_t bin_count;
	struct size_bin *reply_bins; // of what it answers with; NULL: it does not
	size_t reply_bin_count;
	double service_s;     // mean of the exponential time that an answer takes
	double packets_per_s; // set by client_server_solve
};

// Zero is empty; client_server_clear frees it.
struct client_server {
	double duration_s;
	double header_B;	      // bytes on the wire beside the payload
	struct client_class *classes; // owned
	uint32_t class_count;
	uint64_t nodes; // of all classes
	bool placed;	// some class says which nodes
};

// Reads a model of the family, whose text must stay. TR_ERROR with file and line; *out is empty then.
enum tr_status client_server_get(const struct model *model, struct client_server *out, struct tr_error *err);

// Makes the classes together have so many nodes: those with more than one in proportion, by largest remainders. TR_ERROR
// where that cannot be: a class would have none, or one says which its nodes are.
enum tr_status client_server_scale(struct client_server *model, uint64_t nodes, struct tr_error *err);

// Gives each node its class: those that say which they are, then the others in the order of the sections. nodes long.
void client_server_place(const struct client_server *model, uint32_t *class_of_node);

// Sets each class' packets_per_s: those that a node sends unasked. With think times and answers to wait for it is the fixed
// point of approximate mean value analysis (Bard, Some extensions to multiclass queueing network analysis, 1979).
void client_server_solve(struct client_server *model);

// The share of a node's unasked packets that goes to one given node of the target class (another node).
double client_server_share(const struct client_server *model, uint32_t class, uint32_t target);

// Packets per second that each node of the target class answers, 0 where it does not; after client_server_solve.
double client_server_asked(const struct client_server *model, uint32_t target);

// TR_ERROR where loads ask more of a server than it can answer; after client_server_solve.
enum tr_status client_server_check(const struct client_server *model, struct tr_error *err);

enum tr_status client_server_explain(const struct model *text, FILE *out, struct tr_error *err);
enum tr_status client_server_forecast(const struct model *text, struct forecast *out, struct tr_error *err);

enum tr_status client_server_pairs(const struct model *text, struct pairs *out, struct tr_error *err);

void client_server_clear(struct client_server *model);

// ---- Packets that will leave later: a heap over their times (Williams, Algorithm 232, 1964). Equal times leave in the order in
// which they were put.

struct reply {
	int64_t ticks;
	uint64_t number; // in the order of putting
	uint32_t src, dst;
	uint32_t size_B;
};

// Zero is a valid empty one; reply_queue_clear frees it.
struct reply_queue {
	struct reply *replies; // replies[0] leaves first; replies[i] not after replies[2 i + 1] and [2 i + 2]
	size_t count, capacity;
	uint64_t put; // so far
};

// Puts one in; its number is set here. TR_ERROR without memory.
enum tr_status reply_queue_put(struct reply_queue *queue, struct reply reply, struct tr_error *err);

// Takes the first one, of one or more.
struct reply reply_queue_take(struct reply_queue *queue);

void reply_queue_clear(struct reply_queue *queue);

#endif
