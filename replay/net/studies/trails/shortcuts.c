// SPDX-License-Identifier: GPL-3.0-or-later
// Which shortcuts a strand has: Qiao 1997, sections 4.2.1 and 4.4.1.
#include <stdlib.h>
#include <string.h>

#include "net/studies/trails/strand.h"
#include "value/grow.h"

// Shortcuts as they are found, by switch and port.
struct shortcuts_drawing {
	struct net_strand *strand;
	struct net_shortcut *found;
	size_t count;
	size_t room;
};

static enum tr_status shortcuts_add(struct shortcuts_drawing *drawing, struct net_shortcut shortcut,
				    struct tr_error *err)
{
	if (drawing->count == UINT32_MAX || !GROW(drawing->found, drawing->room, drawing->count))
		return tr_no_memory(err, "the shortcuts");
	drawing->found[drawing->count++] = shortcut;
	return TR_OK;
}

static uint8_t types_of(const struct net_strand *strand, uint32_t link, uint32_t from)
{
	const uint32_t own = strand->step_of[link];

	if (own == NET_NOBODY)
		return NET_DESTINATION | NET_SOURCE;
	return own < from ? NET_DESTINATION | NET_FREE : NET_DESTINATION;
}

// Draws those over one link: where visits of the two switches take turns along the strand, from the
// last visit of its begin to the first of its end.
static enum tr_status draw_link(struct shortcuts_drawing *drawing, uint32_t from, uint32_t to,
				uint32_t link, struct tr_error *err)
{
	const struct net_strand *strand = drawing->strand;
	const uint32_t from_end = strand->first[from + 1];
	uint32_t target = strand->first[to];

	for (uint32_t visit = strand->first[from]; visit < from_end; visit++) {
		const uint32_t position = strand->visits[visit];

		while (target < strand->first[to + 1] && strand->visits[target] < position)
			target++;
		if (target == strand->first[to + 1])
			return TR_OK;
		if (visit + 1 < from_end && strand->visits[visit + 1] < strand->visits[target])
			continue;
		if (strand->step_of[link] == position)
			continue;
		if (shortcuts_add(drawing,
				  (struct net_shortcut){position, strand->visits[target], link,
							types_of(strand, link, position), 0},
				  err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static bool shortcuts_comes_before(const struct net_shortcut *a, const struct net_shortcut *b)
{
	return a->to < b->to;
}

// In the order of the positions from which they lead; those of one stay in the order of ports but
// for where they end.
static enum tr_status shortcuts_sort(struct net_strand *strand,
				     const struct shortcuts_drawing *drawing, struct tr_error *err)
{
	uint32_t *first = calloc((size_t)strand->steps + 3, sizeof(*first));

	strand->shortcuts = calloc(drawing->count + 1, sizeof(*strand->shortcuts));
	strand->shortcut_first = first;
	if (!first || !strand->shortcuts)
		return tr_no_memory(err, "the shortcuts");
	strand->shortcut_count = (uint32_t)drawing->count;
	for (size_t i = 0; i < drawing->count; i++)
		first[drawing->found[i].from + 2]++;
	for (size_t i = 2; i < (size_t)strand->steps + 3; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < drawing->count; i++) {
		const struct net_shortcut *shortcut = &drawing->found[i];
		const uint32_t begin = first[shortcut->from];
		uint32_t place = first[shortcut->from + 1]++;

		for (; place > begin &&
		       shortcuts_comes_before(shortcut, &strand->shortcuts[place - 1]);
		     place--)
			strand->shortcuts[place] = strand->shortcuts[place - 1];
		strand->shortcuts[place] = *shortcut;
	}
	return TR_OK;
}

enum tr_status net_strand_add_shortcuts(struct net_strand *strand, const struct net_graph *graph,
					struct tr_error *err)
{
	struct shortcuts_drawing drawing = {.strand = strand};
	enum tr_status status = TR_OK;

	for (uint32_t at = 0; at < strand->switches; at++)
		for (uint32_t port = 0;
		     port < net_graph_ports(graph, at + graph->hosts) && status == TR_OK; port++) {
			const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts,
								     port);

			if (net_trail_is_edge(graph, at, peer))
				status = draw_link(&drawing, at, peer->node - graph->hosts,
						   peer->link, err);
		}
	if (status == TR_OK)
		status = shortcuts_sort(strand, &drawing, err);
	free(drawing.found);
	return status;
}
