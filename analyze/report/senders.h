// SPDX-License-Identifier: GPL-3.0-or-later
// Who sent what: the bursts of each node and class, the traffic matrix, and which node leads.
#ifndef REPORT_SENDERS_H
#define REPORT_SENDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/burst.h"
#include "stat/matrix.h"
#include "stat/role.h"
#include "stat/window_search.h"
#include "trace/names.h"
#include "trace/record.h"
#include "trace/status.h"

#define SENDERS_CLASSES 3u    // by enum tr_class
#define SENDERS_NODES 1024u   // whose bursts are kept; packets of others are counted in left_out
#define SENDERS_PAIRS 1048576u

struct sender {
	struct burst *bursts[SENDERS_CLASSES]; // NULL: it sent none of the class
};

// Memory: 100 KB for each node and class that sends, 48 bytes a pair.
struct senders {
	struct burst_windows windows; // .05 to 5 s by .025 s, as in Yates 1997
	struct sender *nodes;         // by id
	size_t node_count;
	struct matrix matrix; // of payload bytes
	struct role_finder finder;
	uint64_t left_out;
};

// Starts an empty one, which must not move.
enum tr_status senders_open(struct senders *senders, uint64_t ticks_per_s, struct tr_error *err);

// Adds a packet; times must not step back.
enum tr_status senders_add(struct senders *senders, const struct tr_packet *packet,
			   struct tr_error *err);

// The window that the rule of window_search finds over all streams: *chosen and true; else the one of 1 s and false.
bool senders_window(const struct senders *senders, struct window_curve *curve, size_t *chosen);

// Bursts by window number window, of all nodes whose role (roles[node]) and class are these; *streams is
// how many there are.
struct burst_statistics senders_bursts(const struct senders *senders, const enum tr_role *roles,
				       enum tr_role role, unsigned class, size_t window,
				       size_t *streams);

void senders_close(struct senders *senders);

#endif
