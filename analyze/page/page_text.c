// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/page.h"

#include <stdlib.h>
#include <string.h>

#include "page/gnuplot.h"
#include "value/escape.h"

#define LINE_COLUMNS 80u

static void write_repeated(FILE *out, char character, size_t count)
{
	while (count-- > 0)
		(void)putc(character, out);
}

static void write_heading(FILE *out, const char *text, char line)
{
	size_t width = text_width(text);

	text_write_plain(out, text);
	(void)putc('\n', out);
	write_repeated(out, line, width < LINE_COLUMNS ? width : LINE_COLUMNS);
	(void)fputs("\n\n", out);
}

// One word of a paragraph at column; returns the column after it.
static size_t write_word(FILE *out, const char *word, size_t bytes, size_t column)
{
	char piece[512];
	size_t width;

	(void)snprintf(piece, sizeof(piece), "%.*s", (int)bytes, word);
	width = text_width(piece);
	if (column > 0 && column + 1 + width > LINE_COLUMNS) {
		(void)putc('\n', out);
		column = 0;
	}
	if (column > 0)
		(void)putc(' ', out);
	text_write_plain(out, piece);
	return column + (column > 0) + width;
}

// Continues at column, which is after a word.
static void write_wrapped(FILE *out, const char *text, size_t column)
{
	while (*text) {
		size_t bytes = strcspn(text, " \n");

		if (bytes > 0)
			column = write_word(out, text, bytes, column);
		text += bytes;
		text += strspn(text, " \n");
	}
	(void)putc('\n', out);
}

static enum tr_status page_text_write_table(FILE *out, const struct table *table, unsigned number)
{
	int column = fprintf(out, "Table %u.", number);
	enum tr_status status;

	write_wrapped(out, table_title(table), column > 0 ? (size_t)column : 0);
	(void)putc('\n', out);
	status = table_write_text(table, out);
	(void)putc('\n', out);
	for (size_t i = 0; table_note_at(table, i); i++) {
		write_wrapped(out, table_note_at(table, i), 0);
		(void)putc('\n', out);
	}
	return status;
}

// Writes the next of gnuplot's plots, which begins with a form feed, without the blanks at its
// lines' ends.
static void page_text_write_plot(FILE *out, const char **drawn)
{
	const char *at = *drawn + strcspn(*drawn, "\f");
	size_t blanks = 0;

	for (at += *at == '\f'; *at && *at != '\f'; at++) {
		if (*at == ' ') {
			blanks++;
			continue;
		}
		if (*at != '\n')
			write_repeated(out, ' ', blanks);
		(void)putc(*at, out);
		blanks = 0;
	}
	*drawn = at;
}

static void page_text_write_figure(FILE *out, const struct figure *figure, unsigned number,
				   const char **drawn)
{
	int column;

	for (size_t i = 0; i < figure->panel_count; i++) {
		const struct panel *panel = &figure->panels[i];

		if (panel->title)
			write_wrapped(out, panel->title, 0);
		for (size_t p = 0; p < panel->plot_count && gnuplot_has_characters(panel); p++)
			page_text_write_plot(out, drawn);
		if (!gnuplot_has_characters(panel))
			(void)fputs("(not drawn in characters)\n\n", out);
	}
	column = fprintf(out, "Figure %u.", number);
	write_wrapped(out, figure->title, column > 0 ? (size_t)column : 0);
	write_wrapped(out, figure->caption ? figure->caption : "", 0);
	(void)putc('\n', out);
}

// drawn: the rest of gnuplot's plots, NULL: without figures.
static enum tr_status page_text_write_block(FILE *out, const struct block *block,
					    const char **drawn)
{
	enum tr_status status = TR_OK;

	switch (block->type) {
	case BLOCK_SECTION: write_heading(out, block->text, '-'); break;
	case BLOCK_ANSWER:
	case BLOCK_PARAGRAPH:
		write_wrapped(out, block->text, 0);
		(void)putc('\n', out);
		break;
	case BLOCK_QUOTE:
		text_write_plain_lines(out, block->text);
		(void)putc('\n', out);
		break;
	case BLOCK_FACTS:
		status = table_write_text(block->table, out);
		(void)putc('\n', out);
		break;
	case BLOCK_TABLE: status = page_text_write_table(out, block->table, block->number); break;
	case BLOCK_BESIDE: break;
	case BLOCK_FIGURE:
		if (drawn)
			page_text_write_figure(out, block->figure, block->number, drawn);
		break;
	}
	return status;
}

// Whether a section has nothing but figures.
static bool is_pictures_only(const struct page *page, size_t section)
{
	for (size_t i = section + 1; i < page->count && page->blocks[i].type != BLOCK_SECTION; i++)
		if (page->blocks[i].type != BLOCK_FIGURE)
			return false;
	return true;
}

static enum tr_status page_text_write_page(const struct page *page, const char *footer, FILE *out,
					   const char **drawn, struct tr_error *err)
{
	write_heading(out, page->title ? page->title : "", '=');
	for (size_t i = 0; i < page->count; i++)
		if (drawn || page->blocks[i].type != BLOCK_SECTION || !is_pictures_only(page, i))
			if (page_text_write_block(out, &page->blocks[i], drawn) != TR_OK)
				return tr_no_memory(err, "the report");
	write_wrapped(out, footer, 0);
	return TR_OK;
}

enum tr_status page_text_write(const struct page *page, const char *footer, FILE *out,
			       struct tr_error *err)
{
	if (!page_whole(page))
		return tr_no_memory(err, "the report");
	return page_text_write_page(page, footer, out, NULL, err);
}

enum tr_status page_terminal_write(const struct page *page, const char *footer, FILE *out,
				   struct tr_error *err)
{
	enum tr_status status;
	const char *rest;
	char *drawn;

	if (!page_whole(page))
		return tr_no_memory(err, "the report");
	if (gnuplot_run(page, gnuplot_characters, NULL, &drawn, err) != TR_OK)
		return TR_ERROR;
	rest = drawn;
	status = page_text_write_page(page, footer, out, &rest, err);
	free(drawn);
	return status;
}
