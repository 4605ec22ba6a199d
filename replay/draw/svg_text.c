// SPDX-License-Identifier: GPL-3.0-or-later
#include "draw/svg_text.h"

#include "trace/printable.h"

void draw_svg_text(const char *text, FILE *out)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at != '\0') {
		const int length = tr_utf8_length(at);

		if (length == 0)
			(void)fputs("\xef\xbf\xbd", out);
		else if (*at == '<' || *at == '>' || *at == '&')
			(void)fputs(*at == '<' ? "&lt;" : *at == '>' ? "&gt;" : "&amp;", out);
		else if (*at < ' ' && *at != '\n')
			(void)fputc(' ', out);
		else
			(void)fwrite(at, 1, (size_t)length, out);
		at += length != 0 ? length : 1;
	}
}
