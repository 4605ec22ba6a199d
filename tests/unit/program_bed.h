// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of programs: a GOAL text run over a network, and its results. Times are in ns.
#ifndef TESTS_PROGRAM_BED_H
#define TESTS_PROGRAM_BED_H

#include <stddef.h>

#include "net/ideal.h"
#include "net/myrinet/params.h"
#include "program/program.h"

#define BED_NS 36
#define BED_RECORDS 4096

struct program_bed {
	struct goal_program goal;
	struct program_params params;
	struct program *program;
	struct program_totals totals;
	struct net_totals net;
	struct net_ideal ideal;
	struct myr_params myrinet;
	const uint32_t *host_of;
	const char *engine; // of a Myrinet; default "reference"
	// Whether the network loses the packet; asked once for each that enters. NULL: none is
	// lost.
	bool (*loses)(void *context, const struct net_offer *offer);
	void *loses_context;
	struct net_traffic traffic; // of the program
	uint64_t asked_id;	    // the last packet asked about, and the answer
	int64_t asked_ticks;
	bool asked, lost;
	struct tr_delivery deliveries[BED_RECORDS];
	size_t delivery_count;
	struct tr_message messages[BED_RECORDS];
	size_t message_count;
	struct tr_error err;
};

// All overheads zero, S = 65535, an MTU of 8192, a window of 999; the network has a latency of 1000
// ns. Fails the test if the text is invalid.
void program_bed_open(struct program_bed *bed, const char *text);

// The same from a file; false if it does not exist.
bool program_bed_open_file(struct program_bed *bed, const char *path);

// Sets o, g, O and G (ns).
void program_bed_set(struct program_bed *bed, int64_t o, int64_t g, int64_t O, int64_t G);

// Runs over the ideal network, or a Myrinet on the topology named.
enum tr_status program_bed_run(struct program_bed *bed, const char *topology);

// When the rank finished, in ns; fails the test if that is not whole.
int64_t program_bed_finish(const struct program_bed *bed, uint32_t rank);

// Frees all; may be called twice.
void program_bed_close(struct program_bed *bed);

#endif
