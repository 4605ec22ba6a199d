// SPDX-License-Identifier: GPL-3.0-or-later
// What every family of models is to a fit: a model text made from the packets of a trace, and, where it is known, how
// likely the text makes other packets. Arrival processes (gen/arrivals/kind.h) are families by themselves, through
// streams_fit.c; a family of another make is a file that fills in a struct fit_family, and one line of the table in family.c.
#ifndef GEN_FIT_FAMILY_H
#define GEN_FIT_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

#include "gen/arrivals/kind.h"
#include "stat/packet_sample.h"
#include "trace/model.h"
#include "gen/pulse_fit.h"
#include "trace/status.h"

#define FIT_FAMILIES_MAX 32u
#define FIT_NOTE_BYTES 400u
#define FIT_BOUND_BYTES ARRIVAL_BOUND_BYTES

// Which packets are of one process.
enum fit_by {
	FIT_BY_ROLE,	// those of the controller, of all workers; data and overhead apart, as in all below but FIT_BY_ALL
	FIT_BY_ALL,	// of any node, of any class
	FIT_BY_CLASS,	// of any node
	FIT_BY_NODE,	// of each node
	FIT_BY_PAIR,	// from each node to each other
	FIT_BY_NETWORK, // of the network, as one source
};

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

struct fit_family {
	const char *name;
	const char *summary;		 // for people
	const struct arrival_kind *kind; // of an arrival process, else NULL
	unsigned by;			 // set of 1 << enum fit_by that may be asked of it
	bool copies;			 // its packets are the trace's own: it makes as many, for as many nodes
	const char *always;		 // what it is fitted by whatever is asked, one of fit_by_names; NULL: by what is
	// Adds the model to the text, which is empty or has comments. TR_ERROR: the packets cannot be of this family, or are
	// too few, with the reason; what is in the text then is no model.
	enum tr_status (*fit)(const struct fit_family *family, const struct packet_sample *sample,
			      const struct fit_options *options, struct model *text, struct fit_notes *notes,
			      struct tr_error *err);
	// Natural logarithm of the density (per tick, not of sizes and destinations) of the times at which each node sends
	// packets of each class; -INFINITY: the model never makes them. The text is one that fit wrote by the same options. NULL,
	// or NaN in *out: not known.
	enum tr_status (*log_likelihood)(const struct fit_family *family, const struct model *text,
					 const struct packet_sample *sample, const struct fit_options *options, double *out,
					 struct tr_error *err);
};

// Fills in up to FIT_FAMILIES_MAX families, in the order in which they are reported; returns how many. kinds: the arrival
// processes, ended by NULL (arrival_kinds).
size_t fit_families(const struct arrival_kind *const *kinds, struct fit_family out[FIT_FAMILIES_MAX]);

extern const struct fit_family pulse_family;
extern const struct fit_family on_off_family;
extern const struct fit_family noise_family; // where GSL and FFTW are
extern const struct fit_family bootstrap_family;

// The name of what the family is fitted by where that is asked.
const char *fit_by_word(const struct fit_family *family, enum fit_by by);

// Returns TR_ERROR, with the groups that the family knows.
enum tr_status fit_by_refuse(const struct fit_family *family, struct tr_error *err);

// The fit and likelihood of an arrival process.
struct fit_family streams_family(const struct arrival_kind *kind);

#endif
