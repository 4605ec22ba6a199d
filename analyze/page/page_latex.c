// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/page.h"

#include "trace/escape.h"

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

static void write_table(FILE *out, const struct table *table, unsigned number)
{
	write_words(out, "\\begin{table}\n\\centering\n\\caption{", table_title(table), "}\n");
	(void)fprintf(out, "\\label{tab:%u}\n", number);
	table_write_latex(table, out);
	for (size_t i = 0; table_note_at(table, i); i++)
		write_words(out, "\\par\\smallskip{\\footnotesize ", table_note_at(table, i), "}\n");
	(void)fputs("\\end{table}\n\n", out);
}

enum tr_status page_latex_write(const struct page *page, const char *footer, FILE *out, struct tr_error *err)
{
	if (!page_whole(page))
		return tr_no_memory(err, "the report");
	write_comment(out, page->title);
	(void)fputs("% \\usepackage{booktabs}, \\usepackage[T1]{fontenc}\n\n", out);
	for (size_t i = 0; i < page->count; i++) {
		const struct block *block = &page->blocks[i];

		if (block->type == BLOCK_SECTION)
			write_comment(out, block->text);
		else if (block->type == BLOCK_TABLE)
			write_table(out, block->table, block->number);
	}
	write_comment(out, footer);
	return TR_OK;
}
