// SPDX-License-Identifier: GPL-3.0-or-later
// A family of models: how packets are generated from a model text, and how such a text is fitted to
// packets.
//
// A new family is a file in this folder that fills in a struct family, and one line of list.def.
// There are two ways:
//
// An arrival process says when one source sends: a struct arrival_process (arrivals.h) and, if it
// can be fitted, a struct arrival_fit. streams_generator and streams_fit add nodes, sizes and
// destinations: poisson_process.c.
//
// A family whose packets depend on one another (a client's and a server's) gives a struct
// generator_kind of its own and, if it can be fitted, a struct family_fit: on_off.c and
// on_off_fit.c, client_server.c.
#ifndef GEN_FAMILIES_FAMILY_H
#define GEN_FAMILIES_FAMILY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gen/families/arrivals.h"
#include "gen/families/pulse_train/pulse_train.h"
#include "gen/forecast.h"
#include "gen/pairs.h"
#include "stat/nodes/packet_sample.h"
#include "stream/names.h"
#include "stream/record.h"
#include "text/model.h"
#include "value/status.h"

#define GENERATOR_NAME_BYTES 256
#define FAMILIES_MAX 32u
#define FIT_NOTE_BYTES 400u
#define FIT_BOUND_BYTES ARRIVAL_BOUND_BYTES

struct family {
	const char *name;    // in flitfit's option and the model text
	const char *text;    // family name that a fit writes, if it is another's; NULL: name
	const char *summary; // for help and tables
	const struct generator_kind *generator; // generates packets from a model
	const struct family_fit *fit;		// fits a model to packets; NULL: not possible
	const struct arrival_process *arrivals; // of an arrival process, otherwise NULL
	const struct arrival_fit *arrival_fit;	// likewise, if it can be fitted
	bool needs_end; // draws the whole run at its start, so that the end must be known
};

#define FAMILY(name) extern const struct family name##_family;
#include "gen/families/list.def"
#undef FAMILY

// All families in the order of list.def, ended by NULL.
extern const struct family *const family_table[];

// Where flitfit puts the best model that scales, beside one at path that does not:
// "best.scalable.model" for "best.model".
void family_scalable_path(const char *path, char out[PATH_MAX]);

// The family that reads texts of this name, or NULL.
const struct family *family_find(const char *name);

// The family of the model. TR_ERROR: its name is missing or unknown (err lists those known).
enum tr_status family_of(const struct model *model, const struct family **out,
			 struct tr_error *err);

// Settings of a generator. Zero fields mean the model's own.
struct generator_settings {
	uint64_t seed;
	uint64_t ticks_per_s; // 1 .. 2^62
	double stretch; // how much longer than the output's second ticks_per_s makes the model's;
			// 0: not at all
	uint32_t nodes;
	int64_t end_ticks; // packets before this time; 0: the model's duration
};

// A source of packets in time order.
struct generator_kind {
	size_t state_bytes; // of memory that open is given
	// Starts from a model; state is all zero. TR_ERROR with file and line where it is not one
	// of this family; the state must be closed all the same.
	enum tr_status (*open)(void *state, const struct model *model,
			       const struct generator_settings *settings, struct tr_error *err);
	// Writes up to max packets, in time order across calls; *count of them, at least one with
	// TR_OK. TR_END: no more.
	enum tr_status (*next)(void *state, struct tr_packet *packets, size_t max, size_t *count,
			       struct tr_error *err);
	// Nodes named so far: ids below it are in use. It may grow with next.
	uint32_t (*nodes)(const void *state);
	// The node's address (zero-terminated) and role.
	enum tr_role (*node)(const void *state, uint32_t id, char address[GENERATOR_NAME_BYTES]);
	// Describes the model in sentences, to out.
	enum tr_status (*explain)(const struct model *model, FILE *out, struct tr_error *err);
	// Forecasts the model's traffic; forecast_clear frees it.
	enum tr_status (*forecast)(const struct model *model, struct forecast *out,
				   struct tr_error *err);
	// The traffic matrix that the model stands for, to be cleared by pairs_clear, also after
	// TR_ERROR; NULL: known only from a run.
	enum tr_status (*pairs)(const struct model *model, struct pairs *out, struct tr_error *err);
	// Frees the state's resources, whether it is all zero, open or half open; the caller owns
	// the state itself.
	void (*close)(void *state);
};

extern const struct generator_kind streams_generator; // of all arrival processes

// One open generator; the caller keeps the struct. It owns its state.
struct generator {
	const struct generator_kind *kind;
	void *state;
};

// Starts the generator of the model's family. TR_ERROR: unknown family (err lists those known) or a
// wrong model.
enum tr_status generator_open(struct generator *out, const struct model *model,
			      const struct generator_settings *settings, struct tr_error *err);

// Calls the kind's next.
enum tr_status generator_next(struct generator *generator, struct tr_packet *packets, size_t max,
			      size_t *count, struct tr_error *err);

// Frees it; a zero one is accepted.
void generator_close(struct generator *generator);

// How packets are grouped into processes.
enum fit_by {
	FIT_BY_ROLE,  // of the controller, of all workers; data and overhead apart, as in all below
		      // but FIT_BY_ALL
	FIT_BY_ALL,   // of any node, of any class
	FIT_BY_CLASS, // of any node
	FIT_BY_NODE,  // of each node
	FIT_BY_PAIR,  // from each node to each other
	FIT_BY_NETWORK, // of the network, as one source
};
#define FIT_BY_ANY ((1u << (FIT_BY_NETWORK + 1)) - 1)

// Names of the groupings.
extern const char *const fit_by_names[];

struct fit_options {
	struct pulse_fit_options
		pulse; // also the level of all intervals, and the choice of sizes and destinations
	int by;	       // enum fit_by
	const char *trace; // the packets' file, relative to the model's folder; lent; NULL: none
	uint64_t digest;   // of its bytes (tr_reader_digest)
	bool aside;	   // packets of discovery are not in the sample (stat/nodes/discovery.h)
	const uint32_t *ranks; // by id of the nodes, for a parallel program; UINT32_MAX: no rank;
			       // lent; NULL: unknown
};

// The iterations of a parallel program that a fit found in its trace; a count of 0: none.
struct fit_iterations {
	uint32_t count,
		all; // in the model; in the trace, with all between them that looks like one
	int64_t begin_ticks,
		end_ticks; // first packet of the first one, last packet of the last one
};

// Notes on a fit besides its text.
struct fit_notes {
	unsigned freedom; // free parameters of all sections together, without those of the sizes
	char method[FIT_NOTE_BYTES];
	char bound[FIT_BOUND_BYTES]; // a parameter at the bound of its search, in words; "": none
	bool names_nodes; // the text is only of this number of nodes, whatever the grouping
	struct fit_iterations iterations;
};

// How a model is fitted to the packets of a trace.
struct family_fit {
	unsigned by;	    // set of 1 << enum fit_by that it supports
	bool copies;	    // its packets are copied from the trace: as many, for as many nodes
	const char *always; // grouping that it always uses, one of fit_by_names; NULL: the
			    // requested one
	// Adds the model to the text, which is empty or has comments. TR_ERROR, with the reason:
	// the packets cannot be of this family, or are too few; the text is not a valid model then.
	enum tr_status (*fit)(const struct family *family, const struct packet_sample *sample,
			      const struct fit_options *options, struct model *text,
			      struct fit_notes *notes, struct tr_error *err);
	// Natural logarithm of the density (per tick, not of sizes and destinations) of the times
	// at which each node sends packets of each class; -INFINITY: the model cannot produce them.
	// The text was written by fit with the same options. NULL, or NaN in *out: not known.
	enum tr_status (*log_likelihood)(const struct family *family, const struct model *text,
					 const struct packet_sample *sample,
					 const struct fit_options *options, double *out,
					 struct tr_error *err);
};

extern const struct family_fit streams_fit; // of all arrival processes
extern const struct family_fit
	program_sample_fit; // of a parallel program, to the packets of one trace

// The families that can be fitted, in the order of list.def; returns how many.
size_t families_fitted(const struct family *out[FAMILIES_MAX]);

// The name of the grouping that the family uses if this one is requested.
const char *fit_by_word(const struct family *family, enum fit_by by);

// Returns TR_ERROR; err lists the groupings that the family supports.
enum tr_status fit_by_refuse(const struct family *family, struct tr_error *err);

#endif
