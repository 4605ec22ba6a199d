// SPDX-License-Identifier: GPL-3.0-or-later
// Models: read, explained, and set to work by flitgen, so that what they generate can be looked at beside the trace. flitgen is
// the one beside the running program, else the one on PATH.
#ifndef REPORT_SURROGATE_H
#define REPORT_SURROGATE_H

#include "report/input.h"
#include "trace/source.h"

// Packets generated at most: SURROGATE_FACTOR times those of the trace, between the bounds.
#define SURROGATE_FACTOR 4u
#define SURROGATE_PACKETS_MIN 100000u
#define SURROGATE_PACKETS_MAX 20000000u

// Reads a model text into the input; source stays the caller's. TR_ERROR: it is no model, or flitgen refuses it or fails. TR_END:
// there is no flitgen, which err says; the model is read, and not explained.
enum tr_status surrogate_read(struct input *input, struct tr_source *source, struct tr_error *err);

// Generates traffic of the input's model for as long as the trace (NULL: the model's own duration) with
// the seed, and keeps of it what is kept of a trace. Beside a trace it is held against that by the measure. TR_ERROR: flitgen
// fails, or memory ends.
enum tr_status surrogate_generate(struct input *input, const struct stream *trace, uint64_t seed,
				  struct likeness_measure *measure, struct tr_error *err);

#endif
