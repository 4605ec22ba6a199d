// SPDX-License-Identifier: GPL-3.0-or-later
// Classes of nodes (servers, workgroups) and the shares of traffic within and between them: a block
// traffic matrix, as used in planning switch-based networks (Qiao, Network routing and planning in
// switch-based networks, PhD thesis, Michigan State University 1997, sections 3.1, 4.7.1 and
// 5.5.1). The parameters of the family "client-server" (man/flit-model.5).
#ifndef GEN_FAMILIES_CLIENT_SERVER_H
#define GEN_FAMILIES_CLIENT_SERVER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gen/forecast.h"
#include "gen/pairs.h"
#include "gen/size_bins.h"
#include "text/model.h"
#include "value/status.h"

#define CLIENT_SERVER_ALL UINT32_MAX // as a target: any other node

// The share of a class' packets that goes to a class, spread uniformly over its nodes (except the
// sender).
struct client_target {
	uint32_t class; // its number, or CLIENT_SERVER_ALL
	double share;	// 0 .. 1
};

struct client_class {
	const char *name; // the section's name, in the text
	uint64_t nodes;	  // number of nodes
	uint32_t *at;	  // their ids, owned; NULL: the remaining ones, in order
	size_t at_count;
	double rate_bps; // of a node's link
	double load;	 // of the link, in payload; NAN: think_s is given
	double think_s;	 // mean of the exponential time from a message's end to the next; NAN: load
			 // is given
	struct client_target *targets; // owned; shares sum to 1
	size_t target_count;
	struct size_bin *bins; // of the packets it sends; owned
	size_t bin_count;
	struct size_bin *reply_bins; // of its replies; NULL: it does not reply
	size_t reply_bin_count;
	double service_s;     // mean of the exponential service time of a reply
	double packets_per_s; // set by client_server_solve
};

// Zero is empty; client_server_clear frees it.
struct client_server {
	double duration_s;
	double header_B;	      // bytes on the wire beside the payload
	struct client_class *classes; // owned
	uint32_t class_count;
	uint64_t nodes; // of all classes
	bool placed;	// some class lists its nodes
};

// Reads a model of the family; its text must outlive *out. TR_ERROR with file and line; *out is
// empty then.
enum tr_status client_server_get(const struct model *model, struct client_server *out,
				 struct tr_error *err);

// Scales the classes to this total of nodes: those with more than one node in proportion, by
// largest remainders. TR_ERROR if a class would have none, or lists its nodes.
enum tr_status client_server_scale(struct client_server *model, uint64_t nodes,
				   struct tr_error *err);

// Gives each node its class: first the listed nodes, then the others in the order of the sections.
// nodes long.
void client_server_place(const struct client_server *model, uint32_t *class_of_node);

// Sets each class' packets_per_s: the packets of a node, without replies. With think times and
// replies to wait for it is the fixed point of approximate mean value analysis (Bard, Some
// extensions to multiclass queueing network analysis, 1979).
void client_server_solve(struct client_server *model);

// The share of a node's packets, without replies, that goes to one given node of the target class
// (another node).
double client_server_share(const struct client_server *model, uint32_t class, uint32_t target);

// Packets per second that each node of the target class replies to, 0 if it does not reply; after
// client_server_solve.
double client_server_asked(const struct client_server *model, uint32_t target);

// TR_ERROR where the load exceeds what a server can handle; after client_server_solve.
enum tr_status client_server_check(const struct client_server *model, struct tr_error *err);

// The family's explain and forecast, and its pairs below (gen/families/family.h).
enum tr_status client_server_explain(const struct model *text, FILE *out, struct tr_error *err);
enum tr_status client_server_forecast(const struct model *text, struct forecast *out,
				      struct tr_error *err);

// What each node sends each other one on average. Names are lent from the text. TR_ERROR as
// client_server_get, or if out of memory.
enum tr_status client_server_pairs(const struct model *text, struct pairs *out,
				   struct tr_error *err);

// Frees what it holds; it is empty then.
void client_server_clear(struct client_server *model);

// ---- Packets to be sent later: a heap by time (Williams, Algorithm 232, 1964). Equal times leave
// in insertion order.

struct reply {
	int64_t ticks;
	uint64_t number; // in insertion order
	uint32_t src, dst;
	uint32_t size_B;
};

// Zero is a valid empty one; reply_queue_clear frees it.
struct reply_queue {
	struct reply *replies; // replies[0] leaves first; replies[i] no later than replies[2 i + 1]
			       // and [2 i + 2]
	size_t count, capacity;
	uint64_t put; // number put so far
};

// Inserts a reply and sets its number. TR_ERROR if out of memory.
enum tr_status reply_queue_put(struct reply_queue *queue, struct reply reply, struct tr_error *err);

// Removes the first one; the queue must not be empty.
struct reply reply_queue_take(struct reply_queue *queue);

// Frees what it holds; it is empty then.
void reply_queue_clear(struct reply_queue *queue);

#endif
