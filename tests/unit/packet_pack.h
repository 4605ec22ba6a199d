// SPDX-License-Identifier: GPL-3.0-or-later
// Compresses bytes in the ways found in capture files.
#ifndef PACKET_PACK_H
#define PACKET_PACK_H

#include "captures/buffer.h"

enum pack_way {
	PACK_GZIP,	   // one member
	PACK_GZIP_MEMBERS, // two, and zero bytes after them
	PACK_ZSTD,	   // one frame, with a checksum
	PACK_ZSTD_FRAMES,  // a skippable frame, then two with another skippable one between
	PACK_BZIP2,	   // two streams
	PACK_LZ4, // two frames of small linked blocks with checksums, a skippable one between
	PACK_XZ,  // two streams, and padding between
	PACK_WAYS
};

// Appends the compressed file to *packed; false if the build lacks the library.
bool pack(struct cm_buffer *packed, const struct cm_buffer *file, enum pack_way way);

// Whether a stream of this kind that was cut at packed->size could be complete.
bool pack_may_end(const struct cm_buffer *packed, enum pack_way way);

#endif
