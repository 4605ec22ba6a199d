// SPDX-License-Identifier: GPL-3.0-or-later
// A mean that rules look at: of the latency or the throughput of the worms of a class, or of the
// bytes that the network carries in a time.
#ifndef REPLAY_RUN_MEAN_H
#define REPLAY_RUN_MEAN_H

#include "outcome.h"
#include "stat/steady.h"
#include "trace/status.h"

#define RUN_MEAN_ALL UINT8_MAX

enum run_mean_kind { RUN_MEAN_LATENCY, RUN_MEAN_THROUGHPUT, RUN_MEAN_CARRIED };

// Samples are the latency in ticks, the throughput in 1e-3 B/s, or the ticks since the delivery
// before, beside which stand the sizes.
struct run_mean {
	enum run_mean_kind kind;
	uint8_t class;	// enum tr_class, or RUN_MEAN_ALL
	double percent; // that is wanted of half the interval's width; 0: none
	uint64_t ticks_per_s;
	struct steady samples;
	struct steady sizes_mB; // carried: of the samples' worms
	int64_t last_ticks;	// carried: the last delivery
	bool begun;		// there was one
};

// Reads "[data|overhead] latency|throughput|carried PERCENT%" into an empty mean. TR_ERROR where it is
// something else.
enum tr_status run_mean_parse(struct run_mean *mean, const char *text, struct tr_error *err);

// "data latency", into out; returns it.
const char *run_mean_name(const struct run_mean *mean, char *out, size_t out_bytes);

// Whether the worm counts: delivered, and of the class. Adds it where it does.
bool run_mean_add(struct run_mean *mean, const struct outcome *outcome);

// What is known of the mean without the first skip samples.
struct steady_mean run_mean_get(const struct run_mean *mean, uint64_t skip, double level);

#endif
