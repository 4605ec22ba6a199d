// SPDX-License-Identifier: GPL-3.0-or-later
// Counts with long-range dependence: packets per bin of the whole network follow fractional noise. The parameters of the
// family "fractional-noise" (man/flit-model.5).
#ifndef GEN_NOISE_MODEL_H
#define GEN_NOISE_MODEL_H

#include <stdio.h>

#include "gen/forecast.h"
#include "gen/fractional_noise.h"
#include "trace/model.h"
#include "gen/rectified_normal.h"
#include "gen/size_bins.h"

#define NOISE_NODES_MAX 1000000u

// Zero is empty; noise_model_clear frees it.
struct noise_model {
	uint64_t nodes;
	double duration_s;
	double bin_s;
	double packets;	   // mean a bin
	double dispersion; // variance over mean of a bin's count
	double hurst;
	int law;	 // enum fractional_law
	double header_B; // bytes on the wire beside the payload
	struct size_bin *bins;
	size_t bin_count;
};

// Reads a model of the family. TR_ERROR with file and line; *out is empty then.
enum tr_status noise_model_get(const struct model *model, struct noise_model *out, struct tr_error *err);

// Adds the model's text. Comments of the mean and of H may be NULL.
void noise_model_put(struct model *model, const struct noise_model *noise, const char *of_packets, const char *of_hurst);

// The normal law of the noise, which gives the counts their mean and variance where numbers below 0 are 0.
struct rectified_normal noise_under(const struct noise_model *noise);

// What the model does, in sentences, to out.
enum tr_status noise_explain(const struct model *text, FILE *out, struct tr_error *err);

// What it will give.
enum tr_status noise_forecast(const struct model *text, struct forecast *out, struct tr_error *err);

void noise_model_clear(struct noise_model *noise);

#endif
