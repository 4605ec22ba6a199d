// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/codec.h"

static const struct pk_codec *const codecs[] = {
	&pk_codec_bzip2, &pk_codec_gzip, &pk_codec_lz4, &pk_codec_xz, &pk_codec_zstd,
};

const struct pk_codec *pk_codec_find(const uint8_t *data, size_t size_bytes)
{
	for (size_t i = 0; i < sizeof(codecs) / sizeof(*codecs); i++)
		if (codecs[i]->claims(data, size_bytes))
			return codecs[i];
	return NULL;
}
