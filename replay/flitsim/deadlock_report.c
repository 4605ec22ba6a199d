// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsim.h"

#include "net/routes/choices.h"
#include "net/routes/deadlock.h"
#include "net/routes/immunity.h"
#include "net/topology/graph.h"

#define HOSTS_MAX 4096u // of a search

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

void deadlock_warn_risk(struct tool *tool, const struct fabric *fabric,
			const struct net_routes *routes)
{
	const char *risk = fabric->kind->risk ? fabric->kind->risk(fabric->params, routes) : NULL;

	if (risk)
		tool_warn(tool, "%s: %s", fabric->kind->name, risk);
}
