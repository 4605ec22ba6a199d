// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsim.h"

#include <stdlib.h>
#include <string.h>

static enum tr_status window_set_time(struct sim_window *window, const char *text,
				      uint64_t ticks_per_s, struct tr_error *err)
{
	if (fault_window(text, ticks_per_s, &window->from_ticks, &window->to_ticks, err) == TR_OK)
		return TR_OK;
	return tr_fail_in(err, "--only");
}

static enum tr_status mark_link(struct sim_window *window, const struct net_topology *topology,
				const char *name, struct tr_error *err)
{
	char text[NET_LINK_NAME_MAX];

	for (uint32_t i = 0; i < 2 * topology->cable_count; i++) {
		if (strcmp(net_link_name(topology, i, text, sizeof(text)), name) != 0)
			continue;
		window->links[i] = true;
		return TR_OK;
	}
	return tr_fail(err, "--only: the network has no link \"%s\"; a time is FROM..TO", name);
}

enum tr_status sim_window_open(struct sim_window *window, const struct opt_list *only,
			       const struct net_topology *topology, uint64_t ticks_per_s,
			       struct tr_error *err)
{
	*window = (struct sim_window){.from_ticks = INT64_MIN, .to_ticks = INT64_MAX};
	for (size_t i = 0; i < only->count; i++) {
		if (strstr(only->words[i], "..")) {
			if (window_set_time(window, only->words[i], ticks_per_s, err) != TR_OK)
				return TR_ERROR;
			continue;
		}
		if (!window->links)
			window->links = calloc(2 * topology->cable_count, sizeof(*window->links));
		if (!window->links)
			return tr_no_memory(err, "the links of --only");
		if (mark_link(window, topology, only->words[i], err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

void sim_window_close(struct sim_window *window)
{
	free(window->links);
	*window = (struct sim_window){0};
}
