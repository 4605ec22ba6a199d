// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet_pack.h"

#ifdef FLIT_BZIP2
#include <bzlib.h>
#endif
#ifdef FLIT_LZ4
#include <lz4frame.h>
#endif
#ifdef FLIT_XZ
#include <lzma.h>
#endif
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#define PADDING 100u

static void add_gzip(struct cm_buffer *packed, const uint8_t *data, size_t size)
{
	z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)data, .avail_in = (uInt)size};
	uint8_t *out;

	if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	stream.avail_out = (uInt)deflateBound(&stream, size);
	out = malloc(stream.avail_out);
	stream.next_out = out;
	if (!out || deflate(&stream, Z_FINISH) != Z_STREAM_END)
		abort();
	cm_bytes(packed, out, stream.total_out);
	free(out);
	(void)deflateEnd(&stream);
}

static void add_zstd(struct cm_buffer *packed, const uint8_t *data, size_t size)
{
	const size_t bound = ZSTD_compressBound(size);
	ZSTD_CCtx *context = ZSTD_createCCtx();
	uint8_t *out = malloc(bound);
	size_t got;

	if (!context || !out)
		abort();
	(void)ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	got = ZSTD_compress2(context, out, bound, data, size);
	if (ZSTD_isError(got))
		abort();
	cm_bytes(packed, out, got);
	free(out);
	(void)ZSTD_freeCCtx(context);
}

static void add_skippable(struct cm_buffer *packed)
{
	cm_u32(packed, false, 0x184d2a53);
	cm_u32(packed, false, 11);
	cm_bytes(packed, "passed over", 11);
}

static bool add_bzip2(struct cm_buffer *packed, const uint8_t *data, size_t size)
{
#ifdef FLIT_BZIP2
	unsigned got = (unsigned)(size + size / 100 + 600); // what its manual asks for
	char *out = malloc(got);

	if (!out || BZ2_bzBuffToBuffCompress(out, &got, (char *)(uintptr_t)data, (unsigned)size, 1,
					     0, 0) != BZ_OK)
		abort();
	cm_bytes(packed, out, got);
	free(out);
	return true;
#else
	(void)packed, (void)data, (void)size;
	return false;
#endif
}

static bool add_lz4(struct cm_buffer *packed, const uint8_t *data, size_t size)
{
#ifdef FLIT_LZ4
	const LZ4F_preferences_t how = {
		.frameInfo = {.blockSizeID = LZ4F_max64KB,
			      .blockMode = LZ4F_blockLinked,
			      .contentChecksumFlag = LZ4F_contentChecksumEnabled,
			      .blockChecksumFlag = LZ4F_blockChecksumEnabled}};
	const size_t bound = LZ4F_compressFrameBound(size, &how);
	uint8_t *out = malloc(bound);
	const size_t got = out ? LZ4F_compressFrame(out, bound, data, size, &how) : 0;

	if (!out || LZ4F_isError(got))
		abort();
	cm_bytes(packed, out, got);
	free(out);
	return true;
#else
	(void)packed, (void)data, (void)size;
	return false;
#endif
}

static bool add_xz(struct cm_buffer *packed, const uint8_t *data, size_t size)
{
#ifdef FLIT_XZ
	const size_t bound = lzma_stream_buffer_bound(size);
	uint8_t *out = malloc(bound);
	size_t got = 0;

	if (!out || lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, data, size, out, &got,
					    bound) != LZMA_OK)
		abort();
	cm_bytes(packed, out, got);
	free(out);
	return true;
#else
	(void)packed, (void)data, (void)size;
	return false;
#endif
}

bool pack(struct cm_buffer *packed, const struct cm_buffer *file, enum pack_way way)
{
	const size_t half = file->size / 2;

	switch (way) {
	case PACK_BZIP2:
		return add_bzip2(packed, file->data, half) &&
		       add_bzip2(packed, file->data + half, file->size - half);
	case PACK_LZ4:
		if (!add_lz4(packed, file->data, half))
			return false;
		add_skippable(packed);
		return add_lz4(packed, file->data + half, file->size - half);
	case PACK_XZ:
		if (!add_xz(packed, file->data, half))
			return false;
		cm_fill(packed, 0, 8);
		return add_xz(packed, file->data + half, file->size - half);
	case PACK_GZIP: add_gzip(packed, file->data, file->size); break;
	case PACK_GZIP_MEMBERS:
		add_gzip(packed, file->data, half);
		add_gzip(packed, file->data + half, file->size - half);
		cm_fill(packed, 0, PADDING);
		break;
	case PACK_ZSTD: add_zstd(packed, file->data, file->size); break;
	case PACK_ZSTD_FRAMES:
		add_skippable(packed);
		add_zstd(packed, file->data, half);
		add_skippable(packed);
		add_zstd(packed, file->data + half, file->size - half);
		break;
	case PACK_WAYS: break;
	}
	return true;
}

bool pack_may_end(const struct cm_buffer *packed, enum pack_way way)
{
	// Only the padding of the members may be cut without loss.
	return way == PACK_GZIP_MEMBERS && packed->size > 0 && packed->data[packed->size - 1] == 0;
}
