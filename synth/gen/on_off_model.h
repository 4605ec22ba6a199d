// SPDX-License-Identifier: GPL-3.0-or-later
// Sources that are on and off by turns: with heavy tails of these times their sum is self-similar (Taqqu, Willinger and
// Sherman, Proof of a fundamental result in self-similar traffic modeling, Computer Communication Review 27(2) (1997)
// 5-23). The parameters of the family "on-off" (man/flit-model.5).
#ifndef GEN_ON_OFF_MODEL_H
#define GEN_ON_OFF_MODEL_H

#include <stdio.h>

#include "gen/forecast.h"
#include "gen/law.h"
#include "trace/model.h"
#include "gen/size_bins.h"

#define ON_OFF_SOURCES_MAX 4000000u // of all nodes together

// Zero is empty; on_off_model_clear frees it.
struct on_off_model {
	uint64_t nodes;
	uint64_t sources; // of a node
	double duration_s;
	double on_s, off_s;	    // means
	struct law on_law, off_law; // exponential if the text says nothing; their means stand above
	double on_shape, off_shape; // as a text may say Pareto's law; 0: it does not
	double gap_s;		    // between packets while on
	double header_B;	    // bytes on the wire beside the payload
	struct size_bin *bins;
	size_t bin_count;
};

// Reads a model of the family. TR_ERROR with file and line; *out is empty then.
enum tr_status on_off_model_get(const struct model *model, struct on_off_model *out, struct tr_error *err);

// What the model does, in sentences, to out.
enum tr_status on_off_explain(const struct model *text, FILE *out, struct tr_error *err);

// What it will give.
enum tr_status on_off_forecast(const struct model *text, struct forecast *out, struct tr_error *err);

#define ON_OFF_SOURCE_BYTES 160u // of memory for each source

void on_off_model_clear(struct on_off_model *on_off);

#endif
