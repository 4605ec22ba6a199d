// SPDX-License-Identifier: GPL-3.0-or-later
// Capture file formats: one row each.
#ifndef PACKET_FORMAT_H
#define PACKET_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/frame.h"
#include "packet/input.h"
#include "trace/status.h"

struct pk_format {
	const char *name;
	// Whether a file that begins with the four bytes at magic is of this format.
	bool (*claims)(const uint8_t *magic);
	// Reads up to the first frame. NULL with err on failure.
	void *(*open)(struct pk_input *in, struct tr_error *err);
	// As pk_capture_next.
	enum tr_status (*next)(void *state, struct pk_input *in, struct pk_frame *frame,
			       struct tr_error *err);
	// Frames that the capture says it lost so far; false where it says nothing.
	bool (*lost)(const void *state, uint64_t *frames);
	void (*close)(void *state);
};

extern const struct pk_format pk_format_pcap;
extern const struct pk_format pk_format_pcapng;

#endif
