// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/anonymize.h"
#include "trace/source.h"

#include <nettle/base16.h>
#include <nettle/pbkdf2.h>
#include <string.h>

#define ROUNDS 200000u
#define PHRASE_BYTES_MAX 1024u

static void stretch(const void *phrase, size_t size_bytes, uint8_t secret[PK_SECRET_BYTES])
{
	static const uint8_t salt[] = "flitline anonymize";

	pbkdf2_hmac_sha256(size_bytes, phrase, ROUNDS, sizeof(salt) - 1, salt, PK_SECRET_BYTES, secret);
}

static enum tr_status of_hex(const char *digits, uint8_t secret[PK_SECRET_BYTES], struct tr_error *err)
{
	struct base16_decode_ctx base16;
	size_t got_bytes = PK_SECRET_BYTES;
	const size_t size = strlen(digits);

	base16_decode_init(&base16);
	if (size != 2 * PK_SECRET_BYTES || !base16_decode_update(&base16, &got_bytes, secret, size, digits) ||
	    !base16_decode_final(&base16) || got_bytes != PK_SECRET_BYTES)
		return tr_fail(err, "a key after hex: has 64 hexadecimal digits");
	return TR_OK;
}

static enum tr_status of_file(const char *path, uint8_t secret[PK_SECRET_BYTES], struct tr_error *err)
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
			status = tr_fail(err, "%s: its first line must hold a key of 1 to %u bytes", path,
					 PHRASE_BYTES_MAX - 1);
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
