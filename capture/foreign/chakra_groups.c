// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/chakra.h"
#include "value/grow.h"

#define KNOWN_TO_ALL UINT32_MAX

// ---- groups

static bool chakra_is_known(const struct chakra_groups *groups, const struct chakra_group *group)
{
	return group->known_to == KNOWN_TO_ALL || group->known_to == groups->rank;
}

// The ranks of a list, which is all if it is empty.
static enum tr_status chakra_groups_members(struct chakra_groups *groups, const char *name,
					    const struct rank_list *ranks, uint32_t *out,
					    struct tr_error *err)
{
	groups->read++;
	for (uint32_t i = 0; i < groups->ranks && ranks->count == 0; i++)
		out[i] = i;
	for (uint32_t i = 0; i < ranks->count; i++) {
		if (ranks->items[i] >= groups->ranks)
			return tr_fail(err,
				       "process group \"%s\": expected ranks of which there is a "
				       "file, found %" PRIu64,
				       name, ranks->items[i]);
		out[i] = (uint32_t)ranks->items[i];
		if (groups->marks[out[i]] == groups->read)
			return tr_fail(err, "process group \"%s\" has a rank twice", name);
		groups->marks[out[i]] = groups->read;
	}
	return TR_OK;
}

// Groups of other ranks of the same name and members are the same group.
static enum tr_status chakra_groups_define(void *context, const char *name,
					   const struct rank_list *ranks, struct tr_error *err)
{
	struct chakra_groups *groups = context;
	struct chakra_group *group;
	const uint32_t count = ranks->count > 0 ? ranks->count : groups->ranks;
	uint32_t *members = calloc(count, sizeof(*members));
	enum tr_status status = TR_ERROR;

	if (!members || !GROW(groups->items, groups->room, groups->count))
		(void)tr_no_memory(err, "process groups");
	else
		status = chakra_groups_members(groups, name, ranks, members, err);
	for (uint32_t i = 1; i < groups->count && status == TR_OK; i++) {
		group = &groups->items[i];
		if (strcmp(group->name, name) != 0)
			continue;
		if (group->count == count &&
		    memcmp(group->members, members, count * sizeof(*members)) == 0) {
			if (group->known_to != KNOWN_TO_ALL)
				group->known_to = groups->known_to;
			status = TR_END;
		} else if (chakra_is_known(groups, group)) {
			status = tr_fail(err, "process group \"%s\" has other members than before",
					 name);
		}
	}
	if (status != TR_OK) {
		free(members);
		return status == TR_END ? TR_OK : status;
	}
	group = &groups->items[groups->count++];
	*group = (struct chakra_group){
		.members = members, .count = count, .known_to = groups->known_to};
	(void)snprintf(group->name, sizeof(group->name), "%s", name);
	return TR_OK;
}

enum tr_status chakra_groups_start(struct chakra_groups *groups, uint32_t ranks,
				   const struct event_goal_ways *ways, struct tr_error *err)
{
	const struct rank_list all = {0};

	*groups = (struct chakra_groups){.ranks = ranks, .ways = ways, .known_to = KNOWN_TO_ALL};
	groups->marks = calloc(ranks, sizeof(*groups->marks));
	return groups->marks ? chakra_groups_define(groups, "", &all, err)
			     : tr_no_memory(err, "%" PRIu32 " ranks", ranks);
}

void chakra_groups_rank(struct chakra_groups *groups, uint32_t rank)
{
	groups->rank = groups->known_to = rank;
	for (uint32_t i = 0; i < groups->count; i++)
		groups->items[i].done = 0;
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
	free(groups->marks);
	*groups = (struct chakra_groups){0};
}

// ---- groups as JSON

enum tr_status chakra_groups_take(struct chakra_groups *groups, const struct foreign_input *input,
				  const char *path, struct tr_error *err)
{
	struct process_group_reader reader = {.take = chakra_groups_define, .context = groups};
	const enum tr_status status = foreign_read_json(input, path, JSON_ONE,
							process_groups_take_named, &reader, err);

	free(reader.ranks.items);
	return status;
}

static enum tr_status chakra_groups_take_node(void *context, const struct json_value *value,
					      struct tr_error *err)
{
	return process_groups_take(context, value, 1, err);
}

enum tr_status chakra_groups_take_metadata(struct chakra_groups *groups, struct protobuf text,
					   struct tr_error *err)
{
	struct process_group_reader reader = {.take = chakra_groups_define, .context = groups};
	const uint8_t *begin = text.bytes > 0 ? memchr(text.data, '{', text.bytes) : NULL;
	struct tr_source *source;
	enum tr_status status;

	begin = begin ? memrchr(text.data, '[', (size_t)(begin - text.data)) : NULL;
	if (!begin || !memmem(text.data, text.bytes, "\"pg_name\"", 9))
		return TR_OK; // other metadata may be no JSON
	status = tr_source_open_memory(&source, begin, text.bytes - (size_t)(begin - text.data),
				       "process groups", err);
	if (status == TR_OK)
		status = json_read(source, JSON_BEGINS, chakra_groups_take_node, &reader, err);
	tr_source_close(source);
	free(reader.ranks.items);
	return status;
}
