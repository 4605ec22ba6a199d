// SPDX-License-Identifier: GPL-3.0-or-later
// Synthetic load: every node offers the same rate of packets, by a law of arrivals, sizes and
// destinations. The parameters of the family "load" (man/flit-model.5).
#ifndef GEN_LOAD_MODEL_H
#define GEN_LOAD_MODEL_H

#include <stdio.h>

#include "gen/destinations.h"
#include "gen/forecast.h"
#include "trace/model.h"
#include "gen/size_bins.h"

#define LOAD_NODES_MAX 1000000u

enum load_arrivals {
	LOAD_EXPONENTIAL, // gaps from packet to packet: Poisson
	LOAD_UNIFORM,	  // of 0 to twice the mean, all alike
	LOAD_CONSTANT,	  // the first packet at any time within the gap
	LOAD_SATURATED,	  // a packet follows as soon as the one before could have left
};

// Zero is empty; load_model_clear frees it.
struct load_model {
	uint64_t nodes;
	double duration_s;
	double rate_bps; // of a node's link
	double load;	 // of it, in payload
	double header_B; // bytes on the wire beside the payload
	int arrivals;
	struct destinations_model destinations;
	struct size_bin *bins;
	size_t bin_count;
	double size_mean_B;
};

// Reads a model of the family load. TR_ERROR with file and line; *out is empty then.
enum tr_status load_model_get(const struct model *model, struct load_model *out, struct tr_error *err);

// Mean time between packets of a node in seconds; with saturated arrivals that at a load of 1.
double load_gap_s(const struct load_model *load);

// What the model does, in sentences, to out.
enum tr_status load_explain(const struct model *text, FILE *out, struct tr_error *err);

// What it will give.
enum tr_status load_forecast(const struct model *text, struct forecast *out, struct tr_error *err);

#define LOAD_NODE_BYTES 992u // of memory for each node

void load_model_clear(struct load_model *load);

#endif
