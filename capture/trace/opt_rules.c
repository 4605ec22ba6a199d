// SPDX-License-Identifier: GPL-3.0-or-later
// Options that have no effect beside others, or without them, are misuse: the rules of an option table.
#include "trace/opt.h"

#include <string.h>

#define WORDS_MAX 512

// Calls see for each word of a list with commas between, until it returns false; whether it never did.
static bool each_word(const char *list, bool (*see)(void *context, const char *word), void *context)
{
	char words[WORDS_MAX], *rest;

	(void)snprintf(words, sizeof(words), "%s", list);
	for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		if (!see(context, word))
			return false;
	return true;
}

// What a list of conditions comes to, and how it is said: "--links or --to stream".
struct conditions {
	const struct opt_set *set;
	bool met;
	char met_text[128], all_text[WORDS_MAX];
};

static size_t row_of(const struct opt_set *set, const char *name, size_t length)
{
	size_t row = 0;

	while (row < set->count && (!set->rows[row]->name || strncmp(set->rows[row]->name, name, length) != 0 ||
				    set->rows[row]->name[length] != '\0'))
		row++;
	return row;
}

// Whether the row has the value; a list that was not given stands for all words.
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
	const size_t row = row_of(set, word, length), used = strlen(conditions->all_text);
	char text[128];

	if (row == set->count)
		return false;
	(void)snprintf(text, sizeof(text), "--%.*s%s%s", (int)length, word, word[length] == '=' ? " " : "",
		       word[length] == '=' ? word + length + 1 : "");
	(void)snprintf(conditions->all_text + used, sizeof(conditions->all_text) - used, "%s%s", used > 0 ? " or " : "", text);
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
	const size_t row = row_of(offender->set, word, strlen(word));

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
			return tr_fail(err, "the rule \"%s\" of \"%s\" names an option that is not there", rule->metavar,
				       rule->name);
		if (!offender.name || conditions.met == only_with)
			continue;
		if (only_with)
			return tr_fail(err, "--%s has no effect without %.400s", offender.name, conditions.all_text);
		return tr_fail(err, "--%s does not go with %s", offender.name, conditions.met_text);
	}
	return TR_OK;
}
