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
	// Whether the input, which is at its begin, is of this format: TR_OK or TR_END; TR_ERROR: it cannot be read.
	// Nothing is stepped over.
	enum tr_status (*claims)(struct pk_input *in, struct tr_error *err);
	// Reads up to the first frame. NULL with err on failure.
	void *(*open)(struct pk_input *in, struct tr_error *err);
	// As pk_capture_read, but that *count frames may stand before an error.
	enum tr_status (*read)(void *state, struct pk_input *in, struct pk_frame *frames, size_t max, size_t *count,
			       struct tr_error *err);
	// Frames that the capture says it lost so far; false where it says nothing.
	bool (*lost)(const void *state, uint64_t *frames);
	void (*close)(void *state);
};

extern const struct pk_format pk_format_erf;
extern const struct pk_format pk_format_pcap;
extern const struct pk_format pk_format_pcapng;
extern const struct pk_format pk_format_snoop;

#endif
