// SPDX-License-Identifier: GPL-3.0-or-later
// What all arrival processes (gen/families/arrivals.h) share: who sends, of which class, sizes and
// destinations. One section of the text is one kind of source; a process has its own parameters.
// man/flit-model.5 describes the text.
#ifndef GEN_STREAMS_MODEL_H
#define GEN_STREAMS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gen/destinations.h"
#include "gen/families/family.h"
#include "gen/forecast.h"
#include "gen/size_bins.h"
#include "stream/record.h"
#include "text/model.h"

// ---- Shares of nodes as lines of a model: "from 3 25 %", "to 5 10 %". Only their ratios matter.

struct node_share {
	uint32_t node;
	double share; // 0 .. 1
};

// Zero is a valid empty one.
struct node_shares {
	struct node_share *each; // owned
	size_t count;
};

// The node's share; 0 where it has none.
double node_shares_of(const struct node_shares *shares, uint32_t node);

// The sum of all shares but the node's.
double node_shares_of_others(const struct node_shares *shares, uint32_t node);

// ---- The model.

#define STREAMS_NAME_BYTES 48u // of a section

// A node follows its own section if there is one, else that of its role, else that of all nodes.
// Pairs and the network are additional sources.
enum streams_who {
	STREAMS_CONTROLLER, // node 0
	STREAMS_WORKER,	    // every other node; every node if no section names a controller
	STREAMS_EACH,	    // [node data]: each node
	STREAMS_NODE,	    // [node 3 data]
	STREAMS_PAIR,	    // [pair 3 5 data]
	STREAMS_NETWORK,    // one source; each packet's sender is drawn
};

// A section. streams_section_clear frees what it owns.
struct streams_section {
	enum streams_who who;
	uint32_t node, to;     // of a node and a pair
	enum tr_class class;   // TR_CLASS_DATA or TR_CLASS_OVERHEAD
	void *parameters;      // of the process; made by streams_section_open, owned
	struct size_bin *bins; // owned; at least one
	size_t bin_count;
	double header_B;	       // bytes on the wire beside the payload
	double to_controller;	       // share of the packets, where destinations are by role
	struct node_shares from_nodes; // of the network; none: uniform
	struct node_shares to_nodes;   // none: by the model's destinations
};

// Zero is empty; streams_model_clear frees it.
struct streams_model {
	const struct family *family; // an arrival process
	uint64_t nodes;
	double duration_s;
	struct destinations_model destinations;
	struct streams_section *sections; // owned
	size_t count;
};

// Comments in a section of the text.
struct streams_notes {
	char section[ARRIVAL_NOTE_BYTES];
	struct arrival_notes times;
};

// Gives the section parameters of the process, with their defaults. TR_ERROR if out of memory.
enum tr_status streams_section_open(struct streams_section *section,
				    const struct arrival_process *process, struct tr_error *err);

// "worker data", "pair 3 5 overhead". Returns out.
const char *streams_section_name(const struct streams_section *section,
				 char out[STREAMS_NAME_BYTES]);

// Reads a model whose family is an arrival process. TR_ERROR with file and line; *out is empty
// then.
enum tr_status streams_model_get(const struct model *text, struct streams_model *out,
				 struct tr_error *err);

// Adds the parameters to the text, so that streams_model_get reads them back; notes, one per
// section, may be NULL. Numbers have up to 15 digits: streams_model_settle rounds them to the
// text's precision.
void streams_model_put(struct model *text, const struct streams_model *model,
		       const struct streams_notes *notes);

// Rounds every number to digits (1..12) significant digits of its unit.
void streams_model_settle(struct streams_model *model, int digits);

// Whether nodes 0 .. nodes - 1 suffice for the sections. TR_ERROR: err names one that needs more.
enum tr_status streams_model_check(const struct streams_model *model, uint64_t nodes,
				   struct tr_error *err);

// Whether a section names a controller (then node 0).
bool streams_has_controller(const struct streams_model *model);

// The section of the node's packets of the class, besides pairs and the network; NULL: it sends
// none.
const struct streams_section *streams_section_of(const struct streams_model *model, uint32_t node,
						 enum tr_class class);

// Whether packets that the node sends by the section have a destination: a pattern may map it to
// itself.
bool streams_leads(const struct streams_section *section, const struct destinations *destinations,
		   uint32_t node);

#define STREAMS_SOURCE_BYTES 1216u // of memory for each source, beside the state of its process

// Forecasts the model's traffic.
enum tr_status streams_forecast(const struct model *text, struct forecast *out,
				struct tr_error *err);

// Describes the model in sentences, to out.
enum tr_status streams_explain(const struct model *text, FILE *out, struct tr_error *err);

// Frees what it holds; it is empty then.
void streams_model_clear(struct streams_model *model);

#endif
