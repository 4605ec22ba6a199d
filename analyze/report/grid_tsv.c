// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/grid_tsv.h"

#include "report/text.h"

static void write_comment(FILE *out, const char *words)
{
	if (!words)
		return;
	(void)fputs("# ", out);
	text_write_plain(out, words);
	(void)putc('\n', out);
}

void grid_tsv_write(FILE *out, const struct grid *grid)
{
	write_comment(out, grid->caption);
	for (size_t c = 0; c < grid->column_count; c++) {
		(void)fputs(c ? "\t" : "", out);
		text_write_plain(out, grid->columns[c].heading ? grid->columns[c].heading : "");
	}
	(void)putc('\n', out);
	for (size_t r = 0; r < grid_rows(grid); r++)
		for (size_t c = 0; c < grid->column_count; c++) {
			text_write_plain(out, grid_exact(grid, r, c));
			(void)putc(c + 1 < grid->column_count ? '\t' : '\n', out);
		}
	write_comment(out, grid->note);
}
