// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of options that were put lately: inputs and destinations of a switch that have one too need not look for it among all.
#ifndef NET_TRAILS_RECENT_LISTS_H
#define NET_TRAILS_RECENT_LISTS_H

#include "net/choices.h"

#define NET_RECENT_LISTS 4096u // of them, a power of two
#define NET_RECENT_OPTIONS 12u // longer lists are not kept

struct net_recent_entry {
	uint32_t at; // the input's switch
	uint32_t input;
	uint32_t to;
};

// All zeros at first; options are those of the entry.
struct net_recent {
	struct net_recent_entry entry;
	uint32_t count; // 0: none yet
	struct net_option options[NET_RECENT_OPTIONS];
};

// As net_choices_put, for choices with one lane. recents are NET_RECENT_LISTS.
enum tr_status net_recent_put(struct net_recent *recents, struct net_choices *choices, struct net_recent_entry entry,
			      const struct net_option *options, uint32_t count, struct tr_error *err);

#endif
