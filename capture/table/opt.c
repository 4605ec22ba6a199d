// SPDX-License-Identifier: GPL-3.0-or-later
#include "table/opt.h"
#include "value/grow.h"

#include <assert.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct opt_choice opt_levels[] = {
	{"90", 90, "percent: narrow intervals, wrong one time in 10"},
	{"95", 95, "percent: wrong one time in 20"},
	{"99", 99, "percent: wide intervals, wrong one time in 100"},
	{NULL, 0}};

#define ROW_CODE 256 // getopt_long returns ROW_CODE + row for a long name

static union opt_value opt_value_of(const struct opt *row)
{
	union opt_value value = {.count = 0};

	switch (row->type) {
	case OPT_TYPE_FLAG: value.flag = *(const bool *)row->value; break;
	case OPT_TYPE_COUNT: value.count = *(const uint64_t *)row->value; break;
	case OPT_TYPE_REAL: value.real = *(const double *)row->value; break;
	case OPT_TYPE_STRING: value.string = *(const char *const *)row->value; break;
	case OPT_TYPE_QUANTITY: value.quantity = *(const struct num_ratio *)row->value; break;
	case OPT_TYPE_CHOICE: value.choice = *(const int *)row->value; break;
	case OPT_TYPE_LIST:
	case OPT_TYPE_ONLY_WITH:
	case OPT_TYPE_NOT_WITH:
	case OPT_TYPE_GROUP:
	case OPT_TYPE_END: break;
	}
	return value;
}

static void opt_add_rows(struct opt_set *set, const struct opt *rows)
{
	const char *heading = NULL;

	for (; rows && rows->type != OPT_TYPE_END; rows++) {
		if (rows->type == OPT_TYPE_GROUP) {
			heading = rows->name;
			continue;
		}
		if (rows->type == OPT_TYPE_ONLY_WITH || rows->type == OPT_TYPE_NOT_WITH) {
			assert(set->rule_count < OPT_RULES_MAX);
			set->rules[set->rule_count++] = rows;
			continue;
		}
		assert(set->count < OPT_ROWS_MAX);
		set->rows[set->count] = rows;
		set->defaults[set->count] = opt_value_of(rows);
		set->headings[set->count] = heading;
		set->count++;
		heading = NULL;
	}
}

void opt_set_make(struct opt_set *set, const struct opt *own, const struct opt *common)
{
	size_t own_count;

	*set = (struct opt_set){.count = 0};
	opt_add_rows(set, own);
	own_count = set->count;
	opt_add_rows(set, common);
	if (own_count > 0 && own_count < set->count && set->headings[0])
		set->headings[own_count] = "General";
}

static const struct opt_choice *find_choice(const struct opt *row, const char *text)
{
	for (const struct opt_choice *choice = row->choices; choice && choice->word; choice++)
		if (!strcmp(choice->word, text))
			return choice;
	return NULL;
}

const char *opt_words(const struct opt_choice *choices, char *out, size_t out_bytes)
{
	size_t used = 0;

	*out = '\0';
	for (const struct opt_choice *choice = choices; choice->word && used < out_bytes; choice++)
		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", used > 0 ? " " : "",
					 choice->word);
	return out;
}

static enum tr_status refuse_word(const struct opt *row, const char *text, struct tr_error *err)
{
	char words[384];

	return tr_fail(err, "'%.50s' is not one of %s", text,
		       opt_words(row->choices, words, sizeof(words)));
}

static enum tr_status set_choice(const struct opt *row, const char *text, struct tr_error *err)
{
	const struct opt_choice *choice = find_choice(row, text);

	if (!choice)
		return refuse_word(row, text, err);
	*(int *)row->value = choice->value;
	return TR_OK;
}

static enum tr_status set_quantity(const struct opt *row, const char *text, struct tr_error *err)
{
	struct num_ratio value;

	if (num_parse(text, row->dimension, &value, err) != TR_OK)
		return TR_ERROR;
	if (value.num < 0 && !(row->flags & OPT_SIGNED))
		return tr_fail(err, "'%.100s' is negative", text);
	*(struct num_ratio *)row->value = value;
	return TR_OK;
}

static enum tr_status add_word(struct opt_list *list, const char *text, struct tr_error *err)
{
	if (!GROW_BY_COUNT(list->words, list->count))
		return tr_no_memory(err, "the words of an option");
	list->words[list->count++] = text;
	return TR_OK;
}

static enum tr_status set_value(const struct opt *row, const char *text, struct tr_error *err)
{
	switch (row->type) {
	case OPT_TYPE_COUNT:
		return num_parse_count(text, row->flags & OPT_ABOVE_ZERO ? 1 : 0,
				       row->max ? row->max : UINT64_MAX, row->value, err);
	case OPT_TYPE_REAL: return num_parse_real(text, row->value, err);
	case OPT_TYPE_QUANTITY: return set_quantity(row, text, err);
	case OPT_TYPE_CHOICE: return set_choice(row, text, err);
	case OPT_TYPE_LIST:
		if (row->choices && !(row->flags & OPT_OPEN) && !find_choice(row, text))
			return refuse_word(row, text, err);
		return add_word(row->value, text, err);
	case OPT_TYPE_STRING: *(const char **)row->value = text; break;
	case OPT_TYPE_FLAG: *(bool *)row->value = true; break;
	case OPT_TYPE_ONLY_WITH:
	case OPT_TYPE_NOT_WITH:
	case OPT_TYPE_GROUP:
	case OPT_TYPE_END: break;
	}
	return TR_OK;
}

// The option as the user writes it.
static const char *spelling(const struct opt *row, char *out, size_t out_bytes)
{
	if (row->name)
		(void)snprintf(out, out_bytes, "--%s", row->name);
	else
		(void)snprintf(out, out_bytes, "-%c", row->letter);
	return out;
}

// Row for a result of getopt_long, set->count if none.
static size_t find_row(const struct opt_set *set, int code)
{
	size_t row;

	if (code >= ROW_CODE)
		return (size_t)(code - ROW_CODE);
	for (row = 0; row < set->count && set->rows[row]->letter != code; row++)
		;
	return row;
}

bool opt_has_words(const struct opt *row)
{
	return row->choices || row->list;
}

const struct opt *opt_find_words(const struct opt_set *set, const char *name)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rows[i]->name && strcmp(set->rows[i]->name, name) == 0 &&
		    opt_has_words(set->rows[i]))
			return set->rows[i];
	return NULL;
}

static enum tr_status opt_take(struct opt_set *set, size_t row, const char *text,
			       struct tr_error *err)
{
	const enum opt_type type = set->rows[row]->type;
	char option[64];

	if (set->given[row] && type != OPT_TYPE_FLAG && type != OPT_TYPE_LIST)
		return tr_fail(err,
			       "option '%s' takes one value: it is given as '%.150s' and again as "
			       "'%.150s'",
			       spelling(set->rows[row], option, sizeof(option)), set->texts[row],
			       text);
	set->given[row] = true;
	set->texts[row] = text;
	if (opt_has_words(set->rows[row]) && strcmp(text, "list") == 0 &&
	    !find_choice(set->rows[row], text)) {
		set->listed = set->rows[row];
		return TR_OK;
	}
	if (set_value(set->rows[row], text, err) == TR_OK)
		return TR_OK;
	return tr_fail_in(err, "option '%s'", spelling(set->rows[row], option, sizeof(option)));
}

// Describes what getopt_long found wrong: answer '?' or ':', with optopt and the word before
// optind.
static enum tr_status misuse(const struct opt_set *set, int answer, char **argv,
			     struct tr_error *err)
{
	size_t row = optopt ? find_row(set, optopt) : set->count;
	const char *word = argv[optind - 1];
	const char *hint = NULL;
	char option[64];
	char text[128];

	if (row < set->count) {
		spelling(set->rows[row], option, sizeof(option));
		return tr_fail(err, "option '%s' %s", option,
			       answer == ':' ? "needs a value" : "takes no value");
	}
	if (optopt)
		return tr_fail(err, "unknown option '-%c'", optopt);
	(void)snprintf(option, sizeof(option), "%.*s", (int)strcspn(word + 2, "="), word + 2);
	hint = set->hint ? set->hint(option, text, sizeof(text)) : NULL;
	if (hint)
		return tr_fail(err, "unknown option '--%s'; write %s", option, hint);
	return tr_fail(err, "unknown or ambiguous option '%.100s'", word);
}

enum tr_status opt_parse(struct opt_set *set, int argc, char **argv, int *operand,
			 struct tr_error *err)
{
	struct option names[OPT_ROWS_MAX + 1] = {{0}};
	char letters[2 * OPT_ROWS_MAX + 3] = "+:";
	size_t name_count = 0;
	size_t letter_count = 2;
	int answer;

	for (size_t i = 0; i < set->count; i++) {
		const struct opt *row = set->rows[i];
		const int has_value = row->type == OPT_TYPE_FLAG  ? no_argument
				      : row->flags & OPT_OPTIONAL ? optional_argument
								  : required_argument;

		if (row->letter)
			letters[letter_count++] = (char)row->letter;
		if (row->letter && has_value)
			letters[letter_count++] = ':';
		if (row->name)
			names[name_count++] = (struct option){row->name, has_value, NULL,
							      ROW_CODE + (int)i};
	}
	opterr = 0;
	optind = 0; // GNU: start anew
	while ((answer = getopt_long(argc, argv, letters + !set->command, names, NULL)) != -1) {
		if (answer == '?' || answer == ':')
			return misuse(set, answer, argv, err);
		if (opt_take(set, find_row(set, answer), optarg ? optarg : "", err) != TR_OK)
			return TR_ERROR;
	}
	*operand = optind;
	return set->listed ? TR_OK : opt_check_rules(set, err);
}

bool opt_given(const struct opt_set *set, const char *name)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->rows[i]->name && !strcmp(set->rows[i]->name, name))
			return set->given[i];
	return false;
}

static bool opt_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool opt_changed(const struct opt_set *set, size_t row)
{
	union opt_value now = opt_value_of(set->rows[row]);
	const union opt_value *before = &set->defaults[row];

	switch (set->rows[row]->type) {
	case OPT_TYPE_FLAG: return now.flag != before->flag;
	case OPT_TYPE_COUNT: return now.count != before->count;
	case OPT_TYPE_REAL: return memcmp(&now.real, &before->real, sizeof(now.real)) != 0;
	case OPT_TYPE_STRING: return !opt_same_text(now.string, before->string);
	case OPT_TYPE_QUANTITY:
		return now.quantity.num != before->quantity.num ||
		       now.quantity.den != before->quantity.den;
	case OPT_TYPE_CHOICE: return now.choice != before->choice;
	case OPT_TYPE_LIST: return ((const struct opt_list *)set->rows[row]->value)->count > 0;
	case OPT_TYPE_ONLY_WITH:
	case OPT_TYPE_NOT_WITH:
	case OPT_TYPE_GROUP:
	case OPT_TYPE_END: break;
	}
	return false;
}

void opt_set_clear(struct opt_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		struct opt_list *list = set->rows[i]->value;

		if (set->rows[i]->type != OPT_TYPE_LIST)
			continue;
		free(list->words);
		*list = (struct opt_list){NULL, 0};
	}
}

enum tr_status opt_each_item(const char *word,
			     enum tr_status (*each)(void *context, char *item,
						    struct tr_error *err),
			     void *context, struct tr_error *err)
{
	char *copy = strdup(word), *rest = copy, *item;
	enum tr_status status = copy ? TR_OK : tr_no_memory(err, "%s", word);

	while (status == TR_OK && (item = strsep(&rest, ",")) != NULL)
		status = each(context, item, err);
	free(copy);
	return status;
}

enum tr_status opt_each_file(const struct opt_set *set,
			     enum tr_status (*each)(void *context, const char *path, bool written,
						    struct tr_error *err),
			     void *context, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (size_t i = 0; i < set->count && status == TR_OK; i++) {
		const struct opt *row = set->rows[i];
		const bool written = row->flags & OPT_WRITTEN;

		if (!(row->flags & OPT_PATH) || row->flags & OPT_WORD)
			continue;
		if (row->type == OPT_TYPE_STRING && *(const char **)row->value)
			status = each(context, *(const char **)row->value, written, err);
		if (row->type == OPT_TYPE_LIST) {
			const struct opt_list *list = row->value;

			for (size_t word = 0; word < list->count && status == TR_OK; word++)
				status = each(context, list->words[word], written, err);
		}
	}
	return status;
}

// ---- the rules of an option table: options without effect, because of other options given or
// missing, are misuse

#define WORDS_MAX 512

// Calls see for each word of a comma-separated list until it returns false; returns whether it
// never did.
static bool each_word(const char *list, bool (*see)(void *context, const char *word), void *context)
{
	char words[WORDS_MAX], *rest;

	(void)snprintf(words, sizeof(words), "%s", list);
	for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		if (!see(context, word))
			return false;
	return true;
}

// The result of a list of conditions, and its text: "--links or --format stream".
struct conditions {
	const struct opt_set *set;
	bool met;
	char met_text[128], all_text[WORDS_MAX];
};

static size_t opt_row_of(const struct opt_set *set, const char *name, size_t length)
{
	size_t row = 0;

	while (row < set->count &&
	       (!set->rows[row]->name || strncmp(set->rows[row]->name, name, length) != 0 ||
		set->rows[row]->name[length] != '\0'))
		row++;
	return row;
}

// Whether the row has the value; a list not given has all words.
static bool has_value(const struct opt_set *set, size_t row, const char *word)
{
	const struct opt_list *list = set->rows[row]->value;
	char value[128];
	bool has = false;

	if (set->rows[row]->type != OPT_TYPE_LIST)
		return strcmp(opt_value_text(set, row, value, sizeof(value)), word) == 0;
	for (size_t i = 0; i < list->count && !has; i++)
		has = strcmp(list->words[i], word) == 0;
	return has || list->count == 0;
}

static bool see_condition(void *context, const char *word)
{
	struct conditions *conditions = context;
	const struct opt_set *set = conditions->set;
	const size_t length = strcspn(word, "=");
	const size_t row = opt_row_of(set, word, length), used = strlen(conditions->all_text);
	char text[128];

	if (row == set->count)
		return false;
	(void)snprintf(text, sizeof(text), "--%.*s%s%s", (int)length, word,
		       word[length] == '=' ? " " : "",
		       word[length] == '=' ? word + length + 1 : "");
	(void)snprintf(conditions->all_text + used, sizeof(conditions->all_text) - used, "%s%s",
		       used > 0 ? " or " : "", text);
	if (word[length] == '=' ? !has_value(set, row, word + length + 1) : !set->given[row])
		return true;
	if (!conditions->met)
		memcpy(conditions->met_text, text, sizeof(text));
	conditions->met = true;
	return true;
}

// The first of a rule's options that was given.
struct offender {
	const struct opt_set *set;
	const char *name;
	bool unknown;
};

static bool see_option(void *context, const char *word)
{
	struct offender *offender = context;
	const size_t row = opt_row_of(offender->set, word, strlen(word));

	offender->unknown = row == offender->set->count;
	if (!offender->unknown && offender->set->given[row])
		offender->name = offender->set->rows[row]->name;
	return !offender->unknown && !offender->name;
}

enum tr_status opt_check_rules(const struct opt_set *set, struct tr_error *err)
{
	for (size_t i = 0; i < set->rule_count; i++) {
		const struct opt *rule = set->rules[i];
		const bool only_with = rule->type == OPT_TYPE_ONLY_WITH;
		struct conditions conditions = {.set = set};
		struct offender offender = {.set = set};

		(void)each_word(rule->name, see_option, &offender);
		if (offender.unknown || !each_word(rule->metavar, see_condition, &conditions))
			return tr_fail(
				err, "the rule \"%s\" of \"%s\" names an option that is not there",
				rule->metavar, rule->name);
		if (!offender.name || conditions.met == only_with)
			continue;
		if (only_with)
			return tr_fail(err, "--%s has no effect without %.400s", offender.name,
				       conditions.all_text);
		return tr_fail(err, "--%s cannot be combined with %s", offender.name,
			       conditions.met_text);
	}
	return TR_OK;
}
