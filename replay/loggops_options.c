// SPDX-License-Identifier: GPL-3.0-or-later
#include "loggops_options.h"

#include <stddef.h>

#include "net/fabric.h"

#define KEY(name, type, member, meaning) \
	{ \
		name, type, offsetof(struct loggops_options, member), NULL, NULL, meaning \
	}

static const struct key keys[] = {
	KEY("o", KEY_TIME, overhead_s, "overhead: processor time for each message sent or received"),
	KEY("O", KEY_TIME, byte_overhead_s, "and for each byte of it behind the first"),
	KEY("g", KEY_TIME, gap_s, "gap: least time from one message to the next of an interface"),
	KEY("G", KEY_TIME, byte_gap_s, "and for each byte behind the first"),
	KEY("S", KEY_BYTES, eager_bytes, "largest message that is sent without asking (eager)"),
	{.type = KEY_END},
};

static const struct loggops_options usual = {.overhead_s = {0, 1},
					     .byte_overhead_s = {0, 1},
					     .gap_s = {0, 1},
					     .byte_gap_s = {0, 1},
					     .eager_bytes = 65535};

const struct key_kind loggops_keys = {"loggops", "--loggops list", keys, net_presets, &usual};
