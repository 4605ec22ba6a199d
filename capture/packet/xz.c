// SPDX-License-Identifier: GPL-3.0-or-later
// .xz: any number of streams; after each, zero bytes in fours are padding. Dictionaries up to 128
// MiB (xz -9 makes them of 64 MiB). The older .lzma has no magic and is not read.
#include "packet/unpack.h"

static bool xz_claims(const uint8_t *data, size_t size_bytes)
{
	return size_bytes >= 4 && data[0] == 0xfd && data[1] == '7' && data[2] == 'z' &&
	       data[3] == 'X';
}

#ifndef FLIT_XZ
const struct pk_codec pk_codec_xz = {.name = "xz", .claims = xz_claims, .missing = "liblzma"};
#else

#include <lzma.h>
#include <stdlib.h>

#define MEMORY_MAX ((uint64_t)130 << 20) // such a dictionary and the decoder's own memory
#define MIB ((uint64_t)1 << 20)

struct xz {
	lzma_stream stream;
	bool inside;
	unsigned padding_bytes; // since the last stream's end, modulo 4
};

static bool begin_stream(struct xz *xz)
{
	return lzma_stream_decoder(&xz->stream, MEMORY_MAX, LZMA_TELL_UNSUPPORTED_CHECK) == LZMA_OK;
}

static void *xz_open(void)
{
	struct xz *xz = calloc(1, sizeof(*xz));

	if (!xz)
		return NULL;
	xz->stream = (lzma_stream)LZMA_STREAM_INIT;
	xz->inside = true;
	if (begin_stream(xz))
		return xz;
	free(xz);
	return NULL;
}

// Between streams: the next one begins, or padding does.
static enum tr_status xz_between(struct xz *xz, struct tr_piece *piece, struct tr_error *err)
{
	if (*piece->in == 0) {
		xz->padding_bytes = (xz->padding_bytes + 1) % 4;
		piece->in++;
		piece->in_bytes--;
		return TR_OK;
	}
	if (xz->padding_bytes || *piece->in != 0xfd)
		return tr_fail(err, "bytes after the end of the compressed data");
	xz->inside = begin_stream(xz);
	return xz->inside ? TR_OK : tr_no_memory(err, "xz");
}

static enum tr_status xz_refuse(const struct xz *xz, lzma_ret result, struct tr_error *err)
{
	switch (result) {
	case LZMA_MEM_ERROR: return tr_no_memory(err, "xz");
	case LZMA_MEMLIMIT_ERROR:
		return tr_fail(err, "decompression needs %llu MiB; at most %llu are allowed",
			       (unsigned long long)(lzma_memusage(&xz->stream) / MIB),
			       (unsigned long long)(MEMORY_MAX / MIB));
	case LZMA_UNSUPPORTED_CHECK:
	case LZMA_OPTIONS_ERROR: return tr_fail(err, "a check or filter unknown to liblzma");
	case LZMA_FORMAT_ERROR: return tr_fail(err, "no stream begins here");
	default: return tr_fail(err, "damaged");
	}
}

static enum tr_status xz_inside(struct xz *xz, struct tr_piece *piece, struct tr_error *err)
{
	lzma_stream *stream = &xz->stream;
	lzma_ret result;

	stream->next_in = piece->in;
	stream->avail_in = piece->in_bytes;
	stream->next_out = piece->out;
	stream->avail_out = piece->out_bytes;
	result = lzma_code(stream, LZMA_RUN);
	piece->in = stream->next_in;
	piece->in_bytes = stream->avail_in;
	piece->out = stream->next_out;
	piece->out_bytes = stream->avail_out;
	if (result == LZMA_STREAM_END)
		xz->inside = false;
	else if (result != LZMA_OK && result != LZMA_BUF_ERROR)
		return xz_refuse(xz, result, err);
	return TR_OK;
}

static enum tr_status xz_step(void *state, struct tr_piece *piece, struct tr_error *err)
{
	struct xz *xz = state;
	enum tr_status status = TR_OK;

	if (!piece->in_bytes && xz->inside) // output that the decoder still holds
		return xz_inside(xz, piece, err);
	while (status == TR_OK && piece->in_bytes && piece->out_bytes)
		status = xz->inside ? xz_inside(xz, piece, err) : xz_between(xz, piece, err);
	return status;
}

static bool xz_at_end(const void *state)
{
	const struct xz *xz = state;

	return !xz->inside && xz->padding_bytes == 0;
}

static void xz_close(void *state)
{
	struct xz *xz = state;

	lzma_end(&xz->stream);
	free(xz);
}

const struct pk_codec pk_codec_xz = {
	"xz", NULL, xz_claims, xz_open, xz_step, xz_at_end, xz_close,
};
#endif
