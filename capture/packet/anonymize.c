// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/anonymize.h"

#include <nettle/aes.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES AES_BLOCK_SIZE

struct pk_anonymizer {
	struct aes128_ctx aes;
	uint8_t pad[BLOCK_BYTES];
};

struct pk_anonymizer *pk_anonymizer_new(const uint8_t secret[PK_SECRET_BYTES])
{
	struct pk_anonymizer *anonymizer = calloc(1, sizeof(*anonymizer));

	if (!anonymizer)
		return NULL;
	aes128_set_encrypt_key(&anonymizer->aes, secret);
	aes128_encrypt(&anonymizer->aes, BLOCK_BYTES, anonymizer->pad, secret + BLOCK_BYTES);
	return anonymizer;
}

// Bit i of the image is bit i of the address, turned over where the first bit of the cipher of the
// address' first i bits, filled up from the padding, is set.
void pk_anonymize(const struct pk_anonymizer *anonymizer, struct pk_address *address)
{
	const unsigned bits = address->family == PK_IPV4  ? 32
			      : address->family == PK_MAC ? 48
			      : address->family == PK_LID ? 16
							  : 128;
	uint8_t flips[16] = {0};
	uint8_t input[BLOCK_BYTES], output[BLOCK_BYTES];

	memcpy(input, anonymizer->pad, sizeof(input));
	for (unsigned i = 0; i < bits; i++) {
		const uint8_t mask = (uint8_t)(0x80u >> i % 8);

		aes128_encrypt(&anonymizer->aes, BLOCK_BYTES, output, input);
		if (output[0] & 0x80)
			flips[i / 8] |= mask;
		input[i / 8] = (uint8_t)((input[i / 8] & ~mask) | (address->bytes[i / 8] & mask));
	}
	for (unsigned i = 0; i < bits / 8; i++)
		address->bytes[i] ^= flips[i];
}

void pk_anonymizer_free(struct pk_anonymizer *anonymizer)
{
	if (!anonymizer)
		return;
	explicit_bzero(anonymizer, sizeof(*anonymizer));
	free(anonymizer);
}
