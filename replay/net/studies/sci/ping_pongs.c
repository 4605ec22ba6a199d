// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/components.h"

#include <string.h>

#include "stream/lines.h"
#include "value/num.h"

#define WORDS_MAX 32u
#define HOPS_MOST 65535u
#define SIZE_MOST (UINT64_C(1) << 28)

enum ping_pongs_column { NETWORK, HOPS, SWITCHES, SIZE, TIME, COLUMNS };
static const char *const headings[COLUMNS] = {"network", "hops", "switches", "size_B", "pp_ns"};

struct ping_pongs_reading {
	struct tr_lines lines;
	const char *separator;
	size_t at[COLUMNS];
	bool found;
};

static size_t ping_pongs_split(char *line, const char *separator, char *words[WORDS_MAX])
{
	size_t count = 0;

	while (line && count < WORDS_MAX)
		words[count++] = strsep(&line, separator);
	return !line ? count : 0;
}

// Whether these words have all headings; stores where.
static bool ping_pongs_is_heading(struct ping_pongs_reading *reading, char *words[WORDS_MAX],
				  size_t count)
{
	for (size_t column = 0; column < COLUMNS; column++) {
		size_t i = 0;

		while (i < count && strcmp(words[i], headings[column]) != 0)
			i++;
		if (i == count)
			return false;
		reading->at[column] = i;
	}
	return true;
}

static enum tr_status ping_pongs_read_count(const struct ping_pongs_reading *reading,
					    char *words[WORDS_MAX], enum ping_pongs_column column,
					    uint64_t least, uint64_t most, uint32_t *out,
					    struct tr_error *err)
{
	const char *word = words[reading->at[column]];
	uint64_t value;

	if (num_parse_count(word, least, most, &value, NULL) != TR_OK)
		return tr_lines_fail(&reading->lines, err,
				     "%s: expected %llu to %llu, found \"%.60s\"", headings[column],
				     (unsigned long long)least, (unsigned long long)most, word);
	*out = (uint32_t)value;
	return TR_OK;
}

static enum tr_status ping_pongs_read_row(const struct ping_pongs_reading *reading,
					  char *words[WORDS_MAX], struct sci_ping_pong *row,
					  struct tr_error *err)
{
	const char *network = words[reading->at[NETWORK]], *time = words[reading->at[TIME]];

	row->torus = strcmp(network, "torus") == 0;
	if (!row->torus && strcmp(network, "ring") != 0)
		return tr_lines_fail(&reading->lines, err,
				     "network: expected ring or torus, found \"%.60s\"", network);
	if (ping_pongs_read_count(reading, words, HOPS, 1, HOPS_MOST, &row->hops, err) != TR_OK ||
	    ping_pongs_read_count(reading, words, SWITCHES, 0, row->torus ? row->hops - 1 : 0,
				  &row->switches, err) != TR_OK ||
	    ping_pongs_read_count(reading, words, SIZE, 0, SIZE_MOST, &row->size_B, err) != TR_OK)
		return TR_ERROR;
	if (num_parse_real(time, &row->ns, NULL) != TR_OK || row->ns <= 0 || row->ns > 1e15)
		return tr_lines_fail(&reading->lines, err,
				     "pp_ns: expected nanoseconds above zero, found \"%.60s\"",
				     time);
	return TR_OK;
}

static enum tr_status ping_pongs_add(const struct ping_pongs_reading *reading,
				     struct sci_ping_pongs *pongs, char *line, struct tr_error *err)
{
	char *words[WORDS_MAX];
	const size_t count = ping_pongs_split(line, reading->separator, words);
	struct sci_ping_pong row = {0};

	for (size_t column = 0; column < COLUMNS; column++)
		if (count <= reading->at[column])
			return tr_lines_fail(&reading->lines, err, "expected a column %s",
					     headings[column]);
	if (ping_pongs_read_row(reading, words, &row, err) != TR_OK)
		return TR_ERROR;
	if (sci_ping_pongs_find(pongs, row))
		return tr_lines_fail(&reading->lines, err, "a second time of this path and size");
	if (pongs->count == SCI_PING_PONGS_MAX)
		return tr_lines_fail(&reading->lines, err, "more than %u rows", SCI_PING_PONGS_MAX);
	pongs->rows[pongs->count++] = row;
	return TR_OK;
}

static enum tr_status ping_pongs_read_lines(struct ping_pongs_reading *reading,
					    struct sci_ping_pongs *pongs, struct tr_error *err)
{
	enum tr_status status;
	char *words[WORDS_MAX];
	char *line;

	while ((status = tr_lines_next(&reading->lines, &line, err)) == TR_OK) {
		if (reading->found && (*line == '\0' || *line == '#'))
			return TR_OK;
		if (reading->found) {
			if (ping_pongs_add(reading, pongs, line, err) != TR_OK)
				return TR_ERROR;
			continue;
		}
		reading->separator = strchr(line, '\t') ? "\t" : ",";
		reading->found = ping_pongs_is_heading(
			reading, words, ping_pongs_split(line, reading->separator, words));
	}
	if (status == TR_END && !reading->found)
		return tr_fail(err,
			       "%s: no table with the columns network, hops, switches, size_B and "
			       "pp_ns (flitbench --path prints one)",
			       tr_source_name(reading->lines.source));
	return status == TR_END ? TR_OK : TR_ERROR;
}

enum tr_status sci_ping_pongs_read(struct sci_ping_pongs *pongs, struct tr_source *source,
				   struct tr_error *err)
{
	struct ping_pongs_reading reading = {.lines = {.source = source}};
	const enum tr_status status = ping_pongs_read_lines(&reading, pongs, err);

	tr_lines_clear(&reading.lines);
	return status;
}

const struct sci_ping_pong *sci_ping_pongs_find(const struct sci_ping_pongs *pongs,
						struct sci_ping_pong path)
{
	for (uint32_t i = 0; i < pongs->count; i++) {
		const struct sci_ping_pong *row = &pongs->rows[i];

		if (row->torus == path.torus && row->hops == path.hops &&
		    row->switches == path.switches && row->size_B == path.size_B)
			return row;
	}
	return NULL;
}
