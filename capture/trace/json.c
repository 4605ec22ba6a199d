// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/json.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "trace/printable.h"
#include "trace/utf8.h"

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
		length = tr_utf8_length(at);
		if (!length)
			(void)fputs("\\ufffd", out);
		else if (*at == '"' || *at == '\\')
			(void)fprintf(out, "\\%c", *at);
		else if (tr_is_unprintable(tr_utf8_decode(at, length))) // of at most four digits
			(void)fprintf(out, "\\u%04x", tr_utf8_decode(at, length));
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
		(void)snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	(void)fputs(text, out);
}
