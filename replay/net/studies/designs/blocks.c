// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/designs/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "stream/lines.h"
#include "value/grow.h"
#include "value/num.h"

#define BLANKS " \t"

enum tr_status net_blocks_develop(struct net_blocks *blocks, const struct net_base *base,
				  struct tr_error *err)
{
	const uint32_t s = base->switches;
	const uint32_t *objects = base->objects;
	uint32_t all = 0;
	uint32_t place = 0;
	uint32_t block = 0;

	*blocks = (struct net_blocks){.switches = s, .count = base->parts * s};
	for (uint32_t part = 0; part < base->parts; part++)
		all += base->lengths[part];
	blocks->first = calloc((size_t)blocks->count + 1, sizeof(*blocks->first));
	blocks->objects = calloc((size_t)all * s + 1, sizeof(*blocks->objects));
	if (!blocks->first || !blocks->objects) {
		net_blocks_close(blocks);
		return tr_no_memory(err, "the blocks of a design");
	}
	for (uint32_t part = 0; part < base->parts; objects += base->lengths[part++])
		for (uint32_t i = 0; i < s; i++) {
			for (uint32_t j = 0; j < base->lengths[part]; j++)
				blocks->objects[place++] = (objects[j] + i) % s;
			blocks->first[++block] = place;
		}
	return TR_OK;
}

void net_blocks_close(struct net_blocks *blocks)
{
	free(blocks->first);
	free(blocks->objects);
	*blocks = (struct net_blocks){.switches = 0};
}

struct blocks_reading {
	struct net_blocks *blocks;
	struct tr_lines lines;
	size_t block_room;
	size_t object_room;
	uint32_t *met; // of a switch: the block that it was in last, from 1
	bool ended;
};

// The next word of a line, NULL after the last.
static char *blocks_next_word(char **rest)
{
	char *word = *rest + strspn(*rest, BLANKS);
	const size_t bytes = strcspn(word, BLANKS);

	*rest = word + bytes + (word[bytes] != '\0');
	word[bytes] = '\0';
	return bytes > 0 ? word : NULL;
}

static enum tr_status blocks_read_switches(struct blocks_reading *reading, char *rest,
					   struct tr_error *err)
{
	const char *word = blocks_next_word(&rest);
	uint64_t count;

	if (reading->met || !word || blocks_next_word(&rest) ||
	    num_parse_count(word, 2, NET_BASE_SWITCHES_MAX, &count, NULL) != TR_OK)
		return tr_lines_fail(&reading->lines, err,
				     "expected \"switches N\", once, N from 2 to %u",
				     NET_BASE_SWITCHES_MAX);
	reading->blocks->switches = (uint32_t)count;
	reading->met = calloc(count, sizeof(*reading->met));
	return reading->met ? TR_OK : tr_no_memory(err, "the blocks of a design");
}

static enum tr_status read_object(struct blocks_reading *reading, const char *word,
				  struct tr_error *err)
{
	struct net_blocks *blocks = reading->blocks;
	const uint32_t at = blocks->first[blocks->count + 1];
	struct tr_error why;
	uint64_t object;

	if (num_parse_count(word, 0, blocks->switches - 1, &object, &why) != TR_OK)
		return tr_lines_fail(&reading->lines, err, "%s", why.text);
	if (reading->met[object] == blocks->count + 1)
		return tr_lines_fail(&reading->lines, err, "switch %llu is twice in the block",
				     (unsigned long long)object);
	if (at == NET_BLOCKS_OBJECTS_MAX)
		return tr_lines_fail(&reading->lines, err, "more than %u objects",
				     NET_BLOCKS_OBJECTS_MAX);
	if (!GROW(blocks->objects, reading->object_room, at))
		return tr_no_memory(err, "the blocks of a design");
	reading->met[object] = blocks->count + 1;
	blocks->objects[at] = (uint32_t)object;
	blocks->first[blocks->count + 1]++;
	return TR_OK;
}

static enum tr_status read_block(struct blocks_reading *reading, char *rest, struct tr_error *err)
{
	struct net_blocks *blocks = reading->blocks;
	const char *word;

	if (!GROW(blocks->first, reading->block_room, (size_t)blocks->count + 1))
		return tr_no_memory(err, "the blocks of a design");
	if (blocks->count == 0)
		blocks->first[0] = 0;
	blocks->first[blocks->count + 1] = blocks->first[blocks->count];
	while ((word = blocks_next_word(&rest)) != NULL)
		if (read_object(reading, word, err) != TR_OK)
			return TR_ERROR;
	if (blocks->first[blocks->count + 1] - blocks->first[blocks->count] < 2)
		return tr_lines_fail(&reading->lines, err, "expected \"block SWITCH SWITCH...\"");
	blocks->count++;
	return TR_OK;
}

static enum tr_status blocks_read_line(struct blocks_reading *reading, char *line,
				       struct tr_error *err)
{
	const char *word;

	if (reading->lines.number == 1)
		return strcmp(line, NET_BLOCKS_MAGIC " " NET_BLOCKS_VERSION) == 0
			       ? TR_OK
			       : tr_lines_fail(&reading->lines, err, "expected \"%s %s\"",
					       NET_BLOCKS_MAGIC, NET_BLOCKS_VERSION);
	line[strcspn(line, "#")] = '\0';
	word = blocks_next_word(&line);
	if (!word)
		return TR_OK;
	if (reading->ended)
		return tr_lines_fail(&reading->lines, err, "expected nothing after \"end\"");
	if (strcmp(word, "switches") == 0)
		return blocks_read_switches(reading, line, err);
	if (strcmp(word, "block") == 0 && reading->met)
		return read_block(reading, line, err);
	if (strcmp(word, "end") != 0 || reading->blocks->count == 0 || blocks_next_word(&line))
		return tr_lines_fail(&reading->lines, err, "expected %s, found \"%.40s\"",
				     !reading->met		   ? "switches"
				     : reading->blocks->count == 0 ? "block"
								   : "block or end",
				     word);
	reading->ended = true;
	return TR_OK;
}

enum tr_status net_blocks_read(struct net_blocks *blocks, struct tr_source *source,
			       struct tr_error *err)
{
	struct blocks_reading reading = {.blocks = blocks, .lines = {.source = source}};
	enum tr_status status;
	char *line;

	*blocks = (struct net_blocks){.switches = 0};
	while ((status = tr_lines_next(&reading.lines, &line, err)) == TR_OK)
		if ((status = blocks_read_line(&reading, line, err)) != TR_OK)
			break;
	if (status == TR_END)
		status = reading.ended
				 ? TR_OK
				 : tr_fail(err, "%s:%llu: truncated: the line \"end\" is missing",
					   tr_source_name(source),
					   (unsigned long long)reading.lines.number);
	tr_lines_clear(&reading.lines);
	free(reading.met);
	if (status != TR_OK)
		net_blocks_close(blocks);
	return status;
}

static void blocks_write_comments(const char *comments, FILE *out)
{
	while (comments && *comments != '\0') {
		const size_t bytes = strcspn(comments, "\n");

		fprintf(out, "# %.*s\n", (int)bytes, comments);
		comments += bytes + (comments[bytes] == '\n');
	}
}

void net_blocks_write(const struct net_blocks *blocks, const char *comments, FILE *out)
{
	fprintf(out, "%s %s\n", NET_BLOCKS_MAGIC, NET_BLOCKS_VERSION);
	blocks_write_comments(comments, out);
	fprintf(out, "switches %u\n", blocks->switches);
	for (uint32_t block = 0; block < blocks->count; block++) {
		fputs("block", out);
		for (uint32_t place = blocks->first[block]; place < blocks->first[block + 1];
		     place++)
			fprintf(out, " %u", blocks->objects[place]);
		fputc('\n', out);
	}
	fputs("end\n", out);
}
