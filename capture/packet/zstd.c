// SPDX-License-Identifier: GPL-3.0-or-later
// Zstandard (RFC 8878): any number of frames, skippable ones among them. Windows up to 128 MiB
// (the default limit of zstd).
#include "packet/checked_bytes.h"
#include "packet/unpack.h"

#include <stdlib.h>
#include <zstd.h>

struct zstd {
	ZSTD_DStream *stream;
	bool inside; // a frame has begun and not ended
};

static bool zstd_claims(const uint8_t *data, size_t size_bytes)
{
	const uint32_t magic = size_bytes < 4 ? 0 : pk_le32(data);

	return magic == 0xfd2fb528u || (magic & 0xfffffff0u) == 0x184d2a50u;
}

static void *zstd_open(void)
{
	struct zstd *zstd = calloc(1, sizeof(*zstd));

	if (zstd)
		zstd->stream = ZSTD_createDStream();
	if (zstd && zstd->stream)
		return zstd;
	free(zstd);
	return NULL;
}

static enum tr_status zstd_step(void *state, struct tr_piece *piece, struct tr_error *err)
{
	struct zstd *zstd = state;

	if (!piece->in_bytes && !zstd->inside)
		return TR_OK;
	do {
		ZSTD_inBuffer in = {piece->in, piece->in_bytes, 0};
		ZSTD_outBuffer out = {piece->out, piece->out_bytes, 0};
		const size_t hint = ZSTD_decompressStream(zstd->stream, &out, &in);

		piece->in += in.pos;
		piece->in_bytes -= in.pos;
		piece->out += out.pos;
		piece->out_bytes -= out.pos;
		if (ZSTD_isError(hint))
			return tr_fail(err, "%s", ZSTD_getErrorName(hint));
		zstd->inside = hint != 0;
	} while (piece->in_bytes && piece->out_bytes);
	return TR_OK;
}

static bool zstd_at_end(const void *state)
{
	return !((const struct zstd *)state)->inside;
}

static void zstd_close(void *state)
{
	struct zstd *zstd = state;

	(void)ZSTD_freeDStream(zstd->stream);
	free(zstd);
}

const struct pk_codec pk_codec_zstd = {
	"zstd", NULL, zstd_claims, zstd_open, zstd_step, zstd_at_end, zstd_close,
};
