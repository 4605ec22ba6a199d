// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsim.h"

#include <stdio.h>
#include <string.h>

#include "net/routes/choices.h"
#include "net/routes/deadlock.h"
#include "net/routes/immunity.h"
#include "net/topology/graph.h"
#include "value/ticks.h"

#define HOSTS_MAX 4096u	    // of a search
#define CHECKED_HOSTS 1024u // of a check of routes that was not asked for
#define CYCLE_SHOWN 6u	    // links of a cycle

// Whether worms of these routes can wait for one another in a cycle. TR_END: not known.
static enum tr_status search_routes(const struct net_setup *setup, bool *deadlocks)
{
	const struct net_routes *routes = setup->routes;
	struct net_immunity immunity = {0};
	struct net_graph graph = {0};
	struct net_cycle cycle = {0};
	struct tr_error ignored;
	enum tr_status status = TR_ERROR;

	// Worms with routes of their own need not take these.
	if (!routes || routes->hosts == 0 || setup->longest_route > 0 || routes->hosts > HOSTS_MAX)
		return TR_END;
	if (net_graph_open(&graph, setup->topology, &ignored) == TR_OK)
		status = routes->choices ? net_immunity_find(&immunity, routes->choices, &ignored)
					 : net_deadlock_find(&cycle, &graph, routes, &ignored);
	*deadlocks = routes->choices
			     ? status == TR_OK && net_immunity_deadlocks(&immunity, routes->choices)
			     : cycle.count > 0;
	net_immunity_clear(&immunity);
	net_cycle_clear(&cycle);
	net_graph_close(&graph);
	return status == TR_OK ? TR_OK : TR_END;
}

// Writes what the deadlock came from to text, and returns the causes that are known or possible. A
// cycle that was found has been reported, and may be one of multicasts or shared lanes.
static unsigned find_causes(const struct net_setup *setup, const struct net_totals *totals,
			    bool cycle_found, char *text, size_t text_bytes)
{
	bool cycle = cycle_found;
	const bool known = !cycle_found && search_routes(setup, &cycle) == TR_OK;
	const char *of_routes = !known	? ""
				: cycle ? ": the routes have a cycle"
					: ": the routes have no cycle";
	char of_memory[80] = "";
	unsigned causes = 0;

	if (totals->full_hosts > 0)
		snprintf(of_memory, sizeof(of_memory), "%s %llu host%s no room for what arrives",
			 known ? "," : ":", (unsigned long long)totals->full_hosts,
			 totals->full_hosts == 1 ? " has" : "s have");
	snprintf(text, text_bytes, "%s%s", of_routes, of_memory);
	if (cycle || !known)
		causes |= NET_CAUSE_ROUTES;
	if (totals->full_hosts > 0 || (!known && !cycle_found))
		causes |= NET_CAUSE_MEMORY;
	return causes;
}

// Whether routes were computed anew in the run, and neither the old nor any new ones have a cycle:
// one that stands is of packets of both.
static bool is_of_old_and_new(const struct net_setup *setup)
{
	bool acyclic = setup->routes->acyclic;

	for (uint32_t i = 0; i < setup->reroute_count; i++)
		acyclic = acyclic && setup->reroutes[i].routes->acyclic;
	return setup->reroute_count > 0 && acyclic;
}

void deadlock_report(struct tool *tool, const struct net_fabric *kind,
		     const struct net_setup *setup, const struct net_totals *totals,
		     uint64_t cycles)
{
	char of[160], both[160];

	if (totals->livelocked)
		tool_verdict(tool, "livelock: worms are removed by the timeout and sent again, and "
				   "none is delivered; "
				   "give them more time (--fabric myrinet:timeout=TIME) or give "
				   "them up (on-timeout=drop)");
	if (totals->deadlocked) {
		const unsigned causes = find_causes(setup, totals, cycles > 0, of, sizeof(of));
		const bool is_both = cycles > 0 && is_of_old_and_new(setup);

		snprintf(both, sizeof(both),
			 "old and new routes have this cycle together (--fault reroute); --fabric "
			 "%s:timeout=TIME gives up packets that wait",
			 kind->name);
		tool_verdict(tool, "deadlock: %llu worms are under way%s%s; %s",
			     (unsigned long long)totals->in_flight,
			     cycles > 0 ? "" : " and nothing moves", of,
			     is_both	     ? both
			     : kind->way_out ? kind->way_out(setup->params, causes)
					     : NET_ROUTES_WAY_OUT);
	} else if (cycles > 0) {
		tool_warn(tool, "%llu deadlock%s broken", (unsigned long long)cycles,
			  cycles == 1 ? " was" : "s were");
	}
}

// Why old and new routes together are not checked; NULL: they are.
static const char *deadlock_unchecked(const struct net_fabric *kind, const struct net_setup *setup)
{
	if (kind->drops)
		return "switches of this kind may change the route of a packet on its way";
	if (!kind->engines[0]->finds_cycles)
		return "in this kind no packet waits for the buffer of another";
	return setup->routes->choices ? "with a choice packets go on by old and new routes" : NULL;
}

// "from 5 us on ...: LINK (SOURCE to DESTINATION), ...", of the first links of a cycle.
static void deadlock_name_cycle(const struct net_setup *setup, const struct net_cycle *cycle,
				int64_t ticks, struct tr_error *text)
{
	char link[NET_LINK_NAME_MAX], source[NET_NAME_MAX + 1], destination[NET_NAME_MAX + 1];
	size_t used = 0;

	if (ticks < INT64_MIN / 2)
		(void)tr_fail(text, "packets can wait in a cycle of the routes");
	else
		(void)tr_fail(text,
			      "from %.9g us on packets of old and new routes can wait for each "
			      "other in a cycle",
			      tr_ticks_seconds(ticks, setup->ticks_per_s) * 1e6);
	for (uint32_t i = 0; i < cycle->count; i++) {
		const struct net_cycle_step *step = &cycle->steps[i];
		char lane[16] = "";

		if (step->lane > 0)
			snprintf(lane, sizeof(lane), "/%u", step->lane);
		used = strlen(text->text);
		if (i == CYCLE_SHOWN)
			snprintf(text->text + used, sizeof(text->text) - used, ", and %u more",
				 cycle->count - i);
		if (i < CYCLE_SHOWN)
			snprintf(text->text + used, sizeof(text->text) - used, "%s%s%s (%s to %s)",
				 i == 0 ? ": " : ", ",
				 net_link_name(setup->topology, step->link, link, sizeof(link)),
				 lane,
				 net_topology_name(setup->topology, step->source, source,
						   sizeof(source)),
				 net_topology_name(setup->topology, step->destination, destination,
						   sizeof(destination)));
	}
}

bool deadlock_check_anew(struct tool *tool, const struct net_fabric *kind,
			 const struct fault_list *list, const struct net_setup *setup)
{
	const bool refuses = list->check == FAULT_CHECK_REFUSE;
	const char *unchecked = tool_ok(tool) && setup->reroute_count > 0
					? deadlock_unchecked(kind, setup)
					: NULL;
	struct net_cycle cycle = {0};
	struct tr_error text;
	int64_t ticks;

	if (refuses && unchecked)
		tool_error(tool, "--fault reroute: check=refuse looks at nothing here: %s",
			   unchecked);
	if (!tool_ok(tool) || setup->reroute_count == 0 || list->check == FAULT_CHECK_NO ||
	    unchecked || (!refuses && setup->topology->hosts > CHECKED_HOSTS))
		return tool_ok(tool);
	if (reroutes_find_cycle(&list->routes, setup, &cycle, &ticks, &text) != TR_OK) {
		if (refuses)
			tool_error(tool, "--fault reroute: check=refuse: %s", text.text);
	} else if (cycle.count > 0 && (refuses || ticks > INT64_MIN / 2)) {
		deadlock_name_cycle(setup, &cycle, ticks, &text);
		(refuses ? tool_error : tool_warn)(tool, "--fault reroute: %s", text.text);
	}
	net_cycle_clear(&cycle);
	return tool_ok(tool);
}

void deadlock_warn_risk(struct tool *tool, const struct fabric *fabric,
			const struct net_routes *routes)
{
	const char *risk = fabric->kind->risk ? fabric->kind->risk(fabric->params, routes) : NULL;

	if (risk)
		tool_warn(tool, "%s: %s", fabric->kind->name, risk);
}
