// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of destinations.
#include <stdlib.h>
#include <string.h>

#include "gen/destinations.h"
#include "value/grow.h"
#include "value/num.h"

#define BY_ROLE "by-role"
#define BY_DISTANCE "by-distance"
#define NODES_A_LINE 16u // of a permutation

const struct opt_choice destinations_senders[] = {{"excluded", 0}, {"included", 1}, {NULL, 0}};

static enum tr_status destinations_model_get_pattern(const struct model *model,
						     const struct model_entry *entry, bool roles,
						     struct destinations_model *out,
						     struct tr_error *err)
{
	char known[300];

	if (model_next(model, "", "destinations", entry))
		return model_fail(model, model_next(model, "", "destinations", entry), err,
				  "destinations is given twice");
	out->by_role = roles && strcmp(entry->value, BY_ROLE) == 0;
	if (out->by_role)
		return TR_OK;
	out->pattern = destination_pattern_find(entry->value);
	if (out->pattern)
		return TR_OK;
	destination_pattern_names(known, sizeof(known));
	return model_fail(model, entry, err,
			  "destinations: unknown pattern \"%.40s\"; expected one of %s%s",
			  entry->value, known, roles ? ", " BY_ROLE : "");
}

static enum tr_status get_shape(const struct model *model, const struct model_entry *entry,
				struct destinations_model *out, struct tr_error *err)
{
	struct tr_error why = {""};

	if (model_next(model, "", "shape", entry))
		return model_fail(model, model_next(model, "", "shape", entry), err,
				  "shape is given twice");
	return node_grid_parse(entry->value, &out->shape, &why) == TR_OK
		       ? TR_OK
		       : model_fail(model, entry, err, "shape: %s", why.text);
}

// Adds share to the sum, exactly. Both are 0 .. 1 before.
static bool destinations_model_add_share(struct num_ratio *sum, struct num_ratio share)
{
	return num_ratio_make((__int128)sum->num * share.den + (__int128)share.num * sum->den,
			      (__int128)sum->den * share.den, sum);
}

// "1/3 1/3 1/3".
static enum tr_status read_distances(const char *value, struct destinations_model *out,
				     struct tr_error *err)
{
	struct num_ratio sum = {0, 1};
	char text[MODEL_LINE_MAX + 1], *rest = text;

	(void)snprintf(text, sizeof(text), "%s", value);
	while (rest) {
		struct num_ratio *share = &out->distances[out->distance_count++];

		if (num_parse(strsep(&rest, " "), NUM_PLAIN, share, err) != TR_OK)
			return TR_ERROR;
		if (share->num < 0 || share->num > share->den)
			return tr_fail(err, "share %zu is outside 0 .. 1", out->distance_count);
		if (!destinations_model_add_share(&sum, *share))
			return tr_fail(err, "the sum of the shares has too many digits");
		if (sum.num > sum.den)
			break;
	}
	return sum.num == sum.den ? TR_OK
				  : tr_fail(err, "the shares sum to %s1",
					    sum.num > sum.den ? "more than " : "less than ");
}

static enum tr_status get_distances(const struct model *model, const struct model_entry *entry,
				    struct destinations_model *out, struct tr_error *err)
{
	struct tr_error why = {""};

	if (model_next(model, "", "distances", entry))
		return model_fail(model, model_next(model, "", "distances", entry), err,
				  "distances is given twice");
	if (out->pattern != destination_pattern_find(BY_DISTANCE))
		return model_fail(model, entry, err,
				  "distances: only with destinations " BY_DISTANCE);
	out->distances = calloc(strlen(entry->value) / 2 + 1,
				sizeof(*out->distances)); // upper bound of words
	if (!out->distances)
		return model_no_memory(model, err);
	return read_distances(entry->value, out, &why) == TR_OK
		       ? TR_OK
		       : model_fail(model, entry, err,
				    "distances: expected shares such as 1/3 1/3 1/3: %s", why.text);
}

static enum tr_status destinations_model_add_to(const struct model *model,
						const struct model_entry *entry,
						struct destinations_model *out,
						struct tr_error *err)
{
	char text[MODEL_LINE_MAX + 1], *rest = text;

	(void)snprintf(text, sizeof(text), "%s", entry->value);
	while (rest) {
		struct tr_error why = {""};
		uint64_t node;

		if (num_parse_count(strsep(&rest, " "), 0, 999999, &node, &why) != TR_OK)
			return model_fail(model, entry, err, "to: expected numbers of nodes: %s",
					  why.text);
		if (!GROW_BY_COUNT(out->to, out->to_count))
			return model_no_memory(model, err);
		out->to[out->to_count++] = (uint32_t)node;
	}
	return TR_OK;
}

// Checks that each node occurs once.
static enum tr_status check_to(const struct model *model,
			       const struct destinations_model *destinations, struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, "", "to");
	const size_t count = destinations->to_count;
	bool *met = calloc(count + 1, sizeof(*met));
	enum tr_status status = met ? TR_OK : model_no_memory(model, err);

	for (size_t i = 0; status == TR_OK && i < count; i++) {
		const uint32_t node = destinations->to[i];

		if (node >= count || met[node])
			status = model_fail(
				model, entry, err,
				"to: node %u %s: this is not a permutation of %zu nodes", node,
				node >= count ? "is too large" : "is given twice", count);
		else
			met[node] = true;
	}
	free(met);
	return status;
}

enum tr_status destinations_get(const struct model *model, bool roles,
				struct destinations_model *out, struct tr_error *err)
{
	const struct model_entry *pattern = model_find(model, "", "destinations"),
				 *shape = model_find(model, "", "shape");
	const struct model_entry *distances = model_find(model, "", "distances"), *to = NULL;
	enum tr_status status = TR_OK;

	if (pattern)
		status = destinations_model_get_pattern(model, pattern, roles, out, err);
	if (status == TR_OK && out->by_role && out->sender)
		status = model_fail(model, model_find(model, "", "sender"), err,
				    "sender: not with destinations " BY_ROLE);
	if (shape && status == TR_OK)
		status = get_shape(model, shape, out, err);
	if (distances && status == TR_OK)
		status = get_distances(model, distances, out, err);
	while (status == TR_OK && (to = model_next(model, "", "to", to)))
		status = destinations_model_add_to(model, to, out, err);
	return status == TR_OK ? check_to(model, out, err) : status;
}

static void put_count(struct model *text, const char *key, uint64_t value)
{
	char number[MODEL_NUMBER_BYTES];

	(void)snprintf(number, sizeof(number), "%llu", (unsigned long long)value);
	model_key(text, key, number, NULL);
}

// Writes numbers, NODES_A_LINE per line.
static void put_numbers(struct model *text, const char *key, const uint32_t *numbers, size_t count)
{
	char line[MODEL_LINE_MAX + 1];
	size_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		bytes += (size_t)snprintf(line + bytes, sizeof(line) - bytes, "%s%u",
					  bytes ? " " : "", numbers[i]);
		if (i + 1 < count && (i + 1) % NODES_A_LINE != 0)
			continue;
		model_key(text, key, line, NULL);
		bytes = 0;
	}
}

static void put_distances(struct model *text, const struct destinations_model *destinations)
{
	char line[MODEL_LINE_MAX + 1] = "", share[MODEL_NUMBER_BYTES];
	size_t bytes = 0;

	for (size_t i = 0; i < destinations->distance_count && bytes < sizeof(line); i++)
		bytes += (size_t)snprintf(line + bytes, sizeof(line) - bytes, "%s%s",
					  bytes ? " " : "",
					  num_format_exact(destinations->distances[i], NUM_PLAIN,
							   share, sizeof(share)));
	if (bytes > 0)
		model_key(text, "distances", line, NULL);
}

void destinations_put(struct model *text, const struct destinations_model *destinations)
{
	const struct destinations_model silent = destinations_default();
	char share[MODEL_NUMBER_BYTES], shape[NODE_GRID_TEXT_BYTES];

	model_key(text, "destinations",
		  destinations->by_role ? BY_ROLE : destination_pattern_name(destinations->pattern),
		  NULL);
	if (destinations->hot_node != silent.hot_node)
		put_count(text, "hot-node", destinations->hot_node);
	if (strcmp(model_format(MODEL_SHARE, destinations->hot_share, share), "100 %") != 0)
		model_key(text, "hot-share", share, NULL);
	if (destinations->shift != silent.shift)
		put_count(text, "shift", destinations->shift);
	if (destinations->shape.dimensions > 0)
		model_key(text, "shape", node_grid_format(&destinations->shape, shape), NULL);
	put_numbers(text, "to", destinations->to, destinations->to_count);
	put_distances(text, destinations);
	if (destinations->sender)
		model_key(text, "sender", destinations_senders[destinations->sender].word, NULL);
}

void destinations_model_clear(struct destinations_model *destinations)
{
	free(destinations->to);
	free(destinations->distances);
	*destinations = (struct destinations_model){0};
}
