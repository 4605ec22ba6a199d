// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/process_groups.h"

#include <stdlib.h>
#include <string.h>

#include "foreign/rank_events.h"
#include "value/grow.h"

// ---- lists

enum tr_status rank_list_push(struct rank_list *list, uint64_t item, struct tr_error *err)
{
	if (list->count >= EVENTS_RANKS_MAX)
		return tr_fail(err, "a list of more than %u numbers", EVENTS_RANKS_MAX);
	if (!GROW(list->items, list->room, list->count))
		return tr_no_memory(err, "a list of ranks");
	list->items[list->count++] = item;
	return TR_OK;
}

static enum tr_status rank_list_number(const char **at, uint64_t *out, struct tr_error *err)
{
	char *end;

	*out = **at >= '0' && **at <= '9' ? strtoull(*at, &end, 10) : UINT64_MAX;
	if (*out > RANK_LIST_MAX)
		return tr_fail(err, "expected a list of whole numbers, found '%.40s'", *at);
	*at = end;
	return TR_OK;
}

enum tr_status rank_list_read(struct rank_list *list, const char *text, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	list->count = 0;
	list->cut = false;
	for (text += strspn(text, " ["); status == TR_OK && *text && *text != ']';
	     text += strspn(text, " ,")) {
		uint64_t first = 0, end, step = 1;

		if (strncmp(text, "...", 3) == 0) {
			list->cut = true;
			text += 3;
			continue;
		}
		status = rank_list_number(&text, &first, err);
		end = first + 1;
		if (status == TR_OK && *text == ':' && text++)
			status = rank_list_number(&text, &end, err);
		if (status == TR_OK && *text == ':' && text++)
			status = rank_list_number(&text, &step, err);
		if (status == TR_OK && step == 0)
			status = tr_fail(err, "a range of numbers with a step of 0");
		for (; status == TR_OK && first < end; first += step)
			status = rank_list_push(list, first, err);
	}
	return status;
}

// ---- groups

static enum tr_status process_groups_rank(struct process_group_reader *reader,
					  const struct json_value *value, struct tr_error *err)
{
	uint64_t rank;

	if (json_count(value, EVENTS_RANKS_MAX - 1, &rank, err) != TR_OK)
		return TR_ERROR;
	return rank_list_push(&reader->ranks, rank, err);
}

enum tr_status process_groups_take(struct process_group_reader *reader,
				   const struct json_value *value, uint32_t depth,
				   struct tr_error *err)
{
	const char *key = value->depth > depth ? value->keys[depth] : "";
	char text[4096];

	if (value->depth == depth && value->kind == JSON_OPENS) {
		reader->ranks.count = 0;
		reader->has_ranks = false;
		*reader->name = '\0';
	} else if (value->depth == depth && value->kind == JSON_CLOSES) {
		return reader->has_ranks && *reader->name
			       ? reader->take(reader->context, reader->name, &reader->ranks, err)
			       : TR_OK;
	} else if (value->depth == depth + 1 && strcmp(key, "pg_name") == 0) {
		return json_text(value, reader->name, sizeof(reader->name), err);
	} else if (value->depth == depth + 2 && strcmp(key, "ranks") == 0) {
		return process_groups_rank(reader, value, err);
	} else if (value->depth == depth + 1 && strcmp(key, "ranks") == 0) {
		reader->has_ranks = true;
		if (value->kind != JSON_TEXT)
			return TR_OK;
		if (json_text(value, text, sizeof(text), err) != TR_OK ||
		    rank_list_read(&reader->ranks, text, err) != TR_OK)
			return TR_ERROR;
		reader->has_ranks = !reader->ranks.cut;
	}
	return TR_OK;
}

enum tr_status process_groups_take_named(void *context, const struct json_value *value,
					 struct tr_error *err)
{
	struct process_group_reader *reader = context;
	const bool is_edge = value->kind == JSON_OPENS || value->kind == JSON_CLOSES;

	if (value->depth == 2 && !*value->keys[1])
		return process_groups_rank(reader, value, err);
	if (!is_edge || value->depth > 1 || (value->depth == 1 && !*value->keys[0]))
		return tr_fail(err, "expected process groups: {\"NAME\": [RANK, ...], ...}");
	if (value->depth == 1 && value->kind == JSON_CLOSES)
		return reader->take(reader->context, value->keys[0], &reader->ranks, err);
	reader->ranks.count = 0;
	return TR_OK;
}
