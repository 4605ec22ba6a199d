// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/time_independent.h"

#include <math.h>
#include <string.h>

enum tr_status ti_fail(struct ti_reading *reading, struct tr_error *err, const char *what,
		       const char *word)
{
	return tr_lines_fail(&reading->lines, err, "expected %s, found \"%.40s\"", what, word);
}

// Bytes of the types by SimGrid's numbers.
static const uint8_t type_bytes[] = {8,	 4,  1, 2, 8, 4,  1, 8,	 1,  1,	 2, 4, 8, 8,  16, 4, 1, 1,
				     2,	 4,  8, 1, 2, 4,  8, 8,	 16, 32, 8, 8, 8, 16, 16, 8, 8, 8,
				     16, 16, 4, 4, 8, 16, 8, 16, 32, 1,	 2, 4, 8, 16, 32, 0, 0, 1};

bool ti_split(struct ti_reading *reading, char *line)
{
	char *rest = NULL;

	reading->count = 0;
	for (char *word = strtok_r(line, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
		reading->words[reading->count++] = word;
	return reading->count > 0;
}

enum tr_status ti_need(struct ti_reading *reading, size_t words, struct tr_error *err)
{
	if (reading->count >= words + 2)
		return TR_OK;
	return tr_lines_fail(&reading->lines, err,
			     "expected at least %zu words after \"%.40s\", found %zu", words,
			     reading->words[1], reading->count - 2);
}

enum tr_status ti_real(struct ti_reading *reading, size_t word, double *out, struct tr_error *err)
{
	if (num_parse_real(reading->words[word], out, NULL) == TR_OK && *out >= 0)
		return TR_OK;
	return ti_fail(reading, err, "a number of 0 or more", reading->words[word]);
}

enum tr_status ti_rank(struct ti_reading *reading, size_t word, uint32_t *out, struct tr_error *err)
{
	uint64_t number;

	if (num_parse_count(reading->words[word], 0, reading->events->ranks - 1, &number, NULL) !=
	    TR_OK)
		return ti_fail(reading, err, "a rank", reading->words[word]);
	*out = (uint32_t)number;
	return TR_OK;
}

// Any source: -1, in older traces; MPI_ANY_SOURCE; MPI_UNDEFINED, which SimGrid takes for the rank
// of any source.
enum tr_status ti_peer(struct ti_reading *reading, size_t word, uint32_t *out, struct tr_error *err)
{
	const char *text = reading->words[word];

	if (strcmp(text, "-1") == 0 || strcmp(text, "-333") == 0 || strcmp(text, "-555") == 0)
		*out = EVENT_ANY;
	else if (strcmp(text, "-666") == 0)
		*out = EVENT_NOBODY;
	else
		return ti_rank(reading, word, out, err);
	return TR_OK;
}

// Any tag: -1, in older traces; MPI_ANY_TAG.
enum tr_status ti_tag(struct ti_reading *reading, size_t word, int32_t *out, struct tr_error *err)
{
	int64_t number;

	if (num_parse_signed(reading->words[word], INT32_MIN + 1, INT32_MAX, &number, NULL) !=
	    TR_OK)
		return ti_fail(reading, err, "a tag", reading->words[word]);
	*out = number == -1 || number == -444 ? EVENT_ANY_TAG : (int32_t)number;
	return TR_OK;
}

// The bytes of a count and the word of its type, if there is one.
enum tr_status ti_bytes(struct ti_reading *reading, size_t word, size_t type_word, uint64_t *out,
			struct tr_error *err)
{
	uint64_t type = reading->clocks[reading->rank].type;
	double count;

	if (ti_real(reading, word, &count, err) != TR_OK)
		return TR_ERROR;
	if (type_word < reading->count &&
	    num_parse_count(reading->words[type_word], 0, sizeof(type_bytes) - 1, &type, NULL) !=
		    TR_OK)
		return ti_fail(reading, err, "the number of a type", reading->words[type_word]);
	if (count * type_bytes[type] >= TI_AMOUNT_MAX)
		return ti_fail(reading, err, "a size below 2^62 bytes", reading->words[word]);
	*out = (uint64_t)llround(count) * type_bytes[type];
	return TR_OK;
}
