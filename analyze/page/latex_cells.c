// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/latex_cells.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "page/latex_text.h"
#include "table/table_cells.h"

#define SHOWN_BYTES 48
#define DIGITS_MOST 9	   // of a number in a unit that is not its own
#define DIGIT_WIDTH 5.0	   // in points at 10 points
#define MINUS_WIDER 4.5	   // than a hyphen
#define POWER_WIDER 4.0	   // of ten than its letter
#define EQUATION_WIDER 1.1 // than its text

const char *latex_cell(const struct latex_cells *cells, size_t row, size_t column)
{
	return cells->cells[row * cells->columns + column];
}

// A number in a cell: "-12,300.5", "1.3e-20", "52.5 MB". Parts are lent from the text.
struct figures {
	const char *text;
	size_t sign, whole, after; // characters of the sign, before the point with commas, and from
				   // the point on
	const char *exponent;	   // after the "e"; NULL: none
	size_t exponent_bytes;
	const char *unit; // "" where there is none
};

static bool parse_figures(const char *text, struct figures *figures)
{
	const char *at = text;

	*figures = (struct figures){.text = text, .unit = ""};
	figures->sign = *at == '-';
	at += figures->sign;
	figures->whole = strspn(at, "0123456789,");
	if (!isdigit((unsigned char)*at))
		return false;
	at += figures->whole;
	if (*at == '.')
		figures->after = 1 + strspn(at + 1, "0123456789");
	at += figures->after;
	if (*at == 'e') {
		figures->exponent = at + 1;
		figures->exponent_bytes = strspn(at + 1, "+-0123456789");
		at += 1 + figures->exponent_bytes;
	}
	if (*at == ' ' && at[1] != '\0' && !strchr(at + 1, ' ') && !isdigit((unsigned char)at[1]) &&
	    at[1] != '-')
		figures->unit = at + 1;
	return *at == '\0' || *figures->unit != '\0';
}

// Splits "0.1 to 0.4" into its two numbers, kept in room.
static bool parse_interval(const char *text, char room[SHOWN_BYTES], struct figures both[2])
{
	const char *to = strstr(text, " to ");

	if (!to || strlen(text) >= SHOWN_BYTES)
		return false;
	(void)snprintf(room, SHOWN_BYTES, "%s", text);
	room[to - text] = '\0';
	return parse_figures(room, &both[0]) && parse_figures(room + (to - text) + 4, &both[1]);
}

static bool is_missing(const char *text)
{
	return *text == '\0' || strcmp(text, "-") == 0;
}

// Units of one quantity, by powers of ten.
static const struct {
	const char *name;
	int quantity, power;
} units[] = {{"ns", 0, -9},  {"µs", 0, -6},  {"us", 0, -6},  {"ms", 0, -3},  {"s", 0, 0},
	     {"B", 1, 0},    {"kB", 1, 3},   {"MB", 1, 6},   {"GB", 1, 9},   {"TB", 1, 12},
	     {"b/s", 2, 0},  {"kb/s", 2, 3}, {"Mb/s", 2, 6}, {"Gb/s", 2, 9}, {"B/s", 3, 0},
	     {"kB/s", 3, 3}, {"MB/s", 3, 6}, {"GB/s", 3, 9}};

// By how many places the point moves from one unit to the other; false if they are not of one
// quantity.
static bool find_shift(const char *from, const char *to, int *places)
{
	const size_t count = sizeof(units) / sizeof(*units);
	size_t one = 0, other = 0;

	*places = 0;
	if (strcmp(from, to) == 0)
		return true;
	while (one < count && strcmp(units[one].name, from) != 0)
		one++;
	while (other < count && strcmp(units[other].name, to) != 0)
		other++;
	if (one == count || other == count || units[one].quantity != units[other].quantity)
		return false;
	*places = units[one].power - units[other].power;
	return true;
}

// Moves the point to the right, exactly. Returns the digits of the result, 0 if they are too many.
static size_t shift_point(const struct figures *figures, int places, char out[SHOWN_BYTES])
{
	char digits[SHOWN_BYTES] = "";
	size_t count = 0, used = 0;
	int point = 0;

	if (figures->exponent || figures->whole + figures->after > 24)
		return 0;
	for (size_t i = 0; i < figures->whole + figures->after; i++) {
		const char digit = figures->text[figures->sign + i];

		if (isdigit((unsigned char)digit))
			digits[count++] = digit;
		if (isdigit((unsigned char)digit) && i < figures->whole)
			point++;
	}
	point += places;
	if (point > DIGITS_MOST || (int)count - point > DIGITS_MOST)
		return 0;
	if (figures->sign)
		out[used++] = '-';
	for (int i = point < 1 ? point - 1 : 0; i < point || i < (int)count; i++) {
		const char digit = i >= 0 && i < (int)count ? digits[i] : '0';

		if (i < point - 1 && digit == '0' && used == figures->sign)
			continue;
		if (i == point)
			out[used++] = '.';
		else if (i < point && used > figures->sign && (point - i) % 3 == 0)
			out[used++] = ',';
		out[used++] = digit;
	}
	out[used] = '\0';
	return used;
}

// Characters of the column's longest number in the unit, 0 if some cell has no such form.
static size_t measure_unit(const struct latex_cells *cells, size_t column, const char *unit)
{
	char out[SHOWN_BYTES];
	size_t longest = 0;

	for (size_t row = 0; row < cells->rows; row++) {
		struct figures figures;
		size_t own;
		int places;

		if (is_missing(latex_cell(cells, row, column)))
			continue;
		if (!parse_figures(latex_cell(cells, row, column), &figures) ||
		    *figures.unit == '\0' || !find_shift(figures.unit, unit, &places))
			return 0;
		own = places == 0 ? strlen(figures.text) - strlen(figures.unit) - 1
				  : shift_point(&figures, places, out);
		if (own == 0 || (places != 0 && own > DIGITS_MOST))
			return 0;
		longest = own > longest ? own : longest;
	}
	return longest;
}

// The unit of some cell in which the column's numbers are shortest, NULL if they have none in
// common.
static const char *choose_unit(const struct latex_cells *cells, size_t column)
{
	const char *best = NULL;
	size_t least = SIZE_MAX;

	for (size_t row = 0; row < cells->rows; row++) {
		struct figures figures;
		size_t longest;

		if (!parse_figures(latex_cell(cells, row, column), &figures) ||
		    *figures.unit == '\0' || (best && strcmp(best, figures.unit) == 0))
			continue;
		longest = measure_unit(cells, column, figures.unit);
		if (longest > 0 && longest < least) {
			least = longest;
			best = figures.unit;
		}
	}
	return best;
}

static bool replace_text(char **text, const char *other)
{
	char *copy = strdup(other);

	if (copy) {
		free(*text);
		*text = copy;
	}
	return copy != NULL;
}

static bool move_unit(struct latex_cells *cells, size_t column)
{
	const char *chosen = choose_unit(cells, column);
	char unit[SHOWN_BYTES], out[SHOWN_BYTES], *head = NULL;
	bool ok = true;

	if (!chosen || strlen(chosen) >= sizeof(unit))
		return true;
	(void)snprintf(unit, sizeof(unit), "%s", chosen);
	for (size_t row = 0; row < cells->rows && ok; row++) {
		char **cell = &cells->cells[row * cells->columns + column];
		struct figures figures;
		int places;

		if (!parse_figures(*cell, &figures) || !find_shift(figures.unit, unit, &places))
			continue;
		if (places == 0)
			(*cell)[figures.unit - 1 - *cell] = '\0';
		else
			ok = shift_point(&figures, places, out) > 0 && replace_text(cell, out);
	}
	if (asprintf(&head, "%s (%s)", cells->column[column].head, unit) < 0)
		return false;
	free(cells->column[column].head);
	cells->column[column].head = head;
	return ok;
}

static void widen_after(size_t *after, const struct figures *figures)
{
	if (!figures->exponent && *figures->unit == '\0' && figures->after > *after)
		*after = figures->after;
}

// How far numbers reach beyond their points; nothing where a unit follows some of them.
static void find_points(struct latex_cells *cells, size_t column)
{
	size_t *after = cells->column[column].after;

	for (size_t row = 0; row < cells->rows; row++) {
		struct figures both[2];
		char room[SHOWN_BYTES];

		if (parse_interval(latex_cell(cells, row, column), room, both)) {
			widen_after(&after[0], &both[0]);
			widen_after(&after[1], &both[1]);
		} else if (parse_figures(latex_cell(cells, row, column), &both[1])) {
			widen_after(&after[1], &both[1]);
			if (*both[1].unit != '\0') {
				after[0] = after[1] = 0;
				return;
			}
		}
	}
}

static void write_figures(const struct figures *figures, size_t after, FILE *out)
{
	(void)fprintf(out, "%s%.*s", figures->sign ? "$-$" : "",
		      (int)(figures->whole + figures->after), figures->text + figures->sign);
	if (figures->exponent) {
		const char *power = figures->exponent + strspn(figures->exponent, "+");

		(void)fprintf(out, "$\\times10^{%.*s}$",
			      (int)(figures->exponent + figures->exponent_bytes - power), power);
		return;
	}
	if (*figures->unit != '\0') {
		(void)fputc('~', out);
		latex_write_words(out, figures->unit, SHOWN_BYTES);
		return;
	}
	if (figures->after < after) {
		(void)fputs("\\phantom{", out);
		for (size_t i = figures->after; i < after; i++)
			(void)fputc(i == 0 ? '.' : '0', out);
		(void)fputc('}', out);
	}
}

void latex_cell_write(const struct latex_cells *cells, size_t row, size_t column, size_t longest,
		      FILE *out)
{
	const struct latex_column *own = &cells->column[column];
	const char *text = latex_cell(cells, row, column);
	struct figures both[2];
	char room[SHOWN_BYTES];

	if (strcmp(text, "-") == 0) {
		(void)fputs("--", out);
	} else if (own->equations) {
		latex_write_equation(out, text);
	} else if (own->right && parse_interval(text, room, both)) {
		write_figures(&both[0], own->after[0], out);
		(void)fputs(" to ", out);
		write_figures(&both[1], own->after[1], out);
	} else if (own->right && parse_figures(text, &both[0])) {
		write_figures(&both[0], own->after[1], out);
	} else {
		latex_write_words(out, text, longest);
	}
}

static double figures_width(const struct figures *figures, size_t after)
{
	const bool filled = !figures->exponent && *figures->unit == '\0' && figures->after < after;

	return (figures->sign ? MINUS_WIDER : 0) + (figures->exponent ? POWER_WIDER : 0) +
	       (filled ? DIGIT_WIDTH * (double)(after - figures->after) : 0);
}

double latex_cell_width(const struct latex_cells *cells, size_t row, size_t column)
{
	const struct latex_column *own = &cells->column[column];
	const char *text = latex_cell(cells, row, column);
	double width = latex_width(text);
	struct figures both[2];
	char room[SHOWN_BYTES];

	if (own->equations)
		return width * EQUATION_WIDER;
	if (own->right && parse_interval(text, room, both))
		width += figures_width(&both[0], own->after[0]) +
			 figures_width(&both[1], own->after[1]);
	else if (own->right && parse_figures(text, &both[0]))
		width += figures_width(&both[0], own->after[1]);
	return width;
}

// Words that are all numbers are a column of numbers.
static bool holds_numbers(const struct latex_cells *cells, size_t column)
{
	struct figures both[2];
	char room[SHOWN_BYTES];
	bool any = false;

	for (size_t row = 0; row < cells->rows; row++) {
		const char *text = latex_cell(cells, row, column);

		if (is_missing(text))
			continue;
		any = true;
		if (!parse_figures(text, &both[0]) && !parse_interval(text, room, both))
			return false;
	}
	return any;
}

static bool copy_object(struct latex_cells *cells, const struct table *table)
{
	char text[TABLE_CELL_BYTES];
	bool ok = replace_text(&cells->column[0].head, "quantity") &&
		  replace_text(&cells->column[1].head, "value");

	cells->column[1].right = true;
	for (size_t i = 0; i < cells->rows && ok; i++)
		ok = replace_text(&cells->cells[2 * i], table->columns[i].text) &&
		     replace_text(&cells->cells[2 * i + 1], table_cell_shown(table, 0, i, text));
	return ok;
}

static bool copy_rows(struct latex_cells *cells, const struct table *table)
{
	char text[TABLE_CELL_BYTES];
	bool ok = true;

	for (size_t c = 0; c < cells->columns && ok; c++) {
		ok = replace_text(&cells->column[c].head, table->columns[c].text);
		cells->column[c].right = table_is_right(table, c);
		cells->column[c].equations = strcmp(table->columns[c].text, "equation") == 0;
		for (size_t r = 0; r < cells->rows && ok; r++)
			ok = replace_text(&cells->cells[r * cells->columns + c],
					  table_cell_shown(table, r, c, text));
	}
	return ok;
}

enum tr_status latex_cells_open(struct latex_cells *cells, const struct table *table,
				struct tr_error *err)
{
	const bool object = table_is_object(table);
	bool ok;

	*cells = (struct latex_cells){.columns = object ? 2 : table->column_count,
				      .rows = object ? table->column_count : table_rows(table)};
	cells->column = calloc(cells->columns + 1, sizeof(*cells->column));
	cells->cells = calloc(cells->columns * cells->rows + 1, sizeof(*cells->cells));
	ok = cells->column && cells->cells &&
	     (object ? copy_object(cells, table) : copy_rows(cells, table));
	for (size_t c = 0; c < cells->columns && ok; c++) {
		cells->column[c].right = cells->column[c].right || holds_numbers(cells, c);
		ok = !cells->column[c].right || move_unit(cells, c);
		if (cells->column[c].right)
			find_points(cells, c);
	}
	return ok ? TR_OK : tr_no_memory(err, "the report");
}

void latex_cells_close(struct latex_cells *cells)
{
	for (size_t i = 0; cells->cells && i < cells->columns * cells->rows; i++)
		free(cells->cells[i]);
	for (size_t i = 0; cells->column && i < cells->columns; i++)
		free(cells->column[i].head);
	free(cells->cells);
	free(cells->column);
	*cells = (struct latex_cells){.columns = 0};
}

static bool same_cells(const struct latex_cells *cells, size_t a, size_t b, size_t columns)
{
	for (size_t i = 0; i < columns; i++)
		if (strcmp(latex_cell(cells, a, i), latex_cell(cells, b, i)) != 0)
			return false;
	return true;
}

size_t latex_cells_keys(const struct latex_cells *cells, size_t most)
{
	size_t keys = 1;

	for (size_t row = 1; row < cells->rows; row++)
		for (size_t other = 0; other < row; other++)
			while (same_cells(cells, row, other, keys))
				if (keys++ == most)
					return 1;
	return keys;
}
