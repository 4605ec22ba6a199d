// SPDX-License-Identifier: GPL-3.0-or-later
// A trace cut into blocks that come again in random order: what is alike within a block stays as it was, whatever it
// is. The parameters of the family "bootstrap" (man/flit-model.5).
#ifndef GEN_BOOTSTRAP_MODEL_H
#define GEN_BOOTSTRAP_MODEL_H

#include <stdint.h>
#include <stdio.h>

#include "trace/model.h"

// Zero is empty; bootstrap_model_clear frees it.
struct bootstrap_model {
	char *trace;	      // its file, as seen from the model's folder, or else from the present one
	char *found;	      // the one of the two that exists; NULL in a model that was made here: the present folder
	uint64_t digest;      // of the file's bytes (tr_reader_digest); 0: any will do
	double from_s, to_s;  // what of it counts, on its own clock: [from, to); to 0: up to its end
	double duration_s;    // 0: the trace's
	double block_s;	      // length of a block, from any time on; 0: episodes
	double episode_gap_s; // a longer silence of the whole network parts two episodes; 0: blocks
};

// Reads a model of the family. TR_ERROR with file and line; *out is empty then.
enum tr_status bootstrap_model_get(const struct model *model, struct bootstrap_model *out, struct tr_error *err);

// Adds the parameters to the text.
void bootstrap_model_put(struct model *model, const struct bootstrap_model *bootstrap);

// What the model does, in sentences, to out.
enum tr_status bootstrap_explain(const struct model *text, FILE *out, struct tr_error *err);

void bootstrap_model_clear(struct bootstrap_model *bootstrap);

#endif
