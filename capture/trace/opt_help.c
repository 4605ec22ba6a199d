// SPDX-License-Identifier: GPL-3.0-or-later
// The help that --help prints, from the option table.
#include "trace/opt.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define WIDTH 80
#define LEFT_MAX 28 // widest column of options; the help of a wider one starts on the next line

// "  -b, --bin=TIME" as the row is written; returns its width.
static int write_left(const struct opt *row, char *out, size_t out_bytes)
{
	char words[128] = "";
	size_t used = 0;
	char letter[8] = "    ";

	if (row->letter)
		(void)snprintf(letter, sizeof(letter), row->name ? "-%c, " : "-%c", row->letter);
	if (row->type == OPT_TYPE_CHOICE && !row->metavar)
		for (const struct opt_choice *choice = row->choices; choice->word; choice++)
			if (used < sizeof(words))
				used += (size_t)snprintf(words + used, sizeof(words) - used, "%s%s", used ? "|" : "",
							 choice->word);
	if (row->flags & OPT_OPTIONAL)
		return snprintf(out, out_bytes, "  %s--%s[=%s]", letter, row->name, row->metavar);
	return snprintf(out, out_bytes, "  %s%s%s%s%s", letter, row->name ? "--" : "", row->name ? row->name : "",
			row->type == OPT_TYPE_FLAG ? ""
			: row->name		   ? "="
						   : " ",
			row->type == OPT_TYPE_FLAG ? ""
			: row->metavar		   ? row->metavar
						   : words);
}

// The default as text; "" where there is none worth saying.
static const char *default_text(const struct opt_set *set, size_t row, char *out, size_t out_bytes)
{
	const struct opt *opt = set->rows[row];
	const union opt_value *value = &set->defaults[row];
	const struct opt_choice *choice = opt->choices;

	*out = '\0';
	if (opt->type == OPT_TYPE_COUNT && value->count)
		(void)snprintf(out, out_bytes, "%" PRIu64, value->count);
	if (opt->type == OPT_TYPE_REAL && isfinite(value->real) && value->real != 0)
		(void)snprintf(out, out_bytes, "%.6g", value->real);
	if (opt->type == OPT_TYPE_STRING && value->string)
		(void)snprintf(out, out_bytes, "%s", value->string);
	if (opt->type == OPT_TYPE_QUANTITY && value->quantity.den && value->quantity.num)
		num_format(value->quantity, opt->dimension, out, out_bytes);
	for (; opt->type == OPT_TYPE_CHOICE && choice->word; choice++)
		if (choice->value == value->choice) {
			(void)snprintf(out, out_bytes, "%s", choice->word);
			break;
		}
	return out;
}

// Writes text from column `at` on, broken at blanks, lines after the first beginning at column indent.
static void write_wrapped(const char *text, int at, int indent, FILE *out)
{
	int column = at;

	while (*text) {
		int length = (int)strcspn(text, " ");

		if (column > indent && column + 1 + length > WIDTH) {
			(void)fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			(void)putc(' ', out);
			column++;
		}
		(void)fwrite(text, 1, (size_t)length, out);
		column += length;
		text += length;
		text += *text == ' ';
	}
	(void)putc('\n', out);
}

static void write_row(const struct opt_set *set, size_t row, int left_width, FILE *out)
{
	char left[256];
	char value[128];
	char help[768];
	int length = write_left(set->rows[row], left, sizeof(left));

	(void)fputs(left, out);
	if (length + 2 > left_width)
		(void)fprintf(out, "\n%*s", left_width, "");
	else
		(void)fprintf(out, "%*s", left_width - length, "");
	default_text(set, row, value, sizeof(value));
	(void)snprintf(help, sizeof(help), *value ? "%s [default: %s]" : "%s", set->rows[row]->help, value);
	write_wrapped(help, left_width, left_width, out);
}

void opt_help(const struct opt_set *set, const char *name, const char *synopsis, const char *summary, FILE *out)
{
	int left_width = 0;
	char left[256];

	(void)fprintf(out, "usage: %s ", name);
	write_wrapped(synopsis, 8 + (int)strlen(name), 8 + (int)strlen(name), out);
	write_wrapped(summary, 0, 0, out);
	(void)putc('\n', out);
	for (size_t i = 0; i < set->count; i++) {
		int length = write_left(set->rows[i], left, sizeof(left)) + 2;

		if (length > left_width && length <= LEFT_MAX)
			left_width = length;
	}
	for (size_t i = 0; i < set->count; i++) {
		if (set->headings[i])
			(void)fprintf(out, "%s:\n", set->headings[i]);
		write_row(set, i, left_width, out);
	}
}
