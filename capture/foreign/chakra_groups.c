// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/chakra.h"
#include "value/grow.h"
#include "value/order.h"

#define KNOWN_TO_ALL UINT32_MAX

// ---- groups

// Takes over members; *out is its number.
static enum tr_status chakra_groups_add(struct chakra_groups *groups, const char *name,
					uint32_t *members, uint32_t count, uint32_t known_to)
{
	struct chakra_group *group;

	if (!GROW(groups->items, groups->room, groups->count))
		return TR_ERROR;
	group = &groups->items[groups->count++];
	*group = (struct chakra_group){.members = members, .count = count, .known_to = known_to};
	snprintf(group->name, sizeof(group->name), "%s", name);
	return TR_OK;
}

static uint32_t *chakra_all_ranks(uint32_t ranks)
{
	uint32_t *members = calloc(ranks, sizeof(*members));

	for (uint32_t rank = 0; members && rank < ranks; rank++)
		members[rank] = rank;
	return members;
}

enum tr_status chakra_groups_start(struct chakra_groups *groups, uint32_t ranks,
				   const struct event_goal_ways *ways, struct tr_error *err)
{
	uint32_t *members = chakra_all_ranks(ranks);

	*groups = (struct chakra_groups){.ranks = ranks, .ways = ways};
	if (members && chakra_groups_add(groups, "", members, ranks, KNOWN_TO_ALL) == TR_OK)
		return TR_OK;
	free(members);
	return tr_no_memory(err, "%" PRIu32 " ranks", ranks);
}

void chakra_groups_rank(struct chakra_groups *groups, uint32_t rank)
{
	groups->rank = rank;
	for (uint32_t i = 0; i < groups->count; i++)
		groups->items[i].done = 0;
}

static bool chakra_is_known(const struct chakra_groups *groups, const struct chakra_group *group)
{
	return group->known_to == KNOWN_TO_ALL || group->known_to == groups->rank;
}

static bool chakra_is_twice(const uint32_t *members, uint32_t count, uint32_t *sorted)
{
	if (count == 0)
		return false;
	memcpy(sorted, members, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), order_u32);
	for (uint32_t i = 1; i < count; i++)
		if (sorted[i] == sorted[i - 1])
			return true;
	return false;
}

// Groups of other ranks of the same name and members are the same group.
static enum tr_status chakra_groups_define(struct chakra_groups *groups, const char *name,
					   const uint32_t *members, uint32_t count,
					   uint32_t known_to, struct tr_error *err)
{
	uint32_t *own = count > 0 ? calloc(count, sizeof(*own)) : chakra_all_ranks(groups->ranks);

	if (!own)
		return tr_no_memory(err, "process groups");
	if (chakra_is_twice(members, count, own)) {
		free(own);
		return tr_fail(err, "process group \"%s\" has a rank twice", name);
	}
	if (count > 0)
		memcpy(own, members, count * sizeof(*own));
	else
		count = groups->ranks;
	for (uint32_t i = 1; i < groups->count; i++) {
		struct chakra_group *group = &groups->items[i];
		const bool same = group->count == count &&
				  memcmp(group->members, own, count * sizeof(*own)) == 0;

		if (strcmp(group->name, name) != 0 || (!same && !chakra_is_known(groups, group)))
			continue;
		free(own);
		if (!same)
			return tr_fail(err, "process group \"%s\" has other members than before",
				       name);
		if (group->known_to != KNOWN_TO_ALL)
			group->known_to = known_to;
		return TR_OK;
	}
	if (chakra_groups_add(groups, name, own, count, known_to) == TR_OK)
		return TR_OK;
	free(own);
	return tr_no_memory(err, "process groups");
}

uint32_t chakra_groups_place(const struct chakra_groups *groups, uint32_t group)
{
	const struct chakra_group *of = &groups->items[group];

	if (group == CHAKRA_WORLD)
		return groups->rank;
	for (uint32_t place = 0; place < of->count; place++)
		if (of->members[place] == groups->rank)
			return place;
	return UINT32_MAX;
}

enum tr_status chakra_groups_find(const struct chakra_groups *groups, const char *name,
				  uint32_t *out, struct tr_error *err)
{
	for (*out = 0; *out < groups->count; ++*out) {
		const struct chakra_group *group = &groups->items[*out];

		if (strcmp(group->name, name) != 0 || !chakra_is_known(groups, group))
			continue;
		if (chakra_groups_place(groups, *out) != UINT32_MAX)
			return TR_OK;
		return tr_fail(err, "rank %" PRIu32 " is not in its process group \"%s\"",
			       groups->rank, name);
	}
	return tr_fail(err,
		       "the members of process group \"%s\" are not known: add a file "
		       "groups.json with {\"%s\": [RANK, ...]}",
		       name, name);
}

// ---- what members do together

enum tr_status chakra_groups_join(struct chakra_groups *groups, uint32_t group, uint8_t collective,
				  uint64_t bytes, uint32_t *number, struct tr_error *err)
{
	struct chakra_group *of = &groups->items[group];
	struct chakra_instance *instance;

	*number = of->done++;
	if (*number == of->instance_count) {
		const uint64_t tags = event_goal_tags(groups->ways, collective, of->count);

		if (!GROW(of->instances, of->instance_room, *number))
			return tr_no_memory(err, "collective operations");
		groups->tags_again += groups->tag_next + tags > CHAKRA_TAGS;
		of->instances[of->instance_count++] = (struct chakra_instance){
			bytes, (uint32_t)(groups->tag_next % (CHAKRA_TAGS - tags)), 0, collective};
		groups->tag_next += tags;
	}
	instance = &of->instances[*number];
	instance->seen++;
	if (instance->collective == collective && instance->bytes == bytes)
		return TR_OK;
	return tr_fail(err,
		       "collective operation %" PRIu32 " of process group \"%s\": expected %s of "
		       "%" PRIu64 " B as at ranks before it, found %s of %" PRIu64 " B%s",
		       *number + 1, of->name, event_collective_word(instance->collective),
		       instance->bytes, event_collective_word(collective), bytes,
		       instance->collective == collective
			       ? ": Chakra has no sizes by rank; give such an operation as sends "
				 "and receives"
			       : "");
}

enum tr_status chakra_groups_finish(const struct chakra_groups *groups, struct tr_error *err)
{
	for (uint32_t i = 0; i < groups->count; i++) {
		const struct chakra_group *group = &groups->items[i];

		for (uint32_t k = 0; k < group->instance_count; k++)
			if (group->instances[k].seen != group->count)
				return tr_fail(err,
					       "collective operation %" PRIu32
					       " of process group \"%s\": %" PRIu32 " of %" PRIu32
					       " members take part",
					       k + 1, group->name, group->instances[k].seen,
					       group->count);
	}
	return TR_OK;
}

void chakra_groups_clear(struct chakra_groups *groups)
{
	for (uint32_t i = 0; i < groups->count; i++) {
		free(groups->items[i].members);
		free(groups->items[i].instances);
	}
	free(groups->items);
	*groups = (struct chakra_groups){0};
}

// ---- groups as JSON

// Two forms: {"NAME": [RANK, ...], ...}, and objects with the members pg_name and ranks among
// others, which are skipped.
struct chakra_json {
	const char *text;
	size_t bytes, at;
	uint32_t ranks;
	uint32_t *members;
	uint32_t count, room;
	struct tr_error *err;
};

static char chakra_json_peek(struct chakra_json *json)
{
	while (json->at < json->bytes && json->text[json->at] &&
	       strchr(" \t\r\n", json->text[json->at]))
		json->at++;
	return json->at < json->bytes ? json->text[json->at] : '\0';
}

static bool chakra_json_is(struct chakra_json *json, char sign)
{
	const bool is = chakra_json_peek(json) == sign && json->at < json->bytes;

	json->at += is;
	return is;
}

static enum tr_status chakra_json_fail(struct chakra_json *json, const char *what)
{
	return tr_fail(json->err, "byte %zu of the process groups: expected %s", json->at, what);
}

// A string that begins here, cut to the room of out, with escapes of one character.
static enum tr_status chakra_json_string(struct chakra_json *json, char out[CHAKRA_NAME_BYTES])
{
	size_t used = 0;

	if (!chakra_json_is(json, '"'))
		return chakra_json_fail(json, "a string");
	while (json->at < json->bytes && json->text[json->at] != '"') {
		json->at += json->text[json->at] == '\\';
		if (json->at < json->bytes && used + 1 < CHAKRA_NAME_BYTES)
			out[used++] = json->text[json->at];
		json->at++;
	}
	out[used] = '\0';
	return json->at < json->bytes && json->text[json->at++] == '"'
		       ? TR_OK
		       : chakra_json_fail(json, "the end of a string");
}

// [0, 1, ...]
static enum tr_status chakra_json_members(struct chakra_json *json)
{
	json->count = 0;
	if (!chakra_json_is(json, '['))
		return chakra_json_fail(json, "a list of ranks");
	if (chakra_json_is(json, ']'))
		return TR_OK;
	do {
		uint64_t rank = 0;
		size_t digits = 0;

		for (char digit = chakra_json_peek(json);
		     digit >= '0' && digit <= '9' && rank < json->ranks; digits++) {
			rank = 10 * rank + (uint64_t)(digit - '0');
			digit = ++json->at < json->bytes ? json->text[json->at] : '\0';
		}
		if (digits == 0 || rank >= json->ranks)
			return chakra_json_fail(json, "a rank of which there is a file");
		if (!GROW(json->members, json->room, json->count))
			return tr_no_memory(json->err, "process groups");
		json->members[json->count++] = (uint32_t)rank;
	} while (chakra_json_is(json, ','));
	return chakra_json_is(json, ']') ? TR_OK : chakra_json_fail(json, "\",\" or \"]\"");
}

static enum tr_status chakra_json_file(struct chakra_json *json, struct chakra_groups *groups)
{
	char name[CHAKRA_NAME_BYTES];

	if (!chakra_json_is(json, '{'))
		return chakra_json_fail(json, "\"{\"");
	do {
		if (chakra_json_string(json, name) != TR_OK)
			return TR_ERROR;
		if (!chakra_json_is(json, ':'))
			return chakra_json_fail(json, "\":\"");
		if (chakra_json_members(json) != TR_OK ||
		    chakra_groups_define(groups, name, json->members, json->count, KNOWN_TO_ALL,
					 json->err) != TR_OK)
			return TR_ERROR;
	} while (chakra_json_is(json, ','));
	if (!chakra_json_is(json, '}'))
		return chakra_json_fail(json, "\",\" or \"}\"");
	chakra_json_peek(json);
	return json->at == json->bytes ? TR_OK : chakra_json_fail(json, "the end");
}

static enum tr_status chakra_json_node(struct chakra_json *json, struct chakra_groups *groups)
{
	char key[CHAKRA_NAME_BYTES], name[CHAKRA_NAME_BYTES];
	bool has_name = false, has_ranks = false;

	for (; json->at < json->bytes; json->at++) {
		while (chakra_json_peek(json) == '"') {
			if (chakra_json_string(json, key) != TR_OK)
				return TR_ERROR;
			if (!chakra_json_is(json, ':'))
				continue;
			if (strcmp(key, "ranks") == 0 && chakra_json_members(json) != TR_OK)
				return TR_ERROR;
			if (strcmp(key, "pg_name") == 0 && chakra_json_string(json, name) != TR_OK)
				return TR_ERROR;
			has_ranks |= strcmp(key, "ranks") == 0;
			has_name |= strcmp(key, "pg_name") == 0;
		}
		if (chakra_json_peek(json) != '}')
			continue;
		if (has_name && has_ranks &&
		    chakra_groups_define(groups, name, json->members, json->count, groups->rank,
					 json->err) != TR_OK)
			return TR_ERROR;
		has_name = has_ranks = false;
	}
	return TR_OK;
}

enum tr_status chakra_groups_take(struct chakra_groups *groups, const char *text, size_t bytes,
				  bool of_node, struct tr_error *err)
{
	struct chakra_json json = {
		.text = text, .bytes = bytes, .ranks = groups->ranks, .err = err};
	enum tr_status status = TR_OK;

	if (!of_node)
		status = chakra_json_file(&json, groups);
	else if (bytes > 0 && memmem(text, bytes, "\"pg_name\"", 9))
		status = chakra_json_node(&json, groups); // other metadata may be no JSON
	free(json.members);
	return status;
}
