// SPDX-License-Identifier: GPL-3.0-or-later
// bzip2: any number of streams, one after the other.
#include "packet/unpack.h"

static bool bzip2_claims(const uint8_t *data, size_t size_bytes)
{
	return size_bytes >= 4 && data[0] == 'B' && data[1] == 'Z' && data[2] == 'h' &&
	       data[3] >= '1' && data[3] <= '9';
}

#ifndef FLIT_BZIP2
const struct pk_codec pk_codec_bzip2 = {.name = "bzip2",
					.claims = bzip2_claims,
					.missing = "libbz2"};
#else

#include <bzlib.h>
#include <limits.h>
#include <stdlib.h>

struct bzip2 {
	bz_stream stream;
	bool inside; // the stream is initialised
};

static void *bzip2_open(void)
{
	return calloc(1, sizeof(struct bzip2));
}

static unsigned clip(size_t size)
{
	return size > UINT_MAX ? UINT_MAX : (unsigned)size;
}

// Before and between streams: the next one begins.
static enum tr_status bzip2_between(struct bzip2 *bzip2, const struct tr_piece *piece,
				    struct tr_error *err)
{
	if (*piece->in != 'B')
		return tr_fail(err, "bytes after the end of the compressed data");
	bzip2->stream = (bz_stream){.opaque = NULL};
	if (BZ2_bzDecompressInit(&bzip2->stream, 0, 0) != BZ_OK)
		return tr_no_memory(err, "bzip2");
	bzip2->inside = true;
	return TR_OK;
}

static enum tr_status bzip2_inside(struct bzip2 *bzip2, struct tr_piece *piece,
				   struct tr_error *err)
{
	bz_stream *stream = &bzip2->stream;
	const unsigned in_bytes = clip(piece->in_bytes), out_bytes = clip(piece->out_bytes);
	int result;

	stream->next_in = (char *)(uintptr_t)piece->in;
	stream->avail_in = in_bytes;
	stream->next_out = (char *)piece->out;
	stream->avail_out = out_bytes;
	result = BZ2_bzDecompress(stream);
	piece->in += in_bytes - stream->avail_in;
	piece->in_bytes -= in_bytes - stream->avail_in;
	piece->out += out_bytes - stream->avail_out;
	piece->out_bytes -= out_bytes - stream->avail_out;
	if (result == BZ_OK)
		return TR_OK;
	if (result == BZ_STREAM_END) {
		(void)BZ2_bzDecompressEnd(stream);
		bzip2->inside = false;
		return TR_OK;
	}
	if (result == BZ_MEM_ERROR)
		return tr_no_memory(err, "bzip2");
	return tr_fail(err, "%s",
		       result == BZ_DATA_ERROR_MAGIC ? "no stream begins here" : "damaged");
}

static enum tr_status bzip2_step(void *state, struct tr_piece *piece, struct tr_error *err)
{
	struct bzip2 *bzip2 = state;
	enum tr_status status = TR_OK;

	if (!piece->in_bytes && bzip2->inside) // output that the decoder still holds
		return bzip2_inside(bzip2, piece, err);
	while (status == TR_OK && piece->in_bytes && piece->out_bytes)
		status = bzip2->inside ? bzip2_inside(bzip2, piece, err)
				       : bzip2_between(bzip2, piece, err);
	return status;
}

static bool bzip2_at_end(const void *state)
{
	return !((const struct bzip2 *)state)->inside;
}

static void bzip2_close(void *state)
{
	struct bzip2 *bzip2 = state;

	if (bzip2->inside)
		(void)BZ2_bzDecompressEnd(&bzip2->stream);
	free(bzip2);
}

const struct pk_codec pk_codec_bzip2 = {
	"bzip2", NULL, bzip2_claims, bzip2_open, bzip2_step, bzip2_at_end, bzip2_close,
};
#endif
