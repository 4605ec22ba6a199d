// SPDX-License-Identifier: GPL-3.0-or-later
// A mean that rules look at: of the latency or the throughput of the worms of a class.
#ifndef REPLAY_RUN_MEAN_H
#define REPLAY_RUN_MEAN_H

#include "outcome.h"
#include "stat/steady.h"
#include "trace/status.h"

#define RUN_MEAN_ALL UINT8_MAX

enum run_mean_kind { RUN_MEAN_LATENCY, RUN_MEAN_THROUGHPUT };

// Latency in ticks, throughput in 1e-3 B/s.
struct run_mean {
	enum run_mean_kind kind;
	uint8_t class; // enum tr_class, or RUN_MEAN_ALL
	double percent; // that is wanted of half the interval's width; 0: none
	uint64_t ticks_per_s;
	struct steady samples;
};

// Reads "[data|overhead] latency|throughput PERCENT%" into an empty mean. TR_ERROR where it is
// something else.
enum tr_status run_mean_parse(struct run_mean *mean, const char *text, struct tr_error *err);

// "data latency", into out; returns it.
const char *run_mean_name(const struct run_mean *mean, char *out, size_t out_bytes);

// Whether the worm counts: delivered, and of the class. Adds it where it does.
bool run_mean_add(struct run_mean *mean, const struct outcome *outcome);

#endif
