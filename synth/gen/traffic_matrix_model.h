// SPDX-License-Identifier: GPL-3.0-or-later
// A traffic matrix: how much each node sends to each other one, at times that nothing in the network changes. The parameters
// of the family "traffic-matrix" (man/flit-model.5).
#ifndef GEN_TRAFFIC_MATRIX_MODEL_H
#define GEN_TRAFFIC_MATRIX_MODEL_H

#include <stdint.h>
#include <stdio.h>

#include "gen/forecast.h"
#include "trace/model.h"
#include "gen/size_bins.h"

#define TRAFFIC_MATRIX_NODES_MAX 1000000u

// What src sends to dst, in bits of payload.
struct traffic_pair {
	uint32_t src, dst;
	double rate_bps;
};

// Zero is empty; traffic_matrix_clear frees it.
struct traffic_matrix {
	uint64_t nodes;
	double duration_s;
	double header_B;	    // bytes on the wire beside the payload
	int arrivals;		    // enum traffic_arrivals
	struct traffic_pair *pairs; // owned, by rising src, then dst; rates above 0
	size_t pair_count;
	struct size_bin *bins; // owned
	size_t bin_count;
	double size_mean_B;
};

enum traffic_arrivals {
	TRAFFIC_EXPONENTIAL, // gaps from packet to packet of a node: Poisson, for each pair, too
	TRAFFIC_CONSTANT,    // the first packet at any time within the gap
};

// Reads a model of the family. TR_ERROR with file and line; *out is empty then.
enum tr_status traffic_matrix_get(const struct model *model, struct traffic_matrix *out, struct tr_error *err);

// Packets per second of the pairs first .. last - 1.
double traffic_matrix_rate(const struct traffic_matrix *matrix, size_t first, size_t last);

// The end of the pairs that begin with first and have the same source.
size_t traffic_matrix_row_end(const struct traffic_matrix *matrix, size_t first);

// What the model does, in sentences, to out; and what it will give.
enum tr_status traffic_matrix_explain(const struct model *text, FILE *out, struct tr_error *err);
enum tr_status traffic_matrix_forecast(const struct model *text, struct forecast *out, struct tr_error *err);

#define TRAFFIC_MATRIX_NODE_BYTES 400u // of memory for each node
#define TRAFFIC_MATRIX_PAIR_BYTES 32u  // and for each pair

void traffic_matrix_clear(struct traffic_matrix *matrix);

#endif
