// SPDX-License-Identifier: GPL-3.0-or-later
// The captures that the tests read: all formats, byte orders, units, link types, and damage to
// them.
#ifndef CAPTURES_CASES_H
#define CAPTURES_CASES_H

#include "captures/buffer.h"

#include <stdint.h>

// The expected result of a correct reader.
struct cm_facts {
	uint64_t frames;
	uint64_t wire_bytes;
	uint64_t decoded;
	uint64_t payload_bytes; // of the decoded
	uint64_t lost;
	int64_t first_ns; // earliest and latest; 0 if no frame has a time
	int64_t last_ns;
	bool damaged; // an error follows the frames
};

size_t cm_case_count(void);
const char *cm_case_name(size_t index);

// Whether libpcap reads it correctly, too.
bool cm_case_for_libpcap(size_t index);

// Makes case index: the same bytes for the same seed.
void cm_case_make(size_t index, uint64_t seed, struct cm_buffer *file, struct cm_facts *facts);

// Makes a file of about size_bytes bytes for measuring speed, calling write(context, data, size)
// with the pieces: "small" (64-byte frames of TCP), "mpi" (cut at 96 bytes, nanoseconds), "full"
// (64 to 1500 bytes). False for another kind.
bool cm_bench_make(const char *kind, uint64_t size_bytes,
		   void (*write)(void *context, const void *data, size_t size), void *context);

// Makes a file of count TCP connections that send one segment of 100 bytes and are idle then; every
// 16th frame is of one of four that go on, in turn, from 10.0.0.1 to 10.0.0.4 with segments of 157
// to 607 bytes. Frames are 0.2 ms apart.
void cm_idle_make(uint32_t count, void (*write)(void *context, const void *data, size_t size),
		  void *context);

#endif
