// SPDX-License-Identifier: GPL-3.0-or-later
// What is counted by link: packets for which its queue had no room, those that it marked, and
// pauses.
#include <stdlib.h>

#include "flitsim.h"
#include "table/table_rows.h"

static size_t links_of(const struct net_topology *topology)
{
	return 2 * topology->cable_count;
}

bool link_counts_open(struct link_counts *counts, const struct fabric *fabric,
		      const struct net_topology *topology)
{
	const size_t links = links_of(topology);
	const bool pauses = fabric->kind->pauses && fabric->kind->pauses(fabric->params);

	if (fabric->kind->drops) {
		counts->drops = calloc(links + 1, sizeof(*counts->drops));
		counts->marks = calloc(links + 1, sizeof(*counts->marks));
	}
	if (pauses)
		counts->pauses = calloc((links + 1) * NET_PAUSE_PRIORITIES,
					sizeof(*counts->pauses));
	return (!fabric->kind->drops || (counts->drops && counts->marks)) &&
	       (!pauses || counts->pauses);
}

void link_counts_give(const struct link_counts *counts, struct net_results *results)
{
	results->link_drops = counts->drops;
	results->link_marks = counts->marks;
	results->link_pauses = counts->pauses;
}

void link_counts_close(struct link_counts *counts)
{
	free(counts->drops);
	free(counts->marks);
	free(counts->pauses);
	*counts = (struct link_counts){NULL};
}

// The links that have some; NULL: they are not counted.
static struct table *link_counts_table(const uint64_t *counts, const struct net_topology *topology,
				       const char *name, const char *title)
{
	struct table *table = counts ? table_new(name, title) : NULL;
	char link_name[NET_LINK_NAME_MAX];
	bool any = false;

	if (!table)
		return NULL;
	table_columns(table, "link packets");
	for (uint32_t link = 0; link < links_of(topology); link++) {
		if (counts[link] == 0)
			continue;
		table_text(table, net_link_name(topology, link, link_name, sizeof(link_name)));
		table_count(table, counts[link]);
		any = true;
	}
	if (!any)
		table_set_by_name(table);
	return table;
}

TABLE_ROW(link_pauses, (text, link), (count, priority), (count, pauses), (us, paused_us, 9),
	  (count, frames), (count, drops));

static struct table *link_pauses_table(const struct net_link_pauses *pauses,
				       const struct net_topology *topology, uint64_t ticks_per_s)
{
	struct table *table = pauses ? table_of("pauses", "Links that were paused, by priority",
						link_pauses_fields)
				     : NULL;
	char name[NET_LINK_NAME_MAX];
	bool any = false;

	if (!table)
		return NULL;
	table_set_clock(table, ticks_per_s);
	for (size_t i = 0; i < links_of(topology) * NET_PAUSE_PRIORITIES; i++) {
		const struct net_link_pauses *of = &pauses[i];

		if (of->frames == 0 && of->drops == 0)
			continue;
		TABLE_PUT(table, link_pauses,
			  .link = net_link_name(topology, (uint32_t)(i / NET_PAUSE_PRIORITIES),
						name, sizeof(name)),
			  .priority = i % NET_PAUSE_PRIORITIES, .pauses = of->pauses,
			  .paused_us = of->paused_ticks, .frames = of->frames, .drops = of->drops);
		any = true;
	}
	if (!any)
		table_set_by_name(table);
	return table;
}

size_t link_tables(const struct link_counts *counts, const struct net_topology *topology,
		   uint64_t ticks_per_s, struct table *tables[LINK_TABLES])
{
	struct table *const all[LINK_TABLES] = {
		link_counts_table(counts->drops, topology, "drops",
				  "Packets for which a link's queue had no room"),
		link_counts_table(counts->marks, topology, "marks",
				  "Packets that a link's queue marked (ECN)"),
		link_pauses_table(counts->pauses, topology, ticks_per_s)};
	size_t count = 0;

	for (size_t i = 0; i < LINK_TABLES; i++)
		if (all[i])
			tables[count++] = all[i];
	return count;
}
