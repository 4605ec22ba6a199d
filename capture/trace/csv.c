// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/csv.h"

#include <stdbool.h>
#include <string.h>

void csv_write_text(FILE *out, const char *text)
{
	bool quoted = strpbrk(text, ",\"\r\n");

	if (quoted)
		(void)putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			(void)putc('"', out);
		(void)putc(*text, out);
	}
	if (quoted)
		(void)putc('"', out);
}
