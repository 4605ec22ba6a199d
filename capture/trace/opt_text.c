// SPDX-License-Identifier: GPL-3.0-or-later
// The values of options as text: in the provenance, and the defaults in the help.
#include "trace/opt.h"

#include <inttypes.h>
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
	case OPT_TYPE_COUNT: (void)snprintf(out, out_bytes, "%" PRIu64, *(const uint64_t *)opt->value); break;
	case OPT_TYPE_REAL: (void)num_format_real(*(const double *)opt->value, 6, out, out_bytes); break;
	case OPT_TYPE_STRING:
		string = *(const char *const *)opt->value;
		if (string)
			(void)snprintf(out, out_bytes, "%s", opt->flags & OPT_PATH ? base_name(string) : string);
		break;
	case OPT_TYPE_QUANTITY:
		if (quantity->den)
			num_format_exact(*quantity, opt->dimension, out, out_bytes);
		break;
	case OPT_TYPE_CHOICE: (void)snprintf(out, out_bytes, "%s", choice_word(opt, *(const int *)opt->value)); break;
	case OPT_TYPE_FLAG:
	case OPT_TYPE_LIST:
	case OPT_TYPE_ONLY_WITH:
	case OPT_TYPE_NOT_WITH:
	case OPT_TYPE_GROUP:
	case OPT_TYPE_OLD:
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
			write_line(row, row->flags & OPT_PATH ? base_name(list->words[word]) : list->words[word], out);
	}
}
