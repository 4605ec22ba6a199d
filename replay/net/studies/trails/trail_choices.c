// SPDX-License-Identifier: GPL-3.0-or-later
// The options of worms along strands: Qiao 1997, sections 4.4.2 and 4.5.1; adaptive-trails.md has
// the rules one by one.
#include <stdlib.h>
#include <string.h>

#include "net/studies/trails/candidates.h"
#include "net/studies/trails/trail_routes.h"

// A way out, as it is considered for one input and destination. order sorts by strand, position and
// port.
struct trail_choices_way {
	uint64_t order;
	uint32_t visit; // of all strands, as in struct net_candidates
	uint16_t port;
	uint16_t length;
	bool escape;
	bool of_hosts; // a shortcut that only hosts may take
	bool dropped;
};

// Shortcuts over a link that a worm may have taken, by link; in the order of their ends.
struct landings {
	uint32_t *first; // of a link; links + 1
	uint32_t *ends;
};

struct filling {
	struct net_choices *choices;
	const struct net_graph *graph;
	const struct net_strand *strands;
	uint32_t strand_count;
	struct net_trail_pruning pruning;
	struct net_candidates candidates;
	struct landings landings[NET_STRANDS_MAX];
	uint32_t *escapes; // of the strand at work
	struct trail_choices_way *ways;
	uint32_t way_count;
	uint32_t *way_of_port; // the way kept, and one more; 0: none
	struct net_option *options;
	unsigned char *is_neighbour; // of a switch, of that at work
};

static void close_filling(struct filling *filling)
{
	net_candidates_close(&filling->candidates);
	for (uint32_t i = 0; i < NET_STRANDS_MAX; i++) {
		free(filling->landings[i].first);
		free(filling->landings[i].ends);
	}
	free(filling->escapes);
	free(filling->ways);
	free(filling->way_of_port);
	free(filling->options);
	free(filling->is_neighbour);
}

static enum tr_status list_landings(struct landings *landings, const struct net_strand *strand,
				    const struct net_graph *graph, struct tr_error *err)
{
	const uint8_t lands = NET_FREE | NET_SOURCE;

	landings->first = calloc(graph->links + (size_t)2, sizeof(*landings->first));
	landings->ends = calloc(strand->shortcut_count + (size_t)1, sizeof(*landings->ends));
	if (!landings->first || !landings->ends)
		return tr_no_memory(err, "the options of routes");
	for (uint32_t i = 0; i < strand->shortcut_count; i++)
		landings->first[strand->shortcuts[i].link + 2] += (strand->shortcuts[i].types &
								   lands) != 0;
	for (uint32_t i = 2; i < graph->links + 2; i++)
		landings->first[i] += landings->first[i - 1];
	for (uint32_t i = 0; i < strand->shortcut_count; i++)
		if (strand->shortcuts[i].types & lands)
			landings->ends[landings->first[strand->shortcuts[i].link + 1]++] =
				strand->shortcuts[i].to;
	return TR_OK;
}

static enum tr_status open_filling(struct filling *filling, struct tr_error *err)
{
	uint32_t ports = 1;

	for (uint32_t i = 0; i < filling->strand_count; i++)
		if (list_landings(&filling->landings[i], &filling->strands[i], filling->graph,
				  err) != TR_OK)
			return TR_ERROR;
	if (net_candidates_open(&filling->candidates, filling->graph, filling->strands,
				filling->strand_count, filling->pruning.dual, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t node = filling->graph->hosts; node < filling->graph->nodes; node++)
		if (net_graph_ports(filling->graph, node) > ports)
			ports = net_graph_ports(filling->graph, node);
	filling->escapes = calloc(2 * filling->candidates.room + 2, sizeof(*filling->escapes));
	filling->ways = calloc(4 * filling->candidates.room, sizeof(*filling->ways));
	filling->way_of_port = calloc(ports, sizeof(*filling->way_of_port));
	filling->options = calloc(ports, sizeof(*filling->options));
	filling->is_neighbour = calloc(net_graph_switches(filling->graph) + (size_t)1, 1);
	if (!filling->escapes || !filling->ways || !filling->way_of_port || !filling->options ||
	    !filling->is_neighbour)
		return tr_no_memory(err, "the options of routes");
	return TR_OK;
}

// From where a worm may go on: the visits of the switch, by strand, that it may have come to;
// ascending.
struct trail_choices_entry {
	bool of_hosts;
	uint32_t first[NET_STRANDS_MAX]; // in visits
	uint32_t count[NET_STRANDS_MAX];
	uint32_t *visits;		 // as in struct net_candidates
	uint32_t begin[NET_STRANDS_MAX]; // of the candidates of a strand, from the first visit on
	uint32_t end[NET_STRANDS_MAX];
	uint32_t last_begin[NET_STRANDS_MAX]; // of the last steps
	uint32_t last_end[NET_STRANDS_MAX];
	uint32_t positions[NET_STRANDS_MAX]; // of the first visits; NET_NOBODY for none
};

static uint64_t trail_choices_order_of(uint32_t strand, uint32_t position, uint32_t port)
{
	return (uint64_t)strand << 44 | (uint64_t)position << 12 | port;
}

static uint32_t visit_at(const struct filling *filling, uint32_t strand, uint32_t position)
{
	const struct net_strand *own = &filling->strands[strand];

	return filling->candidates.first_visit[strand] + own->visit_of[position] -
	       own->first[filling->candidates.at];
}

// The candidates and last steps of the strands from the entry's first visits on.
static void find_ranges(const struct filling *filling, struct trail_choices_entry *entry)
{
	const struct net_candidates *candidates = &filling->candidates;

	for (uint32_t i = 0; i < filling->strand_count; i++) {
		const uint32_t from = entry->positions[i];
		uint32_t c = 0;

		while (c < candidates->count &&
		       (candidates->list[c].strand < i ||
			(candidates->list[c].strand == i && candidates->list[c].position < from)))
			c++;
		entry->begin[i] = c;
		while (c < candidates->count && candidates->list[c].strand == i)
			c++;
		entry->end[i] = c;
		for (c = 0;
		     c < candidates->last_count && (candidates->last_steps[c].strand < i ||
						    (candidates->last_steps[c].strand == i &&
						     candidates->last_steps[c].position < from));)
			c++;
		entry->last_begin[i] = c;
		while (c < candidates->last_count && candidates->last_steps[c].strand == i)
			c++;
		entry->last_end[i] = c;
	}
}

static void add_way(struct filling *filling, struct trail_choices_way way)
{
	uint32_t place = filling->way_count++;

	for (; place > 0 && filling->ways[place - 1].order > way.order; place--)
		filling->ways[place] = filling->ways[place - 1];
	filling->ways[place] = way;
}

// The candidates that are escapes from the visits of a strand, each once, into escapes; returns how
// many.
static uint32_t trail_choices_find_escapes(const struct filling *filling,
					   const struct trail_choices_entry *entry, uint32_t strand,
					   uint32_t to, uint32_t *escapes)
{
	const uint32_t *all = filling->candidates.escapes +
			      (size_t)to * filling->candidates.visit_count;
	const uint32_t *visits = entry->visits + entry->first[strand];
	uint32_t count = 0;

	// Those of later visits do not come before those of earlier ones.
	for (uint32_t i = 0; i < entry->count[strand] && !entry->of_hosts; i++) {
		const uint32_t escape = all[visits[i]];

		if (escape != NET_NOBODY && (count == 0 || escapes[count - 1] != escape))
			escapes[count++] = escape;
	}
	return count;
}

// The length of an escape that has no way but through the switch from which the worm came.
static uint16_t escape_length(const struct filling *filling, uint32_t c, uint32_t to)
{
	const struct net_candidate *candidate = &filling->candidates.list[c];
	const struct net_strand *strand = &filling->strands[candidate->strand];
	const uint16_t length =
		filling->candidates.lengths[(size_t)to * filling->candidates.count + c];

	if (length != NET_APART)
		return length;
	return (uint16_t)(strand->walks[(size_t)candidate->landing * strand->switches + to] + 1);
}

// Lists the ways of one strand.
static void trail_choices_list_ways(struct filling *filling,
				    const struct trail_choices_entry *entry, uint32_t strand,
				    uint32_t to)
{
	const struct net_candidates *candidates = &filling->candidates;
	const uint16_t *lengths = (entry->of_hosts ? candidates->lengths : candidates->avoiding) +
				  (size_t)to * candidates->count;
	const uint32_t escapes = trail_choices_find_escapes(filling, entry, strand, to,
							    filling->escapes);
	uint32_t next = 0;

	filling->way_count = 0;
	for (uint32_t c = entry->begin[strand]; c < entry->end[strand]; c++) {
		const struct net_candidate *candidate = &candidates->list[c];
		const bool escape = next < escapes && filling->escapes[next] == c;

		next += escape;
		if ((candidate->of_hosts && !entry->of_hosts) ||
		    (lengths[c] == NET_APART && !escape))
			continue;
		filling->ways[filling->way_count++] = (struct trail_choices_way){
			trail_choices_order_of(strand, candidate->position, candidate->port),
			candidate->visit,
			candidate->port,
			lengths[c] != NET_APART ? lengths[c] : escape_length(filling, c, to),
			escape,
			candidate->of_hosts,
			false};
	}
	for (uint32_t i = entry->last_begin[strand];
	     filling->is_neighbour[to] && i < entry->last_end[strand]; i++) {
		const struct net_last_step *last = &candidates->last_steps[i];

		if (last->to == to)
			add_way(filling,
				(struct trail_choices_way){
					trail_choices_order_of(strand, last->position, last->port),
					last->visit, last->port, 1, false, false});
	}
}

// Drops ways that leave at a visit though one that leaves at a later visit is shorter, and the
// strand is not at the destination in between. Shortcuts that only hosts may take are not compared.
static void drop_dual(struct filling *filling, uint32_t to)
{
	const struct net_candidates *candidates = &filling->candidates;
	const uint32_t *between = candidates->between + (size_t)to * candidates->visit_count;
	uint32_t region = NET_NOBODY;
	uint32_t visit = NET_NOBODY;
	uint16_t shortest = NET_APART; // of later visits
	uint16_t here = NET_APART;     // of this visit

	for (uint32_t i = filling->way_count; i-- > 0;) {
		struct trail_choices_way *way = &filling->ways[i];

		if (way->of_hosts)
			continue;
		if (way->visit != visit) {
			shortest = here < shortest ? here : shortest;
			here = NET_APART;
			visit = way->visit;
		}
		if (between[visit] != region) {
			shortest = NET_APART;
			region = between[visit];
		}
		here = way->length < here ? way->length : here;
		way->dropped = way->length > shortest && !way->escape;
	}
}

// Adds the ways of one strand to those kept, of each port the shortest; of equal ones that of the
// first order.
static uint32_t trail_choices_keep(struct filling *filling, struct trail_choices_way *kept,
				   uint32_t count)
{
	for (uint32_t i = 0; i < filling->way_count; i++) {
		const struct trail_choices_way *way = &filling->ways[i];
		uint32_t *place = &filling->way_of_port[way->port];

		if (way->dropped)
			continue;
		if (*place == 0) {
			kept[count++] = *way;
			*place = count;
			continue;
		}
		if (way->length < kept[*place - 1].length) {
			kept[*place - 1].length = way->length;
			kept[*place - 1].order = way->order;
		}
		kept[*place - 1].escape |= way->escape;
	}
	return count;
}

static void trail_choices_sort(struct trail_choices_way *ways, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		const struct trail_choices_way way = ways[i];
		uint32_t place = i;

		for (; place > 0 && (ways[place - 1].length > way.length ||
				     (ways[place - 1].length == way.length &&
				      ways[place - 1].order > way.order));
		     place--)
			ways[place] = ways[place - 1];
		ways[place] = way;
	}
}

// Of hosts the best option alone is sure not to be dropped: they hold no link yet.
static uint32_t trail_choices_prune(const struct filling *filling,
				    const struct trail_choices_entry *entry,
				    const struct trail_choices_way *ways, uint32_t count)
{
	const uint32_t limit = count > 0 ? 2u * ways->length : 0;
	uint32_t options = 0;

	for (uint32_t i = 0; i < count; i++) {
		const bool escape = entry->of_hosts ? i == 0 : ways[i].escape;
		const bool is_long = (filling->pruning.twice && ways[i].length > limit) ||
				     (filling->pruning.source && entry->of_hosts &&
				      ways[i].length >= limit);

		if (is_long && !escape)
			continue;
		filling->options[options++] = (struct net_option){.port = ways[i].port,
								  .escape = escape};
	}
	return options;
}

static enum tr_status trail_choices_put(struct filling *filling, uint32_t input,
					const struct trail_choices_entry *entry, uint32_t to,
					struct tr_error *err)
{
	struct trail_choices_way *kept = filling->ways + 2 * filling->candidates.room;
	uint32_t count = 0;

	for (uint32_t i = 0; i < filling->strand_count; i++) {
		if (entry->positions[i] == NET_NOBODY)
			continue;
		trail_choices_list_ways(filling, entry, i, to);
		if (filling->pruning.dual)
			drop_dual(filling, to);
		count = trail_choices_keep(filling, kept, count);
	}
	for (uint32_t i = 0; i < count; i++)
		filling->way_of_port[kept[i].port] = 0;
	trail_choices_sort(kept, count);
	return net_choices_put(filling->choices, input, to, filling->options,
			       trail_choices_prune(filling, entry, kept, count), err);
}

static enum tr_status trail_choices_put_all(struct filling *filling, uint32_t input,
					    struct trail_choices_entry *entry, uint32_t from,
					    struct tr_error *err)
{
	find_ranges(filling, entry);
	for (uint32_t to = 0; to < net_graph_switches(filling->graph); to++)
		if (to != filling->candidates.at && to != from &&
		    trail_choices_put(filling, input, entry, to, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

static void add_visit(const struct filling *filling, struct trail_choices_entry *entry,
		      uint32_t strand, uint32_t position)
{
	if (entry->count[strand] == 0)
		entry->positions[strand] = position;
	entry->visits[entry->first[strand] + entry->count[strand]++] = visit_at(filling, strand,
										position);
}

// The entry of worms that come over a link.
static void trail_choices_enter(const struct filling *filling, struct trail_choices_entry *entry,
				uint32_t link)
{
	uint32_t used = 0;

	entry->of_hosts = false;
	for (uint32_t i = 0; i < filling->strand_count; i++) {
		const struct landings *landings = &filling->landings[i];
		const uint32_t step = filling->strands[i].step_of[link];

		entry->first[i] = used;
		entry->count[i] = 0;
		entry->positions[i] = NET_NOBODY;
		if (step != NET_NOBODY)
			add_visit(filling, entry, i, step + 1);
		for (uint32_t l = landings->first[link]; l < landings->first[link + 1]; l++)
			add_visit(filling, entry, i, landings->ends[l]);
		used += entry->count[i];
	}
}

// Worms of hosts may leave at any visit.
static void enter_from_hosts(const struct filling *filling, struct trail_choices_entry *entry)
{
	entry->of_hosts = true;
	for (uint32_t i = 0; i < filling->strand_count; i++) {
		const struct net_strand *strand = &filling->strands[i];

		entry->first[i] = i;
		entry->count[i] = 0;
		add_visit(filling, entry, i, strand->visits[strand->first[filling->candidates.at]]);
	}
}

// Fills in what comes from one neighbour, over however many links.
static enum tr_status fill_from(struct filling *filling, struct trail_choices_entry *entry,
				uint32_t from, struct tr_error *err)
{
	const struct net_graph *graph = filling->graph;
	const uint32_t node = filling->candidates.at + graph->hosts;
	uint32_t first[NET_STRANDS_MAX] = {NET_NOBODY, NET_NOBODY};

	for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
		if (net_graph_peer(graph, node, port)->node != from + graph->hosts)
			continue;
		trail_choices_enter(filling, entry, net_graph_peer(graph, node, port)->link ^ 1u);
		for (uint32_t i = 0; i < filling->strand_count; i++)
			first[i] = entry->positions[i] < first[i] ? entry->positions[i] : first[i];
	}
	net_candidates_avoid(&filling->candidates, from, first);
	for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
		const uint32_t link = net_graph_peer(graph, node, port)->link ^ 1u;

		if (net_graph_peer(graph, node, port)->node != from + graph->hosts)
			continue;
		trail_choices_enter(filling, entry, link);
		if (trail_choices_put_all(filling, net_choices_input(filling->choices, link, 0),
					  entry, from, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

#define DONE 2u // a neighbour whose inputs are filled in

static enum tr_status fill_switch(struct filling *filling, struct trail_choices_entry *entry,
				  uint32_t at, struct tr_error *err)
{
	const struct net_graph *graph = filling->graph;
	enum tr_status status;

	net_candidates_at(&filling->candidates, at);
	for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
		const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts, port);

		if (net_trail_is_edge(graph, at, peer))
			filling->is_neighbour[peer->node - graph->hosts] = 1;
	}
	enter_from_hosts(filling, entry);
	status = trail_choices_put_all(filling, net_choices_host_input(at), entry, NET_NOBODY, err);
	for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
		const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts, port);

		if (!net_trail_is_edge(graph, at, peer) ||
		    filling->is_neighbour[peer->node - graph->hosts] == DONE)
			continue;
		if (status == TR_OK)
			status = fill_from(filling, entry, peer->node - graph->hosts, err);
		filling->is_neighbour[peer->node - graph->hosts] = DONE;
	}
	memset(filling->is_neighbour, 0, net_graph_switches(graph));
	return status;
}

enum tr_status net_trail_choices_fill(struct net_choices *choices, const struct net_strand *strands,
				      uint32_t count, struct net_trail_pruning pruning,
				      struct tr_error *err)
{
	struct filling filling = {.choices = choices,
				  .graph = net_choices_graph(choices),
				  .strands = strands,
				  .strand_count = count,
				  .pruning = pruning};
	struct trail_choices_entry entry = {.visits = NULL};
	enum tr_status status = open_filling(&filling, err);

	if (status == TR_OK) {
		entry.visits = calloc(2 * filling.candidates.room + NET_STRANDS_MAX,
				      sizeof(*entry.visits));
		status = entry.visits ? TR_OK : tr_no_memory(err, "the options of routes");
	}
	for (uint32_t at = 0; status == TR_OK && at < net_graph_switches(filling.graph); at++)
		status = fill_switch(&filling, &entry, at, err);
	free(entry.visits);
	close_filling(&filling);
	return status;
}
