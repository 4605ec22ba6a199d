// SPDX-License-Identifier: GPL-3.0-or-later
// A model at work for as long as the traffic that it is held against.
#ifndef GEN_JUDGE_REPLICATE_H
#define GEN_JUDGE_REPLICATE_H

#include "stat/packet_sample.h"
#include "trace/model.h"

#define JUDGE_REPLICATE_FACTOR 8u // a model that makes more than so many times the packets is no match

// Fills in the model's packets with this seed, for the time and in the ticks of like; *out is to be cleared by
// packet_sample_clear. TR_ERROR: it cannot be generated, it makes JUDGE_REPLICATE_FACTOR times the packets (and 1,000), or
// memory ends.
enum tr_status judge_replicate(const struct model *text, const struct packet_sample *like, uint64_t seed,
			       struct packet_sample *out, struct tr_error *err);

#endif
