// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/latex_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "page/latex_cells.h"
#include "page/latex_text.h"

#define LONGEST_WORD 14u    // in a folded column, before it breaks
#define LONGEST_IN_TEXT 24u // and in a paragraph
#define FOLDED_LEAST 44.0   // width of a folded column
#define EQUATION_LEAST 110.0
#define RAGGED 1.15	 // width that lines lose at their ends
#define LINES_WISHED 4.0 // of a folded cell
#define CAPTION_LINE 12.0
#define NOTE_GAP 4.0
#define RULES_HEIGHT 40.0 // and what is around a table
#define SLACK 1.0	  // rounding
#define KEYS_UPRIGHT 2u	  // columns that each part of an upright table repeats, at most
#define NOTE_BYTES 300u

// Computer Modern at its sizes is a little wider than scaled.
static const struct letters {
	const char *command;
	double factor, line, gap;
} small = {"\\small", 0.93, 11, 8}, footnotesize = {"\\footnotesize", 0.86, 9.6, 7};

// Columns that stand beside each other, and how.
struct layout {
	const struct latex_cells *cells;
	const struct letters *letters;
	size_t *list; // of columns
	size_t count;
	double *widths; // of those listed
	bool *folded;
	double room; // for all
	bool turned;
};

static double cell_width(const struct layout *layout, size_t row, size_t column)
{
	return layout->letters->factor * latex_cell_width(layout->cells, row, column);
}

// The widest cell, or the widest part of one that does not break.
static double body_width(const struct layout *layout, size_t column, bool broken)
{
	const struct latex_cells *cells = layout->cells;
	double widest = 0;

	for (size_t row = 0; row < cells->rows; row++)
		widest = fmax(widest,
			      broken ? layout->letters->factor *
					       latex_piece_width(latex_cell(cells, row, column),
								 LONGEST_WORD)
				     : cell_width(layout, row, column));
	return widest;
}

static double head_width(const struct layout *layout, size_t column, bool broken)
{
	const char *head = layout->cells->column[column].head;

	return layout->letters->factor *
		       (broken ? latex_piece_width(head, LONGEST_WORD) : latex_width(head)) +
	       SLACK;
}

// Width of the columns side by side without folding, or at least; widths are set.
static double sum_widths(struct layout *layout, bool least)
{
	double sum = layout->letters->gap * (double)(layout->count - 1);

	for (size_t i = 0; i < layout->count; i++) {
		const size_t column = layout->list[i];
		const double body = body_width(layout, column, false) + SLACK,
			     head = head_width(layout, column, least);

		layout->widths[i] = fmax(body, head);
		if (least && !layout->cells->column[column].right) {
			const double words = layout->cells->column[column].equations
						     ? EQUATION_LEAST
						     : FOLDED_LEAST;
			const double folded = fmax(fmax(head, words),
						   body_width(layout, column, true) + SLACK);

			layout->widths[i] = fmin(layout->widths[i], folded);
		}
		layout->folded[i] = false;
		sum += layout->widths[i];
	}
	return sum;
}

static double missing_width(const struct layout *layout, size_t i)
{
	const double body = body_width(layout, layout->list[i], false) + SLACK;

	return fmax(0, fmax(body, head_width(layout, layout->list[i], false)) - layout->widths[i]);
}

// Gives columns narrower than they would be a share of the rest: first, whole, those that lack
// least.
static void widen_columns(struct layout *layout, double rest)
{
	size_t lacking = layout->count, before = 0;

	while (lacking != before) {
		const double share = rest / (double)lacking;

		before = lacking;
		lacking = 0;
		for (size_t i = 0; i < layout->count; i++) {
			const double missing = missing_width(layout, i);

			if (missing > share) {
				lacking++;
			} else {
				layout->widths[i] += missing;
				rest -= missing;
			}
		}
	}
	for (size_t i = 0; i < layout->count; i++) {
		if (missing_width(layout, i) > 0 && lacking > 0)
			layout->widths[i] += rest / (double)lacking;
		layout->folded[i] = !layout->cells->column[layout->list[i]].right &&
				    body_width(layout, layout->list[i], false) + SLACK / 2 >
					    layout->widths[i];
	}
}

// Lines of a row.
static double row_lines(const struct layout *layout, size_t row)
{
	double lines = 1;

	for (size_t i = 0; i < layout->count; i++)
		if (layout->folded[i] &&
		    cell_width(layout, row, layout->list[i]) > layout->widths[i])
			lines = fmax(lines, ceil(RAGGED * cell_width(layout, row, layout->list[i]) /
						 layout->widths[i]));
	return lines;
}

static double most_lines(const struct layout *layout)
{
	double lines = 1;

	for (size_t row = 0; row < layout->cells->rows; row++)
		lines = fmax(lines, row_lines(layout, row));
	return lines;
}

static bool fits_whole(struct layout *layout, const struct letters *letters)
{
	layout->letters = letters;
	return sum_widths(layout, false) <= layout->room;
}

// With words folded into at most so many lines.
static bool rows_fit_folded(struct layout *layout, double lines)
{
	double least;

	layout->letters = &footnotesize;
	least = sum_widths(layout, true);
	if (least > layout->room)
		return false;
	widen_columns(layout, layout->room - least);
	return most_lines(layout) <= lines;
}

// What columns that cannot fit get: those of words the room that numbers leave.
static void force(struct layout *layout)
{
	double numbers = layout->letters->gap * (double)(layout->count - 1);
	size_t words = 0;

	(void)sum_widths(layout, true);
	for (size_t i = 0; i < layout->count; i++) {
		layout->folded[i] = !layout->cells->column[layout->list[i]].right;
		words += layout->folded[i];
		numbers += layout->folded[i] ? 0 : layout->widths[i];
	}
	for (size_t i = 0; i < layout->count; i++)
		if (layout->folded[i])
			layout->widths[i] = fmax(FOLDED_LEAST,
						 (layout->room - numbers) / (double)words);
}

// ---- writing

// What all parts of a table share.
struct latex_table_parts {
	const struct table *table;
	const char *caption, *name;
	FILE *out;
	unsigned number, count;
	size_t rows; // of the first page of the part that has fewest
	size_t left; // rows that are left out
};

static void write_column_head(const struct layout *layout, size_t i, FILE *out)
{
	const struct latex_column *column = &layout->cells->column[layout->list[i]];
	const char *at = column->head;
	double used = 0;
	bool begun = false, broken = head_width(layout, layout->list[i], false) > layout->widths[i];

	if (broken)
		(void)fprintf(out, "\\begin{tabular}[b]{@{}%c@{}}", column->right ? 'r' : 'l');
	for (size_t bytes; (bytes = latex_piece(at, LONGEST_WORD)) > 0; at += bytes) {
		char piece[256];
		double width;

		(void)snprintf(piece, sizeof(piece), "%.*s", (int)bytes, at);
		width = layout->letters->factor * latex_width(piece);
		if (broken && begun && *at != ' ' && used + width > layout->widths[i]) {
			(void)fputs("\\\\", out);
			used = 0;
		}
		if (*at != ' ' || at[bytes] != '\0')
			latex_write_words(out, piece, LONGEST_WORD);
		used += width;
		begun = true;
	}
	if (broken)
		(void)fputs("\\end{tabular}", out);
}

static void write_columns(const struct layout *layout, FILE *out)
{
	(void)fputs("\\begin{tabular}{@{}", out);
	for (size_t i = 0; i < layout->count; i++) {
		const bool right = layout->cells->column[layout->list[i]].right;

		if (layout->folded[i])
			(void)fprintf(out, ">{\\raggedright\\arraybackslash}p{%.1fpt}",
				      floor(10 * layout->widths[i]) / 10);
		else
			(void)fputc(right ? 'r' : 'l', out);
	}
	(void)fputs("@{}}\n\\toprule\n", out);
	for (size_t i = 0; i < layout->count; i++) {
		(void)fputs(i ? " & " : "", out);
		write_column_head(layout, i, out);
	}
	(void)fputs(" \\\\\n\\midrule\n", out);
}

// Note i of the table, or behind them the one of rows that are left out; NULL: there are no more.
static const char *note_of(const struct latex_table_parts *parts, size_t i, char text[NOTE_BYTES])
{
	if (table_note_at(parts->table, i))
		return table_note_at(parts->table, i);
	if (parts->left == 0 || (i > 0 && !table_note_at(parts->table, i - 1)))
		return NULL;
	(void)snprintf(text, NOTE_BYTES, "%zu further row%s left out; --section tab:%s prints all.",
		       parts->left, parts->left == 1 ? " is" : "s are", parts->name);
	return text;
}

static void write_table_notes(const struct latex_table_parts *parts, FILE *out)
{
	char text[NOTE_BYTES];
	const char *note;

	for (size_t i = 0; (note = note_of(parts, i, text)) != NULL; i++) {
		(void)fputs("\\par\\smallskip\n\\parbox{\\linewidth}{\\raggedright ", out);
		latex_write_words(out, note, LONGEST_IN_TEXT);
		(void)fputs("}\n", out);
	}
}

static void write_environment(const struct layout *layout, struct latex_table_parts *parts,
			      size_t first, size_t end)
{
	const char *environment = layout->turned ? "sidewaystable" : "table";
	FILE *out = parts->out;

	parts->number++;
	(void)fprintf(out, "\\begin{%s}%s\n\\centering\\sloppy\n", environment,
		      layout->turned ? "" : "[htbp]");
	if (parts->number > 1)
		(void)fputs("\\addtocounter{table}{-1}\n", out);
	(void)fputs("\\caption{", out);
	latex_write_words(out, parts->caption, LONGEST_IN_TEXT);
	if (parts->count > 1)
		(void)fprintf(out, " Part %u of %u.", parts->number, parts->count);
	(void)fputs("}\n", out);
	if (parts->number == 1)
		(void)fprintf(out, "\\label{tab:%s}\n", parts->name);
	(void)fprintf(out, "\\par\\smallskip\n%s\\setlength{\\tabcolsep}{%.1fpt}\n",
		      layout->letters->command, layout->letters->gap / 2);
	write_columns(layout, out);
	for (size_t row = first; row < end; row++) {
		for (size_t i = 0; i < layout->count; i++) {
			(void)fputs(i ? " & " : "", out);
			latex_cell_write(layout->cells, row, layout->list[i],
					 layout->folded[i] ? LONGEST_WORD : LONGEST_IN_TEXT, out);
		}
		(void)fputs(" \\\\\n", out);
	}
	(void)fputs("\\bottomrule\n\\end{tabular}\n", out);
	if (parts->number == parts->count)
		write_table_notes(parts, out);
	(void)fprintf(out, "\\end{%s}\n\n", environment);
}

static double paragraph_lines(const char *text, double factor, double room)
{
	return ceil(1.1 * factor * latex_width(text) / room);
}

// Height for rows.
static double height_of(const struct layout *layout, const struct latex_table_parts *parts)
{
	double height = (layout->turned ? LATEX_TEXT_WIDTH : LATEX_TEXT_HEIGHT) - RULES_HEIGHT;
	double head = 1;

	for (size_t i = 0; i < layout->count; i++)
		head = fmax(head, 1 + ceil(1.3 * head_width(layout, layout->list[i], false) /
					   layout->widths[i]));
	return height - CAPTION_LINE * paragraph_lines(parts->caption, 1, layout->room) -
	       head * layout->letters->line;
}

static double notes_height(const struct layout *layout, const struct latex_table_parts *parts)
{
	char text[NOTE_BYTES];
	const char *note;
	double height = 0;

	for (size_t i = 0; (note = note_of(parts, i, text)) != NULL; i++)
		height += NOTE_GAP +
			  layout->letters->line *
				  paragraph_lines(note, layout->letters->factor, layout->room);
	return height;
}

// The end of the rows that begin with first and fit, one at least.
static size_t find_part_end(const struct layout *layout, size_t first, double room)
{
	double height = 0;
	size_t end = first;

	for (; end < layout->cells->rows; end++) {
		height += layout->letters->line * row_lines(layout, end);
		if (height > room && end > first)
			break;
	}
	return end;
}

// Writes the rows, on as many pages as they need, the last one with the notes; or, if parts->out is
// NULL, only counts the parts.
static void write_pages(const struct layout *layout, struct latex_table_parts *parts)
{
	const double room = height_of(layout, parts), notes = notes_height(layout, parts);
	size_t first = 0;

	do {
		size_t end = find_part_end(layout, first, room);

		if (end == layout->cells->rows)
			end = find_part_end(layout, first, room - notes);
		if (parts->out)
			write_environment(layout, parts, first, end);
		else
			parts->count++;
		if (first == 0)
			parts->rows = end < parts->rows ? end : parts->rows;
		first = end;
	} while (first < layout->cells->rows);
}

// Columns that each part repeats: those that tell the rows apart, if another one fits beside them.
static size_t repeated_columns(struct layout *layout)
{
	const size_t keys = latex_cells_keys(layout->cells, layout->cells->columns - 1);

	layout->count = keys + 1;
	for (size_t i = 0; i <= keys; i++)
		layout->list[i] = i;
	return rows_fit_folded(layout, HUGE_VAL) ? keys : 1;
}

// Puts as many columns side by side as fit, each time with the first ones.
static void write_in_parts(struct layout *layout, struct latex_table_parts *parts)
{
	const size_t keys = repeated_columns(layout);

	for (size_t next = keys; next < layout->cells->columns;) {
		for (size_t i = 0; i < keys; i++)
			layout->list[i] = i;
		layout->count = keys;
		do {
			layout->list[layout->count++] = next++;
		} while (next <= layout->cells->columns && rows_fit_folded(layout, HUGE_VAL) &&
			 next < layout->cells->columns);
		if (!rows_fit_folded(layout, HUGE_VAL) && layout->count > keys + 1) {
			layout->count--;
			next--;
		}
		if (!rows_fit_folded(layout, HUGE_VAL))
			force(layout);
		write_pages(layout, parts);
	}
}

static void write_layout(struct layout *layout, struct latex_table_parts *parts)
{
	layout->count = layout->cells->columns;
	for (size_t i = 0; i < layout->count; i++)
		layout->list[i] = i;
	layout->turned = false;
	layout->room = LATEX_TEXT_WIDTH;
	if (fits_whole(layout, &small) || rows_fit_folded(layout, LINES_WISHED)) {
		write_pages(layout, parts);
		return;
	}
	layout->turned = true;
	layout->room = LATEX_TEXT_HEIGHT;
	if (fits_whole(layout, &footnotesize) || rows_fit_folded(layout, LINES_WISHED)) {
		write_pages(layout, parts);
		return;
	}
	layout->turned = layout->count > 1 &&
			 latex_cells_keys(layout->cells, layout->count - 1) > KEYS_UPRIGHT;
	layout->room = layout->turned ? LATEX_TEXT_HEIGHT : LATEX_TEXT_WIDTH;
	if (layout->count < 2) {
		force(layout);
		write_pages(layout, parts);
	} else {
		write_in_parts(layout, parts);
	}
}

// Counts the parts, of as many rows as are on the first page of each, if the table is not to be
// whole.
static void settle_parts(struct layout *layout, struct latex_cells *cells,
			 struct latex_table_parts *parts, bool whole)
{
	const size_t all = cells->rows;

	for (;;) {
		parts->count = 0;
		parts->rows = SIZE_MAX;
		write_layout(layout, parts);
		if (whole || parts->rows >= cells->rows)
			return;
		cells->rows = parts->rows > 0 ? parts->rows : 1;
		parts->left = all - cells->rows;
	}
}

enum tr_status latex_table_write(const struct table *table, const struct latex_float *as,
				 unsigned *floats, FILE *out, struct tr_error *err)
{
	struct latex_cells cells;
	struct latex_table_parts parts = {.table = table, .caption = as->caption, .name = as->name};
	struct layout layout = {.cells = &cells};
	enum tr_status status = latex_cells_open(&cells, table, err);
	const size_t rows = cells.rows;

	layout.list = calloc(cells.columns + 1, sizeof(*layout.list));
	layout.widths = calloc(cells.columns + 1, sizeof(*layout.widths));
	layout.folded = calloc(cells.columns + 1, sizeof(*layout.folded));
	if (status == TR_OK && (!layout.list || !layout.widths || !layout.folded))
		status = tr_no_memory(err, "the report");
	if (status == TR_OK && cells.columns > 0) {
		settle_parts(&layout, &cells, &parts, as->whole);
		*floats += parts.count;
		parts.out = out;
		write_layout(&layout, &parts);
	}
	free(layout.list);
	free(layout.widths);
	free(layout.folded);
	cells.rows = rows;
	latex_cells_close(&cells);
	return status;
}
