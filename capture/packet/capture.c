// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/capture.h"
#include "packet/capture_input.h"

#include <stdlib.h>

#include "stream/recognise.h"

// ERF, which has no magic and needs to see more, comes last.
static const struct pk_format *const formats[] = {
	&pk_format_pcap,
	&pk_format_pcapng,
	&pk_format_snoop,
	&pk_format_erf,
};

#define MAGIC_BYTES 4u // of a format
#define EXPECTED "(pcap, pcapng, ERF, snoop; plain or packed by bzip2, gzip, lz4, xz or zstd)"

struct pk_capture {
	const struct pk_format *format;
	struct pk_input *in;
	void *state;
	enum tr_status status; // if not TR_OK: what every further call returns
	struct tr_error err;
};

static const struct pk_format *find_format(struct pk_input *in, struct tr_error *err)
{
	const char *name = pk_input_name(in);
	char hint[TR_RECOGNISE_HINT_BYTES];
	enum tr_status status;

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		status = formats[i]->claims(in, err);
		if (status != TR_END)
			return status == TR_OK ? formats[i] : NULL;
	}
	if (*tr_recognise(in->at, in->left, pk_input_packing(in), name, hint, sizeof(hint)))
		(void)tr_fail(err, "%s%s, not a capture", name, hint);
	else if (in->left < MAGIC_BYTES)
		(void)tr_fail(err, "%s: ends after %zu bytes, a capture was expected " EXPECTED,
			      name, in->left);
	else
		(void)tr_fail(
			err, "%s: begins with %02x %02x %02x %02x, not as a capture does " EXPECTED,
			name, in->at[0], in->at[1], in->at[2], in->at[3]);
	return NULL;
}

enum tr_status pk_capture_open(struct pk_capture **out, struct tr_source *source,
			       struct tr_error *err)
{
	struct pk_capture *capture = calloc(1, sizeof(*capture));

	*out = NULL;
	if (!capture) {
		(void)tr_no_memory(err, "%s", tr_source_name(source));
		tr_source_close(source);
		return TR_ERROR;
	}
	if (pk_input_open(&capture->in, source, err) == TR_OK)
		capture->format = find_format(capture->in, err);
	if (capture->format)
		capture->state = capture->format->open(capture->in, err);
	if (!capture->state) {
		pk_capture_close(capture);
		return TR_ERROR;
	}
	*out = capture;
	return TR_OK;
}

enum tr_status pk_capture_read(struct pk_capture *capture, struct pk_frame *frames, size_t max,
			       size_t *count, struct tr_error *err)
{
	*count = 0;
	if (capture->status == TR_OK)
		capture->status = capture->format->read(capture->state, capture->in, frames, max,
							count, &capture->err);
	if (*count) // return the frames before an error first
		return TR_OK;
	if (capture->status == TR_ERROR && err)
		*err = capture->err;
	return capture->status;
}

bool pk_capture_lost(const struct pk_capture *capture, uint64_t *frames)
{
	return capture->format->lost(capture->state, frames);
}

bool pk_capture_taken(const struct pk_capture *capture, uint64_t *taken_bytes, uint64_t *size_bytes)
{
	return pk_input_taken(capture->in, taken_bytes, size_bytes);
}

void pk_capture_read_ahead(struct pk_capture *capture)
{
	pk_input_read_ahead(capture->in);
}

void pk_capture_set_idle(struct pk_capture *capture, void (*idle)(void *context), void *context)
{
	pk_input_set_idle(capture->in, idle, context);
}

void pk_capture_close(struct pk_capture *capture)
{
	if (!capture)
		return;
	if (capture->state)
		capture->format->close(capture->state);
	pk_input_close(capture->in);
	free(capture);
}
