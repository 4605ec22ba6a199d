// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/anonymize.h"

#include <nettle/aes.h>
#include <nettle/base16.h>
#include <nettle/pbkdf2.h>
#include <stdlib.h>
#include <string.h>

#include "file/source.h"

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

// Bit i of the result is bit i of the address, flipped if the first bit is set in the encryption of
// the address' first i bits followed by bits of the padding.
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

#define ROUNDS 200000u
#define PHRASE_BYTES_MAX 1024u

static void stretch(const void *phrase, size_t size_bytes, uint8_t secret[PK_SECRET_BYTES])
{
	static const uint8_t salt[] = "flitline anonymize";

	pbkdf2_hmac_sha256(size_bytes, phrase, ROUNDS, sizeof(salt) - 1, salt, PK_SECRET_BYTES,
			   secret);
}

static enum tr_status of_hex(const char *digits, uint8_t secret[PK_SECRET_BYTES],
			     struct tr_error *err)
{
	struct base16_decode_ctx base16;
	size_t got_bytes = PK_SECRET_BYTES;
	const size_t size = strlen(digits);

	base16_decode_init(&base16);
	if (size != 2 * PK_SECRET_BYTES ||
	    !base16_decode_update(&base16, &got_bytes, secret, size, digits) ||
	    !base16_decode_final(&base16) || got_bytes != PK_SECRET_BYTES)
		return tr_fail(err, "a key after hex: has 64 hexadecimal digits");
	return TR_OK;
}

static enum tr_status of_file(const char *path, uint8_t secret[PK_SECRET_BYTES],
			      struct tr_error *err)
{
	struct tr_source *source;
	const uint8_t *data, *line_end;
	size_t got_bytes;
	enum tr_status status;

	if (tr_source_open(&source, path, err) != TR_OK)
		return TR_ERROR;
	status = tr_source_peek(source, PHRASE_BYTES_MAX, &data, &got_bytes, err);
	if (status != TR_ERROR) {
		line_end = memchr(data, '\n', got_bytes);
		if (line_end)
			got_bytes = (size_t)(line_end - data);
		status = TR_OK;
		if (!got_bytes || got_bytes >= PHRASE_BYTES_MAX)
			status = tr_fail(err, "%s: its first line must hold a key of 1 to %u bytes",
					 path, PHRASE_BYTES_MAX - 1);
		else
			stretch(data, got_bytes, secret);
	}
	tr_source_close(source);
	return status;
}

enum tr_status pk_secret_of(const char *key, uint8_t secret[PK_SECRET_BYTES], struct tr_error *err)
{
	if (strncmp(key, "hex:", 4) == 0)
		return of_hex(key + 4, secret, err);
	if (key[0] == '@')
		return of_file(key + 1, secret, err);
	if (!*key)
		return tr_fail(err, "an empty key");
	stretch(key, strlen(key), secret);
	return TR_OK;
}
