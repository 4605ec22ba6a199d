// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/trails/recent_lists.h"

#include <string.h>

static bool is_same(const struct net_recent *recent, uint32_t at, const struct net_option *options, uint32_t count)
{
	if (recent->count != count || recent->entry.at != at)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (recent->options[i].port != options[i].port || recent->options[i].escape != options[i].escape)
			return false;
	return true;
}

enum tr_status net_recent_put(struct net_recent *recents, struct net_choices *choices, struct net_recent_entry entry,
			      const struct net_option *options, uint32_t count, struct tr_error *err)
{
	uint64_t hash = count;
	struct net_recent *recent;

	if (count == 0 || count > NET_RECENT_OPTIONS)
		return net_choices_put(choices, entry.input, entry.to, options, count, err);
	for (uint32_t i = 0; i < count; i++)
		hash = (hash ^ (2u * options[i].port + options[i].escape)) * 0x9e3779b97f4a7c15u;
	recent = &recents[hash >> 52 & (NET_RECENT_LISTS - 1)];
	if (is_same(recent, entry.at, options, count)) {
		net_choices_repeat(choices, entry.input, entry.to, recent->entry.input, recent->entry.to);
		return TR_OK;
	}
	if (net_choices_put(choices, entry.input, entry.to, options, count, err) != TR_OK)
		return TR_ERROR;
	recent->entry = entry;
	recent->count = count;
	memcpy(recent->options, options, count * sizeof(*options));
	return TR_OK;
}
