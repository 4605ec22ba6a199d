// SPDX-License-Identifier: GPL-3.0-or-later
// What a family of models is: how packets are made of a model text, and how such a text is fitted to packets.
//
// A new family is a file in this folder that fills in a struct family, and one line of list.def. There are two ways:
//
// An arrival process says when one source sends. It gives a struct arrival_process (arrivals.h) and, where it can be fitted, a struct
// arrival_fit; generator and fit are streams_generator and streams_fit, which add nodes, sizes and destinations: poisson_process.c.
//
// A family whose packets depend on one another (a client's and a server's) gives a struct generator_kind of its own and, where it
// can be fitted, a struct family_fit: on_off.c and on_off_fit.c, client_server.c.
#ifndef GEN_FAMILIES_FAMILY_H
#define GEN_FAMILIES_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gen/families/arrivals.h"
#include "gen/forecast.h"
#include "gen/pairs.h"
#include "gen/families/pulse_train.h"
#include "stat/packet_sample.h"
#include "trace/model.h"
#include "trace/names.h"
#include "trace/record.h"
#include "trace/status.h"

#define GENERATOR_NAME_BYTES 256
#define FAMILIES_MAX 32u
#define FIT_NOTE_BYTES 400u
#define FIT_BOUND_BYTES ARRIVAL_BOUND_BYTES

struct family {
	const char *name;			// of flitfit's option and of the model text
	const char *text;			// the family in the text that a fit writes, where it is another's; NULL: name
	const char *summary;			// for people
	const struct generator_kind *generator; // how packets are made of a model
	const struct family_fit *fit;		// how a model is fitted to packets; NULL: it cannot be
	const struct arrival_process *arrivals; // of an arrival process, else NULL
	const struct arrival_fit *arrival_fit;	// likewise, where it can be fitted
};

#define FAMILY(name) extern const struct family name##_family;
#include "gen/families/list.def"
#undef FAMILY

// All of them, in the order of list.def, ended by NULL.
extern const struct family *const family_table[];

// The family that reads texts of this name; NULL where there is none.
const struct family *family_find(const char *name);

// The family of the model. TR_ERROR: its name is missing or unknown (err lists those known).
enum tr_status family_of(const struct model *model, const struct family **out, struct tr_error *err);

// What the caller of a generator asks for. Zero fields mean the model's own.
struct generator_settings {
	uint64_t seed;
	uint64_t ticks_per_s; // 1 .. 2^62
	uint32_t nodes;
	int64_t end_ticks; // packets before this time; 0: the model's duration
};

// A source of packets in order of time.
struct generator_kind {
	size_t state_bytes; // of memory that open is given
	// Starts from a model; state is all zero. TR_ERROR with file and line where it is not one of this family; the state is
	// closed all the same.
	enum tr_status (*open)(void *state, const struct model *model, const struct generator_settings *settings,
			       struct tr_error *err);
	// Fills in up to max packets, in order of time over calls; *count of them, at least one
	// with TR_OK. TR_END: no more.
	enum tr_status (*next)(void *state, struct tr_packet *packets, size_t max, size_t *count, struct tr_error *err);
	// Nodes named so far: ids below it are in use. It may grow with next.
	uint32_t (*nodes)(const void *state);
	// The node's address (zero-terminated) and role.
	enum tr_role (*node)(const void *state, uint32_t id, char address[GENERATOR_NAME_BYTES]);
	// What the model does, in sentences, to out.
	enum tr_status (*explain)(const struct model *model, FILE *out, struct tr_error *err);
	// What it will give, to be cleared by forecast_clear.
	enum tr_status (*forecast)(const struct model *model, struct forecast *out, struct tr_error *err);
	// The traffic matrix that the model stands for, to be cleared by pairs_clear, also after TR_ERROR; NULL: known only from a
	// run.
	enum tr_status (*pairs)(const struct model *model, struct pairs *out, struct tr_error *err);
	// Frees what the state owns, be it all zero, open or half open; the state itself is the caller's.
	void (*close)(void *state);
};

extern const struct generator_kind streams_generator; // of all arrival processes

// One packet source at work; the caller keeps the struct. Its state is owned.
struct generator {
	const struct generator_kind *kind;
	void *state;
};

// Starts the generator of the model's family. TR_ERROR: unknown family (err lists those known) or a
// wrong model.
enum tr_status generator_open(struct generator *out, const struct model *model, const struct generator_settings *settings,
			      struct tr_error *err);

// As the function of the kind.
enum tr_status generator_next(struct generator *generator, struct tr_packet *packets, size_t max, size_t *count,
			      struct tr_error *err);

// Frees it; a zero one is accepted.
void generator_close(struct generator *generator);

// Which packets are of one process.
enum fit_by {
	FIT_BY_ROLE,	// those of the controller, of all workers; data and overhead apart, as in all below but FIT_BY_ALL
	FIT_BY_ALL,	// of any node, of any class
	FIT_BY_CLASS,	// of any node
	FIT_BY_NODE,	// of each node
	FIT_BY_PAIR,	// from each node to each other
	FIT_BY_NETWORK, // of the network, as one source
};
#define FIT_BY_ANY ((1u << (FIT_BY_NETWORK + 1)) - 1)

// Names of the groupings.
extern const char *const fit_by_names[];

struct fit_options {
	struct pulse_fit_options pulse; // also the level of all intervals, and the choice of sizes and destinations
	int by;				// enum fit_by
	const char *trace;		// the file that the packets are from, as seen from the model's folder; lent; NULL: none
	uint64_t digest;		// of its bytes (tr_reader_digest)
};

// What is to say of a fit beside its text.
struct fit_notes {
	unsigned freedom; // parameters that were free, of all sections together; those of the sizes do not count
	char method[FIT_NOTE_BYTES];
	char bound[FIT_BOUND_BYTES]; // a parameter that stands at the bound of its search, in words; "": none does
};

// How a model is fitted to the packets of a trace.
struct family_fit {
	unsigned by;	    // set of 1 << enum fit_by that may be asked of it
	bool copies;	    // its packets are the trace's own: it makes as many, for as many nodes
	const char *always; // what it is fitted by whatever is asked, one of fit_by_names; NULL: by what is
	// Adds the model to the text, which is empty or has comments. TR_ERROR: the packets cannot be of this family, or are
	// too few, with the reason; what is in the text then is no model.
	enum tr_status (*fit)(const struct family *family, const struct packet_sample *sample,
			      const struct fit_options *options, struct model *text, struct fit_notes *notes,
			      struct tr_error *err);
	// Natural logarithm of the density (per tick, not of sizes and destinations) of the times at which each node sends
	// packets of each class; -INFINITY: the model never makes them. The text is one that fit wrote by the same options. NULL,
	// or NaN in *out: not known.
	enum tr_status (*log_likelihood)(const struct family *family, const struct model *text,
					 const struct packet_sample *sample, const struct fit_options *options, double *out,
					 struct tr_error *err);
};

extern const struct family_fit streams_fit; // of all arrival processes

// The families that can be fitted, in the order of list.def; returns how many.
size_t families_fitted(const struct family *out[FAMILIES_MAX]);

// The name of what the family is fitted by where that is asked.
const char *fit_by_word(const struct family *family, enum fit_by by);

// Returns TR_ERROR, with the groups that the family knows.
enum tr_status fit_by_refuse(const struct family *family, struct tr_error *err);

#endif
