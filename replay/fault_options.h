// SPDX-License-Identifier: GPL-3.0-or-later
// Faults as options name them: "link:host0-switch0.3@1ms..2ms", "host:host0@1ms..",
// "switch:switch0@..5ms". A link is both directions of the cable between two ends, in either order; a
// switch is all its cables.
#ifndef REPLAY_FAULT_OPTIONS_H
#define REPLAY_FAULT_OPTIONS_H

#include "net/engine.h"
#include "trace/opt.h"

struct fault_list {
	struct net_fault *faults;
	uint32_t count;
};

// Reads all words; times are rounded to ticks of the simulation. TR_ERROR where one is malformed or
// names what the network has not; the list is then empty. Free it with fault_list_close.
enum tr_status fault_list_open(struct fault_list *list, const struct opt_list *words, const struct net_topology *topology,
			       uint64_t ticks_per_s, struct tr_error *err);

void fault_list_close(struct fault_list *list);

// Reads "FROM..TO" of length bytes: either may be missing and leaves what was there. TR_ERROR, with
// the text, where it is something else.
enum tr_status fault_window(const char *text, uint64_t ticks_per_s, int64_t *from_ticks, int64_t *to_ticks,
			    struct tr_error *err);

#endif
