// SPDX-License-Identifier: GPL-3.0-or-later
// A capture file of any bytes, plain or compressed: whatever is read satisfies packet/capture.h,
// and is decoded.
#include <stdlib.h>
#include <string.h>

#include "packet/capture.h"
#include "packet/decode.h"
#include "packet/seen_twice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

#define FRAMES_MAX 100000u // of a packed bomb

static void promise(bool kept)
{
	if (!kept)
		abort();
}

// Every byte that is lent can be read.
static unsigned sum(const struct pk_frame *frame)
{
	unsigned total = 0;

	for (uint32_t i = 0; i < frame->captured_bytes; i++)
		total += frame->data[i];
	return total;
}

static void look_at(const struct pk_frame *frame, struct pk_copies *copies)
{
	struct pk_packet packet;
	volatile unsigned total = sum(frame);

	(void)total;
	promise(frame->captured_bytes <= PK_FRAME_BYTES_MAX);
	promise(frame->link);
	if (pk_decode(frame, false, &packet) != PK_DECODED)
		return;
	promise(packet.flow.family == PK_IPV4 || packet.flow.family == PK_IPV6 ||
		packet.flow.family == PK_LID);
	promise(packet.payload_bytes <= packet.wire_bytes);
	(void)pk_copies_take(copies, frame, &packet);
}

static void read_frames(struct pk_capture *capture)
{
	struct pk_copies *copies = pk_copies_new(PK_COPIES_WINDOW_NS, true, UINT64_MAX);
	struct pk_frame frames[PK_FRAMES_MAX];
	enum tr_status status;
	size_t count, total = 0;
	struct tr_error err;
	uint64_t lost;

	promise(copies);
	while ((status = pk_capture_read(capture, frames, PK_FRAMES_MAX, &count, &err)) == TR_OK &&
	       total < FRAMES_MAX) {
		promise(count > 0 && count <= PK_FRAMES_MAX);
		for (size_t i = 0; i < count; i++)
			look_at(&frames[i], copies);
		total += count;
	}
	if (status != TR_OK) // stays
		promise(pk_capture_read(capture, frames, 1, &count, &err) == status && count == 0);
	promise(status != TR_ERROR || strstr(err.text, "fuzz"));
	(void)pk_capture_lost(capture, &lost);
	pk_copies_free(copies);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct tr_source *source;
	struct pk_capture *capture;
	struct tr_error err = {""};

	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", &err) == TR_OK);
	if (pk_capture_open(&capture, source, &err) == TR_OK) {
		read_frames(capture);
		pk_capture_close(capture);
	} else {
		promise(!capture && strstr(err.text, "fuzz"));
	}
	return 0;
}
