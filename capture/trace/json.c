// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/json.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

// Length of the UTF-8 sequence at text, 0 where it is malformed (RFC 3629: shortest form, no
// surrogates, at most U+10FFFF).
static int sequence_length(const unsigned char *text)
{
	unsigned lead = text[0];
	int length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 :
		     lead >= 0xf0 && lead < 0xf5 ? 4 : 0;

	for (int i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((lead == 0xe0 && text[1] < 0xa0) || (lead == 0xed && text[1] >= 0xa0) ||
	    (lead == 0xf0 && text[1] < 0x90) || (lead == 0xf4 && text[1] >= 0x90))
		return 0;
	return length;
}

// Whether the byte stands for itself in a JSON string.
static bool is_plain(unsigned char byte)
{
	return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

void json_write_text(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	(void)putc('"', out);
	while (*at) {
		size_t plain = 0;
		int length;

		while (is_plain(at[plain]))
			plain++;
		(void)fwrite(at, 1, plain, out);
		at += plain;
		if (!*at)
			break;
		length = sequence_length(at);
		if (!length)
			(void)fputs("\\ufffd", out);
		else if (*at == '"' || *at == '\\')
			(void)fprintf(out, "\\%c", *at);
		else if (*at < ' ' || *at == 0x7f)
			(void)fprintf(out, "\\u%04x", *at);
		else
			(void)fwrite(at, 1, (size_t)length, out);
		at += length ? length : 1;
	}
	(void)putc('"', out);
}

void json_write_real(FILE *out, double value)
{
	char text[40];

	if (!isfinite(value)) {
		(void)fputs("null", out);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		(void)snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	(void)fputs(text, out);
}
