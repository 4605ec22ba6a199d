// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/printable.h"

#include <string.h>

#include "trace/utf8.h"

// Both ends belong to it. Directions: Unicode Standard Annex 9, section 2.
static const uint32_t unprintable[][2] = {
	{0x00, 0x1f},	  {0x7f, 0x9f},	    {0x061c, 0x061c}, {0x200e, 0x200f},
	{0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff},
};

bool tr_is_unprintable(uint32_t character)
{
	for (size_t i = 0; i < sizeof unprintable / sizeof *unprintable; i++)
		if (character >= unprintable[i][0] && character <= unprintable[i][1])
			return true;
	return false;
}

static uint32_t decode(const unsigned char *text, int bytes)
{
	static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t character = text[0] & first_bits[bytes];

	for (int i = 1; i < bytes; i++)
		character = character << 6 | (text[i] & 0x3fu);
	return character;
}

#define SHOWN_BYTES 16u

// The next character, or what is written for it, into out; returns its columns.
static int show(const unsigned char **at, char out[SHOWN_BYTES])
{
	const int bytes = tr_utf8_length(*at);
	const uint32_t character = bytes ? decode(*at, bytes) : **at;
	int columns = 1;

	if (bytes && !tr_is_unprintable(character)) {
		memcpy(out, *at, (size_t)bytes);
		out[bytes] = '\0';
	} else {
		columns = snprintf(out, SHOWN_BYTES, character < 0x100 ? "\\x%02x" : "\\u%04x", character);
	}
	*at += bytes ? bytes : 1;
	return columns;
}

int tr_print_text(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	char shown[SHOWN_BYTES];
	int columns = 0;

	while (*at) {
		columns += show(&at, shown);
		if (out)
			(void)fputs(shown, out);
	}
	return columns;
}

void tr_format_text(char *out, size_t out_bytes, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	char shown[SHOWN_BYTES];
	size_t used = 0;

	while (*at) {
		(void)show(&at, shown);
		if (used + strlen(shown) >= out_bytes)
			break;
		memcpy(out + used, shown, strlen(shown));
		used += strlen(shown);
	}
	out[used] = '\0';
}
