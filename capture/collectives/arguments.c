// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>
#include <string.h>

#include "collectives/sequence.h"

#define WORD_BYTES 64u

static enum tr_status add_item(struct program_args *args, char *word)
{
	char *sign = strchr(word, '=');

	if (!sign || sign == word)
		return tr_fail(args->err, "program %s: \"%.60s\" is not KEY=VALUE", args->name,
			       word);
	*sign = '\0';
	if (args->count == PROGRAM_ARGS_MAX)
		return tr_fail(args->err, "program %s: more than %u keys", args->name,
			       PROGRAM_ARGS_MAX);
	for (size_t i = 0; i < args->count; i++)
		if (strcmp(args->items[i].key, word) == 0)
			return tr_fail(args->err, "program %s: the key %.60s is given twice",
				       args->name, word);
	args->items[args->count++] = (struct program_arg){.key = word, .value = sign + 1};
	return TR_OK;
}

enum tr_status program_args_parse(struct program_args *args, const char *text, struct tr_error *err)
{
	char *rest;

	*args = (struct program_args){.name = args->text, .usual = "", .err = err};
	if (strlen(text) >= sizeof(args->text) / 2)
		return tr_fail(err, "a program of more than %zu characters",
			       sizeof(args->text) / 2);
	snprintf(args->text, sizeof(args->text), "%s", text);
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
	snprintf(args->used, sizeof(args->used), "%s", args->name);
	return TR_OK;
}

// The key's default: up to the next comma. "" if the key has none.
static const char *usual_of(const struct program_args *args, const char *key, size_t *length)
{
	const char *at = args->usual;
	size_t key_length = strlen(key);

	while (*at) {
		size_t item = strcspn(at, ",");

		if (strncmp(at, key, key_length) == 0 && at[key_length] == '=') {
			*length = item - key_length - 1;
			return at + key_length + 1;
		}
		at += item + (at[item] == ',');
	}
	*length = 0;
	return "";
}

static void arguments_fail(struct program_args *args, const char *key, const struct tr_error *why)
{
	if (!args->failed)
		tr_fail(args->err, "program %s: %s: %s", args->name, key, why->text);
	args->failed = true;
}

// Copies the key's value, or its default, to word and returns it.
static const char *arguments_find(struct program_args *args, const char *key, char word[WORD_BYTES])
{
	size_t length;
	const char *usual = usual_of(args, key, &length);
	const char *value = usual;

	length = strcspn(usual, ",|");
	for (size_t i = 0; i < args->count; i++) {
		if (strcmp(args->items[i].key, key) != 0)
			continue;
		args->items[i].known = true;
		value = args->items[i].value;
		length = strlen(value);
	}
	if (length >= WORD_BYTES) {
		struct tr_error why;

		tr_fail(&why, "%.20s... is longer than %u characters", value, WORD_BYTES - 1);
		arguments_fail(args, key, &why);
		length = 0;
	}
	snprintf(word, WORD_BYTES, "%.*s", (int)length, value);
	return word;
}

static void arguments_write_down(struct program_args *args, const char *key, const char *value)
{
	size_t used = strlen(args->used);

	snprintf(args->used + used, sizeof(args->used) - used, "%c%s=%s",
		 strchr(args->used, ':') ? ',' : ':', key, value);
}

uint64_t program_args_count(struct program_args *args, const char *key, uint64_t min, uint64_t max)
{
	char word[WORD_BYTES];
	uint64_t count = min;
	struct tr_error why;

	if (num_parse_count(arguments_find(args, key, word), min, max, &count, &why) != TR_OK) {
		arguments_fail(args, key, &why);
		return min;
	}
	snprintf(word, sizeof(word), "%llu", (unsigned long long)count);
	arguments_write_down(args, key, word);
	return count;
}

struct num_ratio program_args_quantity(struct program_args *args, const char *key,
				       enum num_dimension dimension)
{
	char word[WORD_BYTES];
	struct num_ratio ratio = {0, 1};
	struct tr_error why;
	char text[80];

	arguments_find(args, key, word);
	if (num_parse(word, dimension, &ratio, &why) != TR_OK) {
		arguments_fail(args, key, &why);
	} else if (ratio.num < 0) {
		tr_fail(&why, "%s is below 0", word);
		arguments_fail(args, key, &why);
	}
	if (args->failed)
		return (struct num_ratio){0, 1};
	arguments_write_down(args, key, num_format_exact(ratio, dimension, text, sizeof(text)));
	return ratio;
}

uint64_t program_args_bytes(struct program_args *args, const char *key, uint64_t min, uint64_t max)
{
	struct num_ratio bytes = program_args_quantity(args, key, NUM_SIZE);
	struct tr_error why;

	if (args->failed)
		return min;
	if (bytes.den == 1 && (uint64_t)bytes.num >= min && (uint64_t)bytes.num <= max)
		return (uint64_t)bytes.num;
	tr_fail(&why, "expected %llu to %llu whole bytes", (unsigned long long)min,
		(unsigned long long)max);
	arguments_fail(args, key, &why);
	return min;
}

// The index of the word in "one|two|three" (length characters); their count if it is absent.
static unsigned place_in(const char *words, size_t length, const char *word)
{
	const char *end = words + length;
	unsigned place = 0;

	while (words < end) {
		size_t one = strcspn(words, "|,");

		if (strlen(word) == one && strncmp(words, word, one) == 0)
			return place;
		words += one + 1;
		place++;
	}
	return UINT32_MAX;
}

unsigned program_args_word(struct program_args *args, const char *key)
{
	char word[WORD_BYTES];
	size_t length;
	const char *words = usual_of(args, key, &length);
	unsigned place = place_in(words, length, arguments_find(args, key, word));
	struct tr_error why;

	if (place == UINT32_MAX) {
		tr_fail(&why, "\"%.40s\" is none of %.*s", word, (int)length, words);
		arguments_fail(args, key, &why);
		return 0;
	}
	arguments_write_down(args, key, word);
	return place;
}

static enum tr_status parse_grid(const char *text, uint64_t max, struct program_grid *out,
				 struct tr_error *err)
{
	uint64_t product = 1;

	for (const char *at = text;;) {
		size_t length = strcspn(at, "x");
		char digits[WORD_BYTES];
		uint64_t side;

		snprintf(digits, sizeof(digits), "%.*s", (int)length, at); // of a word, so it fits
		if (out->count == PROGRAM_SIDES_MAX)
			return tr_fail(err, "%s has more than %u sides", text, PROGRAM_SIDES_MAX);
		if (num_parse_count(digits, 1, UINT32_MAX, &side, err) != TR_OK)
			return TR_ERROR;
		if (side > max / product)
			return tr_fail(err, "%s is more than %llu in all", text,
				       (unsigned long long)max);
		product *= side;
		out->sides[out->count++] = (uint32_t)side;
		if (at[length] == '\0')
			return TR_OK;
		at += length + 1;
	}
}

struct program_grid program_args_grid(struct program_args *args, const char *key, uint64_t max)
{
	struct program_grid grid = {.sides = {1, 1, 1}};
	char word[WORD_BYTES];
	struct tr_error why;

	if (parse_grid(arguments_find(args, key, word), max, &grid, &why) != TR_OK) {
		arguments_fail(args, key, &why);
		return (struct program_grid){.sides = {1, 1, 1}, .count = 1};
	}
	arguments_write_down(args, key, word);
	return grid;
}

enum tr_status program_args_end(struct program_args *args)
{
	for (size_t i = 0; i < args->count && !args->failed; i++)
		if (!args->items[i].known)
			return tr_fail(args->err, "program %s: unknown key %.60s; its keys are %s",
				       args->name, args->items[i].key, args->usual);
	return args->failed ? TR_ERROR : TR_OK;
}

enum tr_status program_kind_take(const struct program_kind *kind, const char *text, void *state,
				 struct tr_error *err)
{
	struct program_shape shape = {0};
	struct program_args args;

	if (program_args_parse(&args, text, err) != TR_OK)
		return TR_ERROR;
	args.usual = kind->keys;
	if (kind->take(state, &args, &shape, err) != TR_OK)
		return TR_ERROR;
	return program_args_end(&args);
}

uint64_t grid_size(const struct program_grid *grid)
{
	uint64_t size = 1;

	for (unsigned side = 0; side < grid->count; side++)
		size *= grid->sides[side];
	return size;
}

uint32_t grid_neighbour(const struct program_grid *grid, uint32_t rank, unsigned side, bool on,
			bool periodic)
{
	const uint32_t length = grid->sides[side];
	uint32_t stride = 1, place, there; // along the side

	for (unsigned later = side + 1; later < grid->count; later++)
		stride *= grid->sides[later];
	place = rank / stride % length;
	there = (on ? place + 1 : place + length - 1) % length;
	if (!periodic && place == (on ? length - 1 : 0))
		return GRID_NOBODY;
	return rank - place * stride + there * stride;
}
