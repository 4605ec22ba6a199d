// SPDX-License-Identifier: GPL-3.0-or-later
// An arrival process: the times at which one source sends, generated from parameters and fitted to
// times. Who sends, sizes and destinations are common to all processes (gen/streams_model.h).
// family.h says how a process becomes a family.
#ifndef GEN_FAMILIES_ARRIVALS_H
#define GEN_FAMILIES_ARRIVALS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gen/draw.h"
#include "gen/model_field.h"
#include "text/model.h"
#include "value/random.h"
#include "value/status.h"

#define ARRIVAL_NOTE_BYTES 200 // MODEL_INTERVAL_BYTES or more
#define ARRIVAL_BOUND_BYTES 120
#define ARRIVAL_FIELDS_MAX 24

// What a source starts with. tables outlives it.
struct arrival_settings {
	const struct draw_tables *tables;
	double ticks_per_s;
	int64_t end_ticks; // nothing at this time or later is needed; 2^62: no end is known
};

// One realisation: the times of a source's packets, in ascending order (ties are packets of one
// tick), within [begin, end).
struct arrival_times {
	const int64_t *ticks;
	size_t count;
	int64_t begin_ticks, end_ticks;
	int64_t bin_ticks;  // of counts, equal in all realisations: packets lie at random in such
			    // bins; 0: original times
	const uint32_t *to; // their destinations; NULL: not given
};

// Input of a fit: independent realisations of one process, lent.
struct arrival_sample {
	const struct arrival_times *each;
	size_t count;
	double ticks_per_s;
	double level; // of the intervals, in (0, 1)
};

// Notes of a fit on the parameters. Empty texts for none.
struct arrival_notes {
	char method[ARRIVAL_NOTE_BYTES]; // "by likelihood of the gaps (EM)"
	char field[ARRIVAL_FIELDS_MAX]
		  [ARRIVAL_NOTE_BYTES];	 // intervals, in the order of the process' fields
	char bound[ARRIVAL_BOUND_BYTES]; // "session-shape stands at its bound, 1.02"
};

struct arrival_process {
	// The process' own keys in a section, ended by MODEL_END, with offsets in its parameters.
	// get and put read and write those that are MODEL_REPEATED.
	const struct model_field *fields;
	size_t parameter_bytes;
	// Sets the defaults of keys that the text omits. NULL: zeros.
	void (*defaults)(void *parameters);
	// Called after the fields are read: reads the repeated keys, and checks. NULL: nothing to
	// do.
	enum tr_status (*get)(void *parameters, const struct model *model, const char *section,
			      struct tr_error *err);
	// Writes the repeated keys after the fields. NULL: none.
	void (*put)(const void *parameters, struct model *model);
	// Frees what parameters hold. NULL: nothing.
	void (*clear)(void *parameters);
	// Mean packets per second.
	double (*rate)(const void *parameters);
	// Variance over mean of the packets in long times; INFINITY: it grows with the time. NULL
	// or NAN: not known.
	double (*dispersion)(const void *parameters);
	// H of its packets in long times, if the dispersion is INFINITY; 0: not known. NULL: never
	// known.
	double (*hurst)(const void *parameters);
	// Describes the process in sentences.
	void (*explain)(const void *parameters, FILE *out);

	size_t state_bytes;
	// Starts a source in its stationary distribution at time 0. state is zeroed. May draw from
	// random, which is the source's and is later passed to next. The parameters outlive the
	// state.
	enum tr_status (*start)(void *state, const void *parameters,
				const struct arrival_settings *settings, struct tr_random *random,
				struct tr_error *err);
	// Ticks from the previous packet (from 0 for the first) to the next; 0 for one of the same
	// batch, INFINITY for never.
	double (*next)(void *state, struct tr_random *random);
	// Gives count gaps, the same as count calls of next. NULL: next is called instead;
	// processes that have it never end.
	void (*next_many)(void *state, struct tr_random *random, double *out, size_t count);
	// Frees what state holds. NULL: nothing.
	void (*stop)(void *state);
};

// How the parameters of a process are estimated from times.
struct arrival_fit {
	// Estimates the parameters. TR_ERROR, with the reason, where the sample cannot be of this
	// process or is too short; parameters are zero then.
	enum tr_status (*fit)(void *parameters, const struct arrival_sample *sample,
			      struct arrival_notes *notes, struct tr_error *err);
	// Natural logarithm of the density of the sample's times (per tick) under parameters. NULL:
	// not known. TR_ERROR if out of memory.
	enum tr_status (*log_likelihood)(const void *parameters,
					 const struct arrival_sample *sample, double *out,
					 struct tr_error *err);
	// Number of free parameters, for information criteria. NULL: the number of fields.
	unsigned (*freedom)(const void *parameters);
};

#endif
