// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/printable.h"

#include <stdlib.h>
#include <string.h>

int tr_utf8_length(const unsigned char *text)
{
	unsigned lead = text[0];
	int length = lead < 0x80		   ? 1
		     : lead >= 0xc2 && lead < 0xe0 ? 2
		     : lead >= 0xe0 && lead < 0xf0 ? 3
		     : lead >= 0xf0 && lead < 0xf5 ? 4
						   : 0;

	for (int i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((lead == 0xe0 && text[1] < 0xa0) || (lead == 0xed && text[1] >= 0xa0) ||
	    (lead == 0xf0 && text[1] < 0x90) || (lead == 0xf4 && text[1] >= 0x90))
		return 0;
	return length;
}

uint32_t tr_utf8_decode(const unsigned char *text, int bytes)
{
	static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t character = text[0] & first_bits[bytes];

	for (int i = 1; i < bytes; i++)
		character = character << 6 | (text[i] & 0x3fu);
	return character;
}

// Inclusive ranges. Directions: Unicode Standard Annex 9, section 2.
static const uint32_t unprintable[][2] = {
	{0x00, 0x1f},	  {0x7f, 0x9f},	    {0x061c, 0x061c}, {0x200e, 0x200f},
	{0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff},
};

bool tr_is_unprintable(uint32_t character)
{
	for (size_t i = 0; i < sizeof(unprintable) / sizeof(*unprintable); i++)
		if (character >= unprintable[i][0] && character <= unprintable[i][1])
			return true;
	return false;
}

#define SHOWN_BYTES 16u

// Writes the next character, or its escape, to out; returns its columns.
static int printable_show(const unsigned char **at, char out[SHOWN_BYTES])
{
	const int bytes = tr_utf8_length(*at);
	const uint32_t character = bytes ? tr_utf8_decode(*at, bytes) : **at;
	int columns = 1;

	if (bytes && !tr_is_unprintable(character)) {
		memcpy(out, *at, (size_t)bytes);
		out[bytes] = '\0';
	} else {
		columns = snprintf(out, SHOWN_BYTES, character < 0x100 ? "\\x%02x" : "\\u%04x",
				   character);
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
		columns += printable_show(&at, shown);
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
		(void)printable_show(&at, shown);
		if (used + strlen(shown) >= out_bytes)
			break;
		memcpy(out + used, shown, strlen(shown));
		used += strlen(shown);
	}
	out[used] = '\0';
}

// ---- as a stream

#define CHARACTER_BYTES_MAX 4

struct printable_stream {
	FILE *out;
	unsigned char held[CHARACTER_BYTES_MAX + 1]; // the beginning of a character, then a zero
	size_t held_bytes;
};

// Whether the held bytes may still become a character.
static bool may_grow(const struct printable_stream *stream)
{
	const unsigned lead = stream->held[0];
	const size_t wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
	size_t next = 1;

	while (next < stream->held_bytes && (stream->held[next] & 0xc0) == 0x80)
		next++;
	return next == stream->held_bytes && stream->held_bytes < wanted;
}

// Writes the first held character, or the first byte if it is not one.
static void put_held(struct printable_stream *stream)
{
	const unsigned char *at = stream->held;
	char shown[SHOWN_BYTES];

	if (*at == '\n' || *at == '\t')
		(void)putc(*at++, stream->out);
	else {
		(void)printable_show(&at, shown);
		(void)fputs(shown, stream->out);
	}
	stream->held_bytes -= (size_t)(at - stream->held);
	memmove(stream->held, at, stream->held_bytes + 1);
}

static ssize_t write_printable(void *context, const char *bytes, size_t count)
{
	struct printable_stream *stream = context;

	for (size_t i = 0; i < count; i++) {
		stream->held[stream->held_bytes++] = (unsigned char)bytes[i];
		stream->held[stream->held_bytes] = '\0';
		while (stream->held_bytes > 0 && !may_grow(stream))
			put_held(stream);
	}
	return fflush(stream->out) == 0 && !ferror(stream->out) ? (ssize_t)count : 0;
}

static int close_printable(void *context)
{
	struct printable_stream *stream = context;

	while (stream->held_bytes > 0)
		put_held(stream);
	const int status = fflush(stream->out);

	free(stream);
	return status;
}

FILE *tr_printable_stream(FILE *out)
{
	const cookie_io_functions_t calls = {.write = write_printable, .close = close_printable};
	struct printable_stream *stream = calloc(1, sizeof(*stream));
	FILE *opened = stream ? fopencookie(stream, "w", calls) : NULL;

	if (!opened) {
		free(stream);
		return NULL;
	}
	stream->out = out;
	(void)setvbuf(opened, NULL, _IOLBF, BUFSIZ);
	return opened;
}
