// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page_latex.h"

#include "report/text.h"

static void write_words(FILE *out, const char *before, const char *words, const char *after)
{
	(void)fputs(before, out);
	text_write_latex(out, words ? words : "");
	(void)fputs(after, out);
}

static void write_comment(FILE *out, const char *words)
{
	(void)fputs("% ", out);
	text_write_plain(out, words ? words : "");
	(void)putc('\n', out);
}

static void write_rows(FILE *out, const struct grid *grid)
{
	for (size_t c = 0; c < grid->column_count; c++)
		write_words(out, c ? " & " : "", grid->columns[c].heading, "");
	(void)fputs(" \\\\\n\\midrule\n", out);
	for (size_t r = 0; r < grid_rows(grid); r++) {
		for (size_t c = 0; c < grid->column_count; c++)
			write_words(out, c ? " & " : "", grid_cell(grid, r, c), "");
		(void)fputs(" \\\\\n", out);
	}
}

static void write_grid(FILE *out, const struct grid *grid, unsigned number)
{
	write_words(out, "\\begin{table}\n\\centering\n\\caption{", grid->caption, "}\n");
	(void)fprintf(out, "\\label{tab:%u}\n\\begin{tabular}{", number);
	for (size_t c = 0; c < grid->column_count; c++)
		(void)putc(grid->columns[c].words ? 'l' : 'r', out);
	(void)fputs("}\n\\toprule\n", out);
	write_rows(out, grid);
	(void)fputs("\\bottomrule\n\\end{tabular}\n", out);
	if (grid->note)
		write_words(out, "\\par\\smallskip{\\footnotesize ", grid->note, "}\n");
	(void)fputs("\\end{table}\n\n", out);
}

enum tr_status page_latex_write(const struct page *page, const char *footer, FILE *out,
				struct tr_error *err)
{
	if (!page_whole(page))
		return tr_no_memory(err, "the report");
	write_comment(out, page->title);
	(void)fputs("% \\usepackage{booktabs}, \\usepackage[T1]{fontenc}\n\n", out);
	for (size_t i = 0; i < page->count; i++) {
		const struct block *block = &page->blocks[i];

		if (block->type == BLOCK_SECTION)
			write_comment(out, block->text);
		else if (block->type == BLOCK_GRID && !block->grid->facts)
			write_grid(out, block->grid, block->number);
	}
	write_comment(out, footer);
	return TR_OK;
}
