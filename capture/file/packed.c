// SPDX-License-Identifier: GPL-3.0-or-later
#include "file/packed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define LEVEL 3
#define IN_BYTES ((size_t)128 << 10)

// ---- packing

struct tr_packer {
	int fd;
	ZSTD_CCtx *zstd;
	uint8_t *out;
	size_t out_bytes;
};

struct tr_packer *tr_packer_open(int fd)
{
	struct tr_packer *packer = calloc(1, sizeof(*packer));

	if (!packer)
		return NULL;
	packer->fd = fd;
	packer->out_bytes = ZSTD_CStreamOutSize();
	packer->out = malloc(packer->out_bytes);
	packer->zstd = ZSTD_createCCtx();
	if (packer->out && packer->zstd &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_compressionLevel, LEVEL)) &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_checksumFlag, 1)))
		return packer;
	tr_packer_close(packer);
	return NULL;
}

static bool write_out(const struct tr_packer *packer, size_t bytes)
{
	const uint8_t *at = packer->out;

	while (bytes > 0) {
		ssize_t put = write(packer->fd, at, bytes);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		at += put;
		bytes -= (size_t)put;
	}
	return true;
}

bool tr_packer_put(struct tr_packer *packer, const void *data, size_t bytes,
		   enum tr_packer_until until)
{
	static const ZSTD_EndDirective directives[] = {
		[TR_PACKER_WHENEVER] = ZSTD_e_continue,
		[TR_PACKER_NOW] = ZSTD_e_flush,
		[TR_PACKER_END] = ZSTD_e_end,
	};
	ZSTD_inBuffer in = {data, bytes, 0};
	size_t left;

	do {
		ZSTD_outBuffer out = {packer->out, packer->out_bytes, 0};

		left = ZSTD_compressStream2(packer->zstd, &out, &in, directives[until]);
		if (ZSTD_isError(left)) {
			errno = ENOMEM; // there is no other reason
			return false;
		}
		if (!write_out(packer, out.pos))
			return false;
	} while (until == TR_PACKER_WHENEVER ? in.pos < in.size : left > 0);
	return true;
}

void tr_packer_close(struct tr_packer *packer)
{
	if (!packer)
		return;
	(void)ZSTD_freeCCtx(packer->zstd);
	free(packer->out);
	free(packer);
}

// ---- unpacking

struct tr_unpacker {
	ZSTD_DStream *zstd;
	uint8_t *in;
	size_t begin, end; // what is not yet unpacked
	uint64_t used;
	bool inside; // a frame has begun and not ended
};

bool tr_packed_begins(const uint8_t *data, size_t bytes)
{
	static const uint8_t frame[TR_PACKED_MAGIC_BYTES] = {0x28, 0xb5, 0x2f, 0xfd};
	static const uint8_t skippable[TR_PACKED_MAGIC_BYTES] = {0x50, 0x2a, 0x4d,
								 0x18}; // 0x50 to 0x5f

	if (bytes > TR_PACKED_MAGIC_BYTES)
		bytes = TR_PACKED_MAGIC_BYTES;
	return memcmp(data, frame, bytes) == 0 || (bytes > 0 && (data[0] & 0xf0) == skippable[0] &&
						   memcmp(data + 1, skippable + 1, bytes - 1) == 0);
}

struct tr_unpacker *tr_unpacker_open(void)
{
	struct tr_unpacker *unpacker = calloc(1, sizeof(*unpacker));

	if (!unpacker)
		return NULL;
	unpacker->in = malloc(IN_BYTES);
	unpacker->zstd = ZSTD_createDStream();
	if (unpacker->in && unpacker->zstd)
		return unpacker;
	tr_unpacker_close(unpacker);
	return NULL;
}

uint8_t *tr_unpacker_room(struct tr_unpacker *unpacker, size_t *room)
{
	if (unpacker->begin == unpacker->end)
		unpacker->begin = unpacker->end = 0;
	*room = IN_BYTES - unpacker->end;
	return unpacker->in + unpacker->end;
}

void tr_unpacker_took(struct tr_unpacker *unpacker, size_t bytes)
{
	unpacker->end += bytes;
}

enum tr_status tr_unpacker_step(struct tr_unpacker *unpacker, uint8_t *out, size_t out_bytes,
				size_t *made, struct tr_error *err)
{
	ZSTD_inBuffer in = {unpacker->in, unpacker->end, unpacker->begin};
	ZSTD_outBuffer to = {out, out_bytes, 0};
	size_t hint;

	*made = 0;
	if (in.pos == in.size && !unpacker->inside)
		return TR_OK; // called between frames, zstd would start a new one
	do {
		const size_t before = in.pos;

		hint = ZSTD_decompressStream(unpacker->zstd, &to, &in);
		if (ZSTD_isError(hint))
			return tr_fail(err, "%s", ZSTD_getErrorName(hint));
		unpacker->used += in.pos - before;
		unpacker->inside = hint != 0;
	} while (in.pos < in.size && to.pos == 0);
	unpacker->begin = in.pos;
	*made = to.pos;
	return TR_OK;
}

uint64_t tr_unpacker_used(const struct tr_unpacker *unpacker)
{
	return unpacker->used;
}

bool tr_unpacker_at_end(const struct tr_unpacker *unpacker)
{
	return !unpacker->inside;
}

void tr_unpacker_close(struct tr_unpacker *unpacker)
{
	if (!unpacker)
		return;
	(void)ZSTD_freeDStream(unpacker->zstd);
	free(unpacker->in);
	free(unpacker);
}
