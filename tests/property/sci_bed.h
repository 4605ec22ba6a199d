// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of the engines of SCI networks: a list of messages in, the fate of each out.
#ifndef TESTS_SCI_BED_H
#define TESTS_SCI_BED_H

#include "net/studies/sci/sci_run.h"

#define MESSAGES 8192u
#define SAMPLES 131072u
#define NS INT64_C(1000000000)

struct message {
	int64_t time_ticks;
	uint32_t source;
	uint32_t destination;
	uint32_t size_bytes;
};

struct fate {
	int64_t ticks; // delivered, or in flight at the end
	int64_t created_ticks;
	int64_t started_ticks;
	int64_t injected_ticks;
	int64_t head_ticks;
	int64_t received_ticks;
	uint32_t hops;
	uint32_t turn; // in the order of results, from 1
	uint8_t status;
};

struct bed {
	struct net_topology topology;
	struct sci_rings rings;
	struct sci_params params;
	uint64_t ticks_per_s;
	struct message *messages;
	uint32_t count;
	uint32_t taken;
	struct fate *fates;
	uint32_t told;
	int64_t stop_ticks;  // INT64_MAX: not cut
	int64_t width_ticks; // of samples; 0: none
	struct tr_link *samples;
	uint32_t sample_count;
};

// The fast one and the plain one.
extern const struct net_engine *const sci_engines[2];

// A network, the usual parameters, and room for MESSAGES messages and SAMPLES samples of links;
// fails the test if it cannot.
void sci_bed_open(struct bed *bed, const char *network);
void sci_bed_close(struct bed *bed);

// Runs the messages and fills in the fates and the samples; fails the test if the engine fails.
struct net_totals sci_bed_run(struct bed *bed, const struct net_engine *engine, uint64_t shuffle);

// The time of one message alone, by the closed forms; transaction: with the response, which is of
// one packet.
double sci_bed_closed_ns(const struct bed *bed, const struct message *message, bool transaction);

#endif
