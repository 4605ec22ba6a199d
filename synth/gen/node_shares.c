// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/node_shares.h"

#include <stdlib.h>
#include <string.h>

#include "gen/model_field.h"
#include "trace/num.h"

// "3 25 %".
static enum tr_status get_share(const char *value, uint64_t nodes, struct node_share *out, struct tr_error *err)
{
	char text[MODEL_LINE_MAX + 1];
	char *blank;
	uint64_t node;

	(void)snprintf(text, sizeof(text), "%s", value);
	blank = strchr(text, ' ');
	if (!blank)
		return tr_fail(err, "\"%.60s\" is not like 3 25 %%", value);
	*blank = '\0';
	if (num_parse_count(text, 0, nodes - 1, &node, err) != TR_OK ||
	    model_value(MODEL_SHARE, blank + 1, &out->share, err) != TR_OK)
		return TR_ERROR;
	out->node = (uint32_t)node;
	return out->share >= 0 && out->share <= 1 ? TR_OK : tr_fail(err, "a share lies within 0 %% .. 100 %%");
}

static enum tr_status add_share(const char *value, uint64_t nodes, struct node_shares *shares, struct tr_error *err)
{
	const size_t n = shares->count;
	struct node_share share;

	if (get_share(value, nodes, &share, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < n; i++)
		if (shares->each[i].node == share.node)
			return tr_fail(err, "node %u stands here a second time", share.node);
	if ((n & (n - 1)) == 0) { // room for the next power of two
		struct node_share *more = reallocarray(shares->each, n ? 2 * n : 1, sizeof(*more));

		if (!more)
			return tr_no_memory(err, "the shares of nodes");
		shares->each = more;
	}
	shares->each[shares->count++] = share;
	return TR_OK;
}

enum tr_status node_shares_get(const struct model *model, const char *section, const char *key, uint64_t nodes,
			       struct node_shares *out, struct tr_error *err)
{
	const struct model_entry *entry = NULL;
	struct tr_error why = {""};

	*out = (struct node_shares){0};
	while ((entry = model_next(model, section, key, entry)))
		if (add_share(entry->value, nodes, out, &why) != TR_OK) {
			node_shares_clear(out);
			return model_fail_for(model, entry, err, &why, key);
		}
	return TR_OK;
}

void node_shares_put(struct model *model, const char *key, const struct node_shares *shares)
{
	for (size_t i = 0; i < shares->count; i++) {
		char share[MODEL_NUMBER_BYTES], text[2 * MODEL_NUMBER_BYTES];

		(void)snprintf(text, sizeof(text), "%u %s", shares->each[i].node,
			       model_format(MODEL_SHARE, shares->each[i].share, share));
		model_key(model, key, text, NULL);
	}
}

double node_shares_of(const struct node_shares *shares, uint32_t node)
{
	for (size_t i = 0; i < shares->count; i++)
		if (shares->each[i].node == node)
			return shares->each[i].share;
	return 0;
}

double node_shares_of_others(const struct node_shares *shares, uint32_t node)
{
	double sum = 0;

	for (size_t i = 0; i < shares->count; i++)
		sum += shares->each[i].node == node ? 0 : shares->each[i].share;
	return sum;
}

void node_shares_clear(struct node_shares *shares)
{
	free(shares->each);
	*shares = (struct node_shares){0};
}
