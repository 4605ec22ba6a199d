// SPDX-License-Identifier: GPL-3.0-or-later
// gzip (RFC 1952): any number of members; zero bytes after the last are padding.
#include "file/gzip.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

enum gzip_place { BETWEEN, INSIDE, PADDING };

struct gzip {
	z_stream stream;
	enum gzip_place place;
};

bool tr_gzip_claims(const uint8_t *data, size_t size_bytes)
{
	return size_bytes >= 3 && data[0] == 0x1f && data[1] == 0x8b && data[2] == 8;
}

void *tr_gzip_open(void)
{
	struct gzip *gzip = calloc(1, sizeof(*gzip));

	if (gzip && inflateInit2(&gzip->stream, 15 + 16) == Z_OK) // 32 KiB window, gzip wrapper
		return gzip;
	free(gzip);
	return NULL;
}

static unsigned gzip_clip(size_t size)
{
	return size > UINT_MAX ? UINT_MAX : (unsigned)size;
}

// Between members: the next one begins, or padding does.
static enum tr_status gzip_between(struct gzip *gzip, struct tr_piece *piece, struct tr_error *err)
{
	if (*piece->in == 0) {
		gzip->place = PADDING;
	} else if (gzip->place == PADDING || *piece->in != 0x1f) {
		return tr_fail(err, "bytes after the end of the compressed data");
	} else {
		gzip->place = INSIDE;
		(void)inflateReset(&gzip->stream);
		return TR_OK;
	}
	piece->in++;
	piece->in_bytes--;
	return TR_OK;
}

static enum tr_status gzip_inside(struct gzip *gzip, struct tr_piece *piece, struct tr_error *err)
{
	z_stream *stream = &gzip->stream;
	int result;

	stream->next_in = (z_const Bytef *)(uintptr_t)piece->in;
	stream->avail_in = gzip_clip(piece->in_bytes);
	stream->next_out = piece->out;
	stream->avail_out = gzip_clip(piece->out_bytes);
	result = inflate(stream, Z_NO_FLUSH);
	piece->in_bytes -= (size_t)(stream->next_in - piece->in);
	piece->in = stream->next_in;
	piece->out_bytes -= (size_t)(stream->next_out - piece->out);
	piece->out = stream->next_out;
	if (result == Z_STREAM_END)
		gzip->place = BETWEEN;
	else if (result != Z_OK && result != Z_BUF_ERROR)
		return tr_fail(err, "%s", stream->msg ? stream->msg : "damaged");
	return TR_OK;
}

enum tr_status tr_gzip_step(void *state, struct tr_piece *piece, struct tr_error *err)
{
	struct gzip *gzip = state;
	enum tr_status status = TR_OK;

	if (!piece->in_bytes && gzip->place == INSIDE) // output that inflate still holds
		return gzip_inside(gzip, piece, err);
	while (status == TR_OK && piece->in_bytes && piece->out_bytes)
		status = gzip->place == INSIDE ? gzip_inside(gzip, piece, err)
					       : gzip_between(gzip, piece, err);
	return status;
}

bool tr_gzip_at_end(const void *state)
{
	return ((const struct gzip *)state)->place != INSIDE;
}

void tr_gzip_close(void *state)
{
	struct gzip *gzip = state;

	(void)inflateEnd(&gzip->stream);
	free(gzip);
}
