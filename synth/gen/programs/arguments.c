// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/arguments.h"

#include <stdio.h>
#include <string.h>

static enum tr_status add_item(struct program_args *args, char *word)
{
	char *sign = strchr(word, '=');

	if (!sign || sign == word)
		return tr_fail(args->err, "program %s: \"%.60s\" is not KEY=VALUE", args->name, word);
	*sign = '\0';
	if (args->count == PROGRAM_ARGS_MAX)
		return tr_fail(args->err, "program %s: more than %u keys", args->name,
			       PROGRAM_ARGS_MAX);
	for (size_t i = 0; i < args->count; i++)
		if (strcmp(args->items[i].key, word) == 0)
			return tr_fail(args->err, "program %s: the key %.60s stands twice",
				       args->name, word);
	args->items[args->count++] = (struct program_arg){.key = word, .value = sign + 1};
	return TR_OK;
}

enum tr_status program_args_parse(struct program_args *args, const char *text,
				  struct tr_error *err)
{
	char *rest;

	*args = (struct program_args){.name = args->text, .err = err};
	if (strlen(text) >= sizeof args->text / 2)
		return tr_fail(err, "a program of more than %zu characters", sizeof args->text / 2);
	snprintf(args->text, sizeof args->text, "%s", text);
	rest = strchr(args->text, ':');
	if (rest)
		*rest++ = '\0';
	while (rest) {
		char *word = rest;

		rest = strchr(word, ',');
		if (rest)
			*rest++ = '\0';
		if (add_item(args, word) != TR_OK)
			return TR_ERROR;
	}
	snprintf(args->used, sizeof args->used, "%s", args->name);
	return TR_OK;
}

static const char *find(struct program_args *args, const char *key)
{
	for (size_t i = 0; i < args->count; i++) {
		if (strcmp(args->items[i].key, key) != 0)
			continue;
		args->items[i].known = true;
		return args->items[i].value;
	}
	return NULL;
}

static void write_down(struct program_args *args, const char *key, const char *value)
{
	size_t used = strlen(args->used);

	snprintf(args->used + used, sizeof args->used - used, "%c%s=%s",
		 strchr(args->used, ':') ? ',' : ':', key, value);
}

static void fail(struct program_args *args, const char *key, const struct tr_error *why)
{
	if (!args->failed)
		tr_fail(args->err, "program %s: %s: %s", args->name, key, why->text);
	args->failed = true;
}

uint64_t program_args_count(struct program_args *args, const char *key, uint64_t usual,
			    uint64_t min, uint64_t max)
{
	const char *value = find(args, key);
	uint64_t count = usual;
	struct tr_error why;
	char text[32];

	if (value && num_parse_count(value, min, max, &count, &why) != TR_OK) {
		fail(args, key, &why);
		count = usual;
	}
	snprintf(text, sizeof text, "%llu", (unsigned long long)count);
	write_down(args, key, text);
	return count;
}

struct num_ratio program_args_quantity(struct program_args *args, const char *key,
				       const char *usual, enum num_dimension dimension)
{
	const char *value = find(args, key);
	struct num_ratio ratio = {0, 1};
	struct tr_error why;
	char text[80];

	if (num_parse(value ? value : usual, dimension, &ratio, &why) != TR_OK) {
		fail(args, key, &why);
	} else if (ratio.num < 0) {
		tr_fail(&why, "%s is below 0", value);
		fail(args, key, &why);
	}
	if (args->failed)
		return (struct num_ratio){0, 1};
	write_down(args, key, num_format_exact(ratio, dimension, text, sizeof text));
	return ratio;
}

enum tr_status program_args_end(struct program_args *args)
{
	for (size_t i = 0; i < args->count && !args->failed; i++)
		if (!args->items[i].known)
			return tr_fail(args->err, "program %s: unknown key %.60s; see --help",
				       args->name, args->items[i].key);
	return args->failed ? TR_ERROR : TR_OK;
}
