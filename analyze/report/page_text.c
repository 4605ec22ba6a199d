// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page_text.h"

#include <stdlib.h>
#include <string.h>

#include "report/gnuplot_run.h"
#include "report/gnuplot_script.h"
#include "report/text.h"

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

// One word of a paragraph at column; returns the column behind it.
static size_t write_word(FILE *out, const char *word, size_t bytes, size_t column)
{
	char piece[512];
	size_t width;

	(void)snprintf(piece, sizeof piece, "%.*s", (int)bytes, word);
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

// Goes on at column, which is behind a word.
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

// blanks: those due before the cell; what is due after it is returned, so that no line ends with blanks.
static size_t write_cell(FILE *out, const char *text, size_t width, bool words, size_t blanks)
{
	size_t own = text_width(text), rest = own < width ? width - own : 0;

	if (!words || own == 0)
		blanks += rest;
	if (own > 0) {
		write_repeated(out, ' ', blanks);
		text_write_plain(out, text);
		blanks = words ? rest : 0;
	}
	return blanks + 2;
}

static size_t column_width(const struct grid *grid, size_t column)
{
	size_t width = text_width(grid->columns[column].heading);

	for (size_t r = 0; r < grid_rows(grid); r++) {
		size_t own = text_width(grid_cell(grid, r, column));

		width = own > width ? own : width;
	}
	return width;
}

// Row -1 is the headings.
static void write_row(FILE *out, const struct grid *grid, long row, const size_t *widths)
{
	size_t blanks = 0;

	for (size_t c = 0; c < grid->column_count; c++) {
		const char *text = row < 0 ? grid->columns[c].heading : grid_cell(grid, (size_t)row, c);

		blanks = write_cell(out, text, widths[c], grid->columns[c].words, blanks);
	}
	(void)putc('\n', out);
}

static void write_grid(FILE *out, const struct grid *grid, unsigned number)
{
	size_t widths[GRID_COLUMNS_MAX];
	int column = fprintf(out, "Table %u.", number);

	write_wrapped(out, grid->caption ? grid->caption : "", column > 0 ? (size_t)column : 0);
	(void)putc('\n', out);
	for (size_t c = 0; c < grid->column_count; c++)
		widths[c] = column_width(grid, c);
	for (long r = -1; r < (long)grid_rows(grid); r++)
		write_row(out, grid, r, widths);
	(void)putc('\n', out);
	if (grid->note) {
		write_wrapped(out, grid->note, 0);
		(void)putc('\n', out);
	}
}

static void write_facts(FILE *out, const struct grid *grid)
{
	size_t width = 0;

	for (size_t c = 0; c < grid->column_count; c++) {
		size_t own = text_width(grid->columns[c].heading);

		width = own > width ? own : width;
	}
	for (size_t c = 0; c < grid->column_count; c++) {
		size_t blanks = write_cell(out, grid->columns[c].heading, width, true, 0);

		(void)write_cell(out, grid_cell(grid, 0, c), 0, true, blanks);
		(void)putc('\n', out);
	}
	(void)putc('\n', out);
}

// Writes the next of gnuplot's plots, which begins with a form feed, without the blanks at its lines' ends.
static void write_plot(FILE *out, const char **drawn)
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

static void write_figure(FILE *out, const struct figure *figure, unsigned number, const char **drawn)
{
	int column;

	for (size_t i = 0; i < figure->panel_count; i++) {
		const struct panel *panel = &figure->panels[i];

		if (panel->title)
			write_wrapped(out, panel->title, 0);
		for (size_t p = 0; p < panel->plot_count && gnuplot_has_characters(panel); p++)
			write_plot(out, drawn);
		if (!gnuplot_has_characters(panel))
			(void)fputs("(not drawn in characters)\n\n", out);
	}
	column = fprintf(out, "Figure %u.", number);
	write_wrapped(out, figure->title, column > 0 ? (size_t)column : 0);
	write_wrapped(out, figure->caption ? figure->caption : "", 0);
	(void)putc('\n', out);
}

// drawn: what is left of gnuplot's plots, NULL where figures are left out.
static void write_block(FILE *out, const struct block *block, const char **drawn)
{
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
	case BLOCK_GRID:
		if (block->grid->facts)
			write_facts(out, block->grid);
		else
			write_grid(out, block->grid, block->number);
		break;
	case BLOCK_FIGURE:
		if (drawn)
			write_figure(out, block->figure, block->number, drawn);
		break;
	}
}

// Whether a section has nothing but figures.
static bool is_pictures_only(const struct page *page, size_t section)
{
	for (size_t i = section + 1; i < page->count && page->blocks[i].type != BLOCK_SECTION; i++)
		if (page->blocks[i].type != BLOCK_FIGURE)
			return false;
	return true;
}

static void write_page(const struct page *page, const char *footer, FILE *out, const char **drawn)
{
	write_heading(out, page->title ? page->title : "", '=');
	for (size_t i = 0; i < page->count; i++)
		if (drawn || page->blocks[i].type != BLOCK_SECTION || !is_pictures_only(page, i))
			write_block(out, &page->blocks[i], drawn);
	write_wrapped(out, footer, 0);
}

enum tr_status page_text_write(const struct page *page, const char *footer, FILE *out,
			       struct tr_error *err)
{
	if (!page_whole(page))
		return tr_no_memory(err, "the report");
	write_page(page, footer, out, NULL);
	return TR_OK;
}

enum tr_status page_terminal_write(const struct page *page, const char *footer, FILE *out,
				   struct tr_error *err)
{
	const char *rest;
	char *drawn;

	if (!page_whole(page))
		return tr_no_memory(err, "the report");
	if (gnuplot_run(page, gnuplot_characters, NULL, &drawn, err) != TR_OK)
		return TR_ERROR;
	rest = drawn;
	write_page(page, footer, out, &rest);
	free(drawn);
	return TR_OK;
}
