// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topologies/topologies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/num.h"

#define FAIL(args, ...) \
	((args)->status != TR_OK ? (args)->status \
				 : ((args)->status = tr_fail(&(args)->err, __VA_ARGS__)))

void net_args_open(struct net_args *args, const char *text)
{
	char *rest;

	*args = (struct net_args){.status = TR_OK};
	if (!text)
		return;
	args->text = strdup(text);
	if (!args->text) {
		FAIL(args, TR_OUT_OF_MEMORY);
		return;
	}
	for (rest = args->text; rest;) {
		if (args->count == NET_ARGS_MAX) {
			FAIL(args, "more than %u words", NET_ARGS_MAX);
			return;
		}
		args->words[args->count++] = strsep(&rest, ",");
	}
}

static bool is_option(const char *word)
{
	return strchr(word, '=');
}

size_t net_args_values(const struct net_args *args)
{
	size_t values = 0;

	while (values < args->count && !is_option(args->words[values]))
		values++;
	return values;
}

static uint32_t topologies_parse(struct net_args *args, const char *name, const char *text,
				 uint32_t min, uint32_t max)
{
	struct tr_error why;
	uint64_t value = min;

	if (num_parse_count(text, min, max, &value, &why) == TR_OK)
		return (uint32_t)value;
	FAIL(args, "%s: %s", name, why.text);
	return min;
}

// The word of a value; NULL, and an error, if there is none.
static char *value_word(struct net_args *args, size_t index, const char *name)
{
	if (index >= net_args_values(args)) {
		FAIL(args, "expected %s", name);
		return NULL;
	}
	args->taken[index] = true;
	return args->words[index];
}

uint32_t net_args_count(struct net_args *args, size_t index, const char *name, uint32_t min,
			uint32_t max)
{
	const char *word = value_word(args, index, name);

	return word ? topologies_parse(args, name, word, min, max) : min;
}

// Cuts text, which may be NULL, into sizes.
static struct net_dimensions parse_dimensions(struct net_args *args, const char *name, char *text)
{
	struct net_dimensions dimensions = {.count = 0};

	while (text) {
		const char *word = strsep(&text, "x");

		if (dimensions.count == NET_DIMENSIONS_MAX) {
			FAIL(args, "more than %u dimensions", NET_DIMENSIONS_MAX);
			break;
		}
		dimensions.sizes[dimensions.count++] = topologies_parse(args, name, word, 1,
									UINT32_MAX);
	}
	return dimensions;
}

struct net_dimensions net_args_dimensions(struct net_args *args, size_t index)
{
	return parse_dimensions(args, "size of a dimension",
				value_word(args, index, "sizes such as 4x4"));
}

const char *net_args_text(struct net_args *args, size_t index, const char *name)
{
	return value_word(args, index, name);
}

uint32_t net_args_parse(struct net_args *args, const char *name, const char *text, size_t bytes,
			uint32_t min, uint32_t max)
{
	char word[24];

	snprintf(word, sizeof(word), "%.*s",
		 bytes < sizeof(word) ? (int)bytes : (int)sizeof(word) - 1, text);
	return topologies_parse(args, name, word, min, max);
}

// The text of an option, in the caller's own copy.
static char *option_text(struct net_args *args, const char *name)
{
	const size_t length = strlen(name);

	for (size_t i = net_args_values(args); i < args->count; i++) {
		if (args->taken[i] || strncmp(args->words[i], name, length) != 0 ||
		    args->words[i][length] != '=')
			continue;
		args->taken[i] = true;
		return args->words[i] + length + 1;
	}
	return NULL;
}

const char *net_args_option_text(struct net_args *args, const char *name)
{
	return option_text(args, name);
}

struct net_dimensions net_args_option_dimensions(struct net_args *args, const char *name,
						 uint32_t count)
{
	char *text = option_text(args, name);
	struct net_dimensions given = parse_dimensions(args, name, text);

	if (text && given.count != count)
		FAIL(args, "%s: %u numbers, expected %u", name, given.count, count);
	for (uint32_t i = 0; i < count && !text; i++)
		given.sizes[given.count++] = 1;
	return given;
}

uint32_t net_args_option(struct net_args *args, const char *name, uint32_t min, uint32_t max,
			 uint32_t usual)
{
	const char *text = net_args_option_text(args, name);

	return text ? topologies_parse(args, name, text, min, max) : usual;
}

uint32_t net_args_option_word(struct net_args *args, const char *name, const char *const words[],
			      uint32_t usual)
{
	const char *text = net_args_option_text(args, name);

	for (uint32_t i = 0; text && words[i]; i++)
		if (strcmp(words[i], text) == 0)
			return i;
	if (text)
		FAIL(args, "%s: unknown word \"%s\"", name, text);
	return usual;
}

void net_args_fail(struct net_args *args, const char *text)
{
	FAIL(args, "%s", text);
}

enum tr_status net_args_end(struct net_args *args, struct tr_error *err)
{
	for (size_t i = 0; i < args->count; i++)
		if (!args->taken[i])
			FAIL(args, "\"%s\" is one word too many", args->words[i]);
	return args->status == TR_OK ? TR_OK : tr_fail(err, "%s", args->err.text);
}

void net_args_clear(struct net_args *args)
{
	free(args->text);
	*args = (struct net_args){0};
}

#define ROW(name) &net_##name,

const struct net_generator *const net_generators[] = {NET_GENERATORS(ROW) NULL};

const struct net_generator *net_generator_find(const char *text)
{
	size_t length = strcspn(text, ":");

	for (size_t i = 0; net_generators[i]; i++)
		if (strlen(net_generators[i]->name) == length &&
		    memcmp(net_generators[i]->name, text, length) == 0)
			return net_generators[i];
	return NULL;
}

enum tr_status net_topology_make(struct net_topology *topology, const char *text,
				 struct tr_error *err)
{
	const struct net_generator *generator = net_generator_find(text);
	const char *colon = strchr(text, ':');
	struct tr_error why;
	struct net_args args;
	enum tr_status status;
	uint32_t planes;

	*topology = (struct net_topology){0};
	if (!generator)
		return tr_fail(err, "network \"%s\": unknown generator (see flitnet list)", text);
	net_args_open(&args, colon ? colon + 1 : NULL);
	planes = net_args_option(&args, "planes", 1, NET_PORTS_MAX, 1);
	status = generator->make(topology, &args, &why);
	net_args_clear(&args);
	if (status == TR_OK && planes > 1)
		status = net_planes_make(topology, planes, &why);
	if (status == TR_OK)
		return TR_OK;
	net_topology_clear(topology);
	return tr_fail(err, "network \"%s\" (%s%s%s): %s", text, generator->name,
		       *generator->arguments != '\0' ? ":" : "", generator->arguments, why.text);
}
