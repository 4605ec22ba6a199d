// SPDX-License-Identifier: GPL-3.0-or-later
// lz4: any number of frames, skippable ones among them; a file that begins with a skippable one
// counts as zstd, which has the same. Blocks have at most 4 MiB. The legacy frame (lz4 -l) has
// neither checksums nor an end mark, so a cut one would look whole: it is refused by name.
#include "packet/checked_bytes.h"
#include "packet/unpack.h"

#define FRAME 0x184d2204u
#define LEGACY_FRAME 0x184c2102u

static bool lz4_claims(const uint8_t *data, size_t size_bytes)
{
	const uint32_t magic = size_bytes < 4 ? 0 : pk_le32(data);

	return magic == FRAME || magic == LEGACY_FRAME;
}

#ifndef FLIT_LZ4
const struct pk_codec pk_codec_lz4 = {.name = "lz4", .claims = lz4_claims, .missing = "liblz4"};
#else

#include <lz4frame.h>
#include <stdlib.h>

struct lz4 {
	LZ4F_dctx *context;
	bool inside; // a frame has begun and not ended
};

static void *lz4_open(void)
{
	struct lz4 *lz4 = calloc(1, sizeof(*lz4));

	if (lz4 && !LZ4F_isError(LZ4F_createDecompressionContext(&lz4->context, LZ4F_VERSION)))
		return lz4;
	free(lz4);
	return NULL;
}

static enum tr_status lz4_refuse(size_t code, struct tr_error *err)
{
	static const char prefix[] = "ERROR_";
	const char *name = LZ4F_getErrorName(code);

	if (strncmp(name, prefix, sizeof(prefix) - 1) == 0)
		name += sizeof(prefix) - 1;
	return tr_fail(err, "%s", name);
}

static enum tr_status lz4_step(void *state, struct tr_piece *piece, struct tr_error *err)
{
	struct lz4 *lz4 = state;

	if (!piece->in_bytes && !lz4->inside)
		return TR_OK;
	if (!lz4->inside && piece->in_bytes >= 4 && pk_le32(piece->in) == LEGACY_FRAME)
		return tr_fail(err, "a legacy frame has no end mark; decompress it with lz4 -d");
	do {
		size_t in_bytes = piece->in_bytes, out_bytes = piece->out_bytes;
		const size_t hint = LZ4F_decompress(lz4->context, piece->out, &out_bytes, piece->in,
						    &in_bytes, NULL);

		if (LZ4F_isError(hint))
			return lz4_refuse(hint, err);
		piece->in += in_bytes;
		piece->in_bytes -= in_bytes;
		piece->out += out_bytes;
		piece->out_bytes -= out_bytes;
		lz4->inside = hint != 0;
	} while (piece->in_bytes && piece->out_bytes);
	return TR_OK;
}

static bool lz4_at_end(const void *state)
{
	return !((const struct lz4 *)state)->inside;
}

static void lz4_close(void *state)
{
	struct lz4 *lz4 = state;

	(void)LZ4F_freeDecompressionContext(lz4->context);
	free(lz4);
}

const struct pk_codec pk_codec_lz4 = {
	"lz4", NULL, lz4_claims, lz4_open, lz4_step, lz4_at_end, lz4_close,
};
#endif
