// SPDX-License-Identifier: GPL-3.0-or-later
// For tests: the packets generated from a model's text. Errors fail the test.
#ifndef TESTS_MODEL_RUN_H
#define TESTS_MODEL_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "gen/families/family.h"

struct model_run {
	struct tr_packet *packets; // owned: to be freed
	size_t count;
	uint32_t nodes;
};

// Reads the text as if from a file t.model; model_clear clears out.
void model_of_text(struct model *out, const char *text);

// Packets until the model ends, or fewer than batch more would be max; requested in batches.
struct model_run model_run(const char *text, const struct generator_settings *settings,
			   size_t batch, size_t max);

// Checks that the text can be read, but no generator made from it, with this message.
void model_run_refused(const char *text, const char *message);

// Pearson's chi-square of the node's destinations against a uniform choice among the others (nodes
// - 2 degrees of freedom). None may go to the node itself, and there must be 1000 or more.
double model_run_chi_square(const struct model_run *run, uint32_t node);

#endif
