// SPDX-License-Identifier: GPL-3.0-or-later
// The published scaling of traffic statistics from 2 and 4 nodes to more (Yates 1997, appendix A):
// with p = x4/x2 - 1,
//	x8 = x4 (1 + p/4), x16 = x8 (1 + p/8), x32 = x16 (1 + p/16), x64 = x32 (1 + p/32),
//	x128 = x64 (1 + p/32).
// The last step repeats 32 where the sequence would have 64; this is kept, since the printed tables
// have it. Beyond 128 the sequence goes on as it began, each step from n to 2n dividing by n: x256
// = x128 (1 + p/128).
//
// Known value: pulses 24.5 and 10.5 give 9, 8.357143, 8.058673, 7.914769, 7.773433.
#ifndef GEN_SCALE_H
#define GEN_SCALE_H

#include <stdint.h>

#include "gen/families/pulse_train.h"
#include "trace/status.h"

// The statistic at nodes, a power of two from 2, from its values at 2 and 4 nodes. Where x2 is 0 no
// ratio exists and x4 is the answer.
double scale_statistic(double x2, double x4, uint64_t nodes);

// The same step by step: the value at 2n from that at n >= 4.
double scale_step(double at_n, double p, uint64_t n);

// A model for nodes from those fitted at 2 and 4. Scaled are the five statistics of each part; the
// rest (floor, header, shares, empirical sizes, which no rule covers) is the 4-node model's.
// TR_ERROR: the models are not of 2 and 4 nodes, nodes is no power of two from 2 to 65,536, or a
// part stands in one model only. *out is to be freed by pulse_model_clear.
enum tr_status scale_model(const struct pulse_model *at_2, const struct pulse_model *at_4, uint64_t nodes,
			   struct pulse_model *out, struct tr_error *err);

#endif
