// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of destinations.
#include <stdlib.h>
#include <string.h>

#include "gen/destinations.h"
#include "trace/num.h"

#define BY_ROLE "by-role"
#define NODES_A_LINE 16u // of a permutation

static enum tr_status get_pattern(const struct model *model, const struct model_entry *entry, bool roles,
				  struct destinations_model *out, struct tr_error *err)
{
	char known[300];

	if (model_next(model, "", "destinations", entry))
		return model_fail(model, model_next(model, "", "destinations", entry), err, "destinations stands here a second time");
	out->by_role = roles && strcmp(entry->value, BY_ROLE) == 0;
	if (out->by_role)
		return TR_OK;
	out->pattern = destination_pattern_find(entry->value);
	if (out->pattern)
		return TR_OK;
	destination_pattern_names(known, sizeof known);
	return model_fail(model, entry, err, "destinations: \"%.40s\" is none of %s%s", entry->value, known,
			  roles ? ", " BY_ROLE : "");
}

// "4x4x2".
static enum tr_status get_shape(const struct model *model, const struct model_entry *entry,
				struct destinations_model *out, struct tr_error *err)
{
	char text[MODEL_LINE_MAX + 1], *rest = text;

	if (model_next(model, "", "shape", entry))
		return model_fail(model, model_next(model, "", "shape", entry), err, "shape stands here a second time");
	(void)snprintf(text, sizeof text, "%s", entry->value);
	for (out->dimensions = 0; rest; out->dimensions++) {
		const char *word = strsep(&rest, "x");
		struct tr_error why = {""};
		uint64_t size;

		if (out->dimensions == DESTINATIONS_DIMENSIONS_MAX)
			return model_fail(model, entry, err, "shape: more than %u dimensions",
					  DESTINATIONS_DIMENSIONS_MAX);
		if (num_parse_count(word, 1, 1000000, &size, &why) != TR_OK)
			return model_fail(model, entry, err, "shape: expected sizes such as 4x4: %s", why.text);
		out->shape[out->dimensions] = (uint32_t)size;
	}
	return TR_OK;
}

static enum tr_status add_to(const struct model *model, const struct model_entry *entry,
			     struct destinations_model *out, struct tr_error *err)
{
	const size_t more = strlen(entry->value) / 2 + 1; // words at most
	uint32_t *to = reallocarray(out->to, out->to_count + more, sizeof *to);
	char text[MODEL_LINE_MAX + 1], *rest = text;

	if (!to)
		return model_no_memory(model, err);
	out->to = to;
	(void)snprintf(text, sizeof text, "%s", entry->value);
	while (rest) {
		struct tr_error why = {""};
		uint64_t node;

		if (num_parse_count(strsep(&rest, " "), 0, 999999, &node, &why) != TR_OK)
			return model_fail(model, entry, err, "to: expected numbers of nodes: %s", why.text);
		out->to[out->to_count++] = (uint32_t)node;
	}
	return TR_OK;
}

// Each of the nodes once.
static enum tr_status check_to(const struct model *model, const struct destinations_model *destinations,
			       struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, "", "to");
	const size_t count = destinations->to_count;
	bool *met = calloc(count + 1, sizeof *met);
	enum tr_status status = met ? TR_OK : model_no_memory(model, err);

	for (size_t i = 0; status == TR_OK && i < count; i++) {
		const uint32_t node = destinations->to[i];

		if (node >= count || met[node])
			status = model_fail(model, entry, err, "to: node %u %s: no permutation of %zu nodes", node,
					    node >= count ? "is too large" : "comes twice", count);
		else
			met[node] = true;
	}
	free(met);
	return status;
}

enum tr_status destinations_get(const struct model *model, bool roles, struct destinations_model *out,
				struct tr_error *err)
{
	const struct model_entry *pattern = model_find(model, "", "destinations"), *shape = model_find(model, "", "shape");
	const struct model_entry *to = NULL;
	enum tr_status status = TR_OK;

	if (pattern)
		status = get_pattern(model, pattern, roles, out, err);
	if (shape && status == TR_OK)
		status = get_shape(model, shape, out, err);
	while (status == TR_OK && (to = model_next(model, "", "to", to)))
		status = add_to(model, to, out, err);
	return status == TR_OK ? check_to(model, out, err) : status;
}

static void put_count(struct model *text, const char *key, uint64_t value)
{
	char number[MODEL_NUMBER_BYTES];

	(void)snprintf(number, sizeof number, "%llu", (unsigned long long)value);
	model_key(text, key, number, NULL);
}

// Numbers, so many a line.
static void put_numbers(struct model *text, const char *key, const uint32_t *numbers, size_t count, const char *between,
			size_t a_line)
{
	char line[MODEL_LINE_MAX + 1];
	size_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		bytes += (size_t)snprintf(line + bytes, sizeof line - bytes, "%s%u", bytes ? between : "", numbers[i]);
		if (i + 1 < count && (i + 1) % a_line != 0)
			continue;
		model_key(text, key, line, NULL);
		bytes = 0;
	}
}

void destinations_put(struct model *text, const struct destinations_model *destinations)
{
	const struct destinations_model silent = destinations_default();
	char share[MODEL_NUMBER_BYTES];

	model_key(text, "destinations",
		  destinations->by_role ? BY_ROLE : destination_pattern_name(destinations->pattern), NULL);
	if (destinations->hot_node != silent.hot_node)
		put_count(text, "hot-node", destinations->hot_node);
	if (strcmp(model_format(MODEL_SHARE, destinations->hot_share, share), "100 %") != 0)
		model_key(text, "hot-share", share, NULL);
	if (destinations->shift != silent.shift)
		put_count(text, "shift", destinations->shift);
	put_numbers(text, "shape", destinations->shape, destinations->dimensions, "x", DESTINATIONS_DIMENSIONS_MAX);
	put_numbers(text, "to", destinations->to, destinations->to_count, " ", NODES_A_LINE);
}

void destinations_model_clear(struct destinations_model *destinations)
{
	free(destinations->to);
	*destinations = (struct destinations_model){0};
}
