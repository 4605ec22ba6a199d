// SPDX-License-Identifier: GPL-3.0-or-later
// The values of options as text, for the provenance and as defaults in the help, and the text of
// --help.
#include "table/opt.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *choice_word(const struct opt *row, int value)
{
	for (const struct opt_choice *choice = row->choices; choice->word; choice++)
		if (choice->value == value)
			return choice->word;
	return "";
}

// A path without its directories.
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

const char *opt_value_text(const struct opt_set *set, size_t row, char *out, size_t out_bytes)
{
	const struct opt *opt = set->rows[row];
	const struct num_ratio *quantity = opt->value;
	const char *string;

	*out = '\0';
	switch (opt->type) {
	case OPT_TYPE_COUNT:
		(void)snprintf(out, out_bytes, "%" PRIu64, *(const uint64_t *)opt->value);
		break;
	case OPT_TYPE_REAL:
		(void)num_format_real(*(const double *)opt->value, 6, out, out_bytes);
		break;
	case OPT_TYPE_STRING:
		string = *(const char *const *)opt->value;
		if (string)
			(void)snprintf(out, out_bytes, "%s",
				       opt->flags & OPT_PATH ? base_name(string) : string);
		break;
	case OPT_TYPE_QUANTITY:
		if (quantity->den)
			num_format_exact(*quantity, opt->dimension, out, out_bytes);
		break;
	case OPT_TYPE_CHOICE:
		(void)snprintf(out, out_bytes, "%s", choice_word(opt, *(const int *)opt->value));
		break;
	case OPT_TYPE_FLAG:
	case OPT_TYPE_LIST:
	case OPT_TYPE_ONLY_WITH:
	case OPT_TYPE_NOT_WITH:
	case OPT_TYPE_GROUP:
	case OPT_TYPE_END: break;
	}
	return out;
}

// One line of the record; value NULL: a flag.
static void write_line(const struct opt *row, const char *value, FILE *out)
{
	if (row->name)
		(void)fprintf(out, "--%s", row->name);
	else
		(void)fprintf(out, "-%c", row->letter);
	if (value)
		(void)putc('=', out);
	for (; value && *value; value++)
		(void)putc((unsigned char)*value < ' ' || *value == 0x7f ? '?' : *value, out);
	(void)putc('\n', out);
}

void opt_record(const struct opt_set *set, FILE *out)
{
	char text[1024];

	for (size_t i = 0; i < set->count; i++) {
		const struct opt *row = set->rows[i];
		const struct opt_list *list = row->value;

		if ((row->flags & OPT_SILENT) || !(set->given[i] || opt_changed(set, i)))
			continue;
		if (row->type == OPT_TYPE_FLAG)
			write_line(row, NULL, out);
		else if (row->type != OPT_TYPE_LIST)
			write_line(row, opt_value_text(set, i, text, sizeof(text)), out);
		for (size_t word = 0; row->type == OPT_TYPE_LIST && word < list->count; word++)
			write_line(row,
				   row->flags & OPT_PATH ? base_name(list->words[word])
							 : list->words[word],
				   out);
	}
}

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
				used += (size_t)snprintf(words + used, sizeof(words) - used, "%s%s",
							 used ? "|" : "", choice->word);
	if (row->flags & OPT_OPTIONAL)
		return snprintf(out, out_bytes, "  %s--%s[=%s]", letter, row->name, row->metavar);
	return snprintf(out, out_bytes, "  %s%s%s%s%s", letter, row->name ? "--" : "",
			row->name ? row->name : "",
			row->type == OPT_TYPE_FLAG ? ""
			: row->name		   ? "="
						   : " ",
			row->type == OPT_TYPE_FLAG ? ""
			: row->metavar		   ? row->metavar
						   : words);
}

// A quantity as it is given: exact, and a rate in bits, as the pages have it.
static void quantity_text(const struct opt *opt, struct num_ratio quantity, char *out,
			  size_t out_bytes)
{
	char *blank;

	if (opt->dimension != NUM_RATE) {
		num_format_exact(quantity, opt->dimension, out, out_bytes);
		return;
	}
	num_format(quantity, opt->dimension, out, out_bytes);
	blank = strchr(out, ' ');
	if (blank)
		memmove(blank, blank + 1, strlen(blank));
}

// The default as text; "" if not worth printing.
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
		quantity_text(opt, value->quantity, out, out_bytes);
	for (; opt->type == OPT_TYPE_CHOICE && choice->word; choice++)
		if (choice->value == value->choice) {
			(void)snprintf(out, out_bytes, "%s", choice->word);
			break;
		}
	return out;
}

// Writes text from column `at` on, broken at blanks, with later lines indented to column indent.
static void opt_help_write_wrapped(const char *text, int at, int indent, FILE *out)
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
	(void)snprintf(help, sizeof(help), *value ? "%s [default: %s]" : "%s", set->rows[row]->help,
		       value);
	opt_help_write_wrapped(help, left_width, left_width, out);
}

void opt_help(const struct opt_set *set, const char *name, const char *synopsis,
	      const char *summary, FILE *out)
{
	int left_width = 0;
	char left[256];

	(void)fprintf(out, "usage: %s ", name);
	opt_help_write_wrapped(synopsis, 8 + (int)strlen(name), 8 + (int)strlen(name), out);
	opt_help_write_wrapped(summary, 0, 0, out);
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
