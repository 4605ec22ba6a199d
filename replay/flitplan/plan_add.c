// SPDX-License-Identifier: GPL-3.0-or-later
// Where another client, server, channel or switch would go best. The thesis's figures for the first
// two (5.3 and 5.4) are missing from the copy at hand; the method here is ours, after its
// principles: no busier channel, short routes, one server on a switch, channels and switches
// between what is far apart.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flitplan.h"
#include "table/table_rows.h"
#include "value/grow.h"
#include "value/order.h"

#define DIGITS 6

// What an addition gives at one place.
struct plan_add_place {
	char *name;
	uint32_t free; // ports before it
	struct plan_score score;
	char busiest[PLAN_CHANNEL_NAME_BYTES];
	uint64_t local;
	size_t moved; // nodes that followed
};

struct places {
	struct plan_add_place *list;
	size_t count;
	struct tr_error *err;
};

static enum tr_status plan_add_put_place(struct places *places, const struct plan *plan,
					 uint32_t free, size_t moved, const char *name)
{
	if (!GROW_BY_COUNT(places->list, places->count))
		return tr_no_memory(places->err, "places");
	struct plan_add_place *place = &places->list[places->count];

	*place = (struct plan_add_place){.name = strdup(name),
					 .free = free,
					 .score = plan_score(plan),
					 .local = plan->local,
					 .moved = moved};
	(void)plan_channel_name(plan, place->score.busiest, place->busiest, sizeof(place->busiest));
	if (!place->name)
		return tr_no_memory(places->err, "places");
	places->count++;
	return TR_OK;
}

// The least busy, then the smallest R, then the largest L, then the first.
static bool plan_add_is_better(const struct plan_add_place *a, const struct plan_add_place *b)
{
	if (a->score.most != b->score.most)
		return a->score.most < b->score.most;
	if (a->score.hops != b->score.hops)
		return a->score.hops < b->score.hops;
	return a->local > b->local;
}

TABLE_ROW(addition, (text, add), (text, place), (count, free_ports), (count, moved),
	  (real, max_utilisation, DIGITS), (text, busiest), (real, hops_MBps, DIGITS),
	  (real, local_MBps, DIGITS), (text, best));

static struct table *additions_table(const struct plan *plan, const struct places *places,
				     const char *what)
{
	struct table *table = table_of("additions", "What an addition does at each place",
				       addition_fields);
	const double MBps = plan->unit_Bps / 1e6;
	size_t best = 0;

	for (size_t i = 1; i < places->count; i++)
		if (plan_add_is_better(&places->list[i], &places->list[best]))
			best = i;
	for (size_t i = 0; i < places->count; i++) {
		const struct plan_add_place *place = &places->list[i];

		TABLE_PUT(table, addition, .add = what, .place = place->name,
			  .free_ports = place->free, .moved = place->moved,
			  .max_utilisation = place->score.most, .busiest = place->busiest,
			  .hops_MBps = (double)place->score.hops * MBps,
			  .local_MBps = (double)place->local * MBps,
			  .best = i == best ? "best" : "");
	}
	return table;
}

static uint32_t free_ports(const struct plan *plan, uint32_t at)
{
	uint32_t used = plan->held[at];

	for (uint32_t c = 0; c < plan->cable_count; c++)
		for (int end = 0; end < 2; end++)
			used += plan->cables[c].ends[end].node == at;
	return plan->ports[at] > used ? plan->ports[at] - used : 0;
}

// --- a node

// What the new node sends the nodes of each switch and gets from them: as that one does, or the
// mean of its kind.
static enum tr_status find_rows(const struct plan *plan, const struct plan_add_request *request,
				uint64_t *out, uint64_t *in, struct tr_error *err)
{
	const size_t s = plan->switches;
	const bool servers = request->what == PLAN_ADD_SERVER;
	struct net_names names = {0};
	uint32_t like = NET_NOBODY, alike = 0;

	if (request->like) {
		enum tr_status status = net_names_open(&names, plan->given, err);

		if (status == TR_OK &&
		    (!net_names_find(&names, request->like, &like) || like >= plan->nodes))
			status = tr_fail(err, "--like %.100s: no host of the network",
					 request->like);
		net_names_close(&names);
		if (status != TR_OK)
			return status;
	}
	memset(out, 0, s * sizeof(*out));
	memset(in, 0, s * sizeof(*in));
	for (uint32_t i = 0; i < plan->nodes; i++) {
		if (like != NET_NOBODY ? i != like : plan_is_server(plan, i) != servers)
			continue;
		alike++;
		for (size_t t = 0; t < s; t++) {
			out[t] += plan->out[i * s + t];
			in[t] += plan->in[i * s + t];
		}
	}
	if (alike == 0)
		return tr_fail(err, "--add %s: no %s is known (--server, --like)",
			       servers ? "server" : "client", servers ? "server" : "client");
	for (size_t t = 0; t < s; t++) {
		out[t] /= alike;
		in[t] /= alike;
	}
	return TR_OK;
}

static void plan_add_put_rows(struct plan *plan, uint32_t at, const uint64_t *out,
			      const uint64_t *in, bool back)
{
	for (uint32_t t = 0; t < plan->switches; t++) {
		plan_put(plan, at, t, back ? 0 - out[t] : out[t]);
		plan_put(plan, t, at, back ? 0 - in[t] : in[t]);
	}
}

static enum tr_status try_nodes(struct plan *plan, const struct plan_add_request *request,
				struct places *places)
{
	const bool server = request->what == PLAN_ADD_SERVER;
	uint64_t *rows = calloc(2 * (size_t)plan->switches + 1, sizeof(*rows));
	char name[NET_NAME_MAX + 16];
	uint32_t least = UINT32_MAX;
	enum tr_status status = rows ? find_rows(plan, request, rows, rows + plan->switches,
						 places->err)
				     : tr_no_memory(places->err, "a row of the traffic");

	for (uint32_t s = 0; s < plan->switches; s++)
		if (free_ports(plan, s) > 0 && plan->served[s] < least)
			least = plan->served[s];
	for (uint32_t s = 0; status == TR_OK && s < plan->switches; s++) {
		if (free_ports(plan, s) == 0 || (server && plan->served[s] > least))
			continue;
		plan_add_put_rows(plan, s, rows, rows + plan->switches, false);
		status = plan_add_put_place(places, plan, free_ports(plan, s), 0,
					    plan_switch_name(plan, s, name, sizeof(name)));
		plan_add_put_rows(plan, s, rows, rows + plan->switches, true);
	}
	free(rows);
	if (status == TR_OK && places->count == 0)
		return tr_fail(places->err, "--add %s: no switch has a free port",
			       server ? "server" : "client");
	return status;
}

// --- a network with one more channel or switch

static bool port_taken(const struct net_topology *topology, uint32_t node, uint32_t port)
{
	for (size_t i = 0; i < topology->cable_count; i++)
		for (int end = 0; end < 2; end++)
			if (topology->cables[i].ends[end].node == node &&
			    topology->cables[i].ends[end].port == port)
				return true;
	return false;
}

static struct net_end free_end(const struct net_topology *topology, uint32_t at)
{
	struct net_end end = {topology->hosts + at, 0};

	while (port_taken(topology, end.node, end.port))
		end.port++;
	return end;
}

// Lays a cable; there is room for it.
static void plan_add_join(struct net_topology *topology, uint32_t a, uint32_t b)
{
	const struct net_end from = free_end(topology, a), to = free_end(topology, b);

	topology->cables[topology->cable_count++] = (struct net_cable){.ends = {from, to}};
}

// The network as planned, with room for more cables and one more switch.
static enum tr_status copy_network(const struct plan *plan, uint32_t cables, bool another,
				   struct net_topology *topology, struct tr_error *err)
{
	struct net_cable *more;
	uint32_t *ports;
	uint32_t most = 0;

	if (plan_topology(plan, topology, err) != TR_OK)
		return TR_ERROR;
	more = reallocarray(topology->cables, topology->cable_count + cables + 1, sizeof(*more));
	if (more)
		topology->cables = more;
	ports = reallocarray(topology->ports, (size_t)topology->switches + 2, sizeof(*ports));
	if (ports)
		topology->ports = ports;
	if (!more || !ports)
		return tr_no_memory(err, "a larger network");
	if (!another)
		return TR_OK;
	free(topology->places);
	topology->places = NULL;
	for (uint32_t s = 0; s < topology->switches; s++)
		most = topology->ports[s] > most ? topology->ports[s] : most;
	if (topology->names) {
		char **names = reallocarray(topology->names,
					    (size_t)topology->hosts + topology->switches + 2,
					    sizeof(*names));

		if (!names)
			return tr_no_memory(err, "a larger network");
		topology->names = names;
		names[topology->hosts + topology->switches] = NULL;
	}
	topology->ports[topology->switches++] = most;
	return TR_OK;
}

// The place of a larger network; nodes follow to a new switch.
static enum tr_status try_network(const struct plan *plan, const struct plan_add_request *request,
				  const struct net_topology *topology, bool follow, uint32_t free,
				  const char *name, struct places *places)
{
	const struct plan_setup setup = {.topology = topology,
					 .traffic = plan->traffic,
					 .unit_Bps = plan->unit_Bps,
					 .servers = plan->servers,
					 .link_rate_Bps = request->link_rate_Bps,
					 .rule = plan->rule.text};
	struct plan larger;
	enum tr_status status = plan_open(&larger, &setup, places->err);

	if (status == TR_OK && follow)
		status = plan_place(&larger, 0, 1, places->err);
	if (status == TR_OK)
		status = plan_add_put_place(places, &larger, free, larger.move_count, name);
	plan_close(&larger);
	return status;
}

static enum tr_status try_channels(const struct plan *plan, const struct plan_add_request *request,
				   bool parallel, struct places *places)
{
	char a[NET_NAME_MAX + 16], b[NET_NAME_MAX + 16], name[PLAN_CHANNEL_NAME_BYTES];

	for (uint32_t i = 0; i < plan->switches; i++)
		for (uint32_t j = i + 1; j < plan->switches; j++) {
			const uint32_t free_i = free_ports(plan, i), free_j = free_ports(plan, j);
			struct net_topology topology = {0};
			enum tr_status status;

			if (free_i == 0 || free_j == 0 || plan_joined(plan, i, j) != parallel)
				continue;
			status = copy_network(plan, 1, false, &topology, places->err);
			if (status == TR_OK) {
				plan_add_join(&topology, i, j);
				(void)snprintf(name, sizeof(name), "%s to %s",
					       plan_switch_name(plan, i, a, sizeof(a)),
					       plan_switch_name(plan, j, b, sizeof(b)));
				status = try_network(plan, request, &topology, false,
						     free_i < free_j ? free_i : free_j, name,
						     places);
			}
			net_topology_clear(&topology);
			if (status != TR_OK)
				return status;
		}
	return TR_OK;
}

// Cables between the switch and the nearest of those chosen.
static uint32_t distance_to(const struct plan *plan, uint32_t at, const uint32_t *chosen,
			    uint32_t count)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < count; i++) {
		const uint8_t hops = plan->routes.counts[(size_t)at * plan->switches + chosen[i]];

		least = hops < least ? hops : least;
	}
	return least;
}

// From first on, each next switch with a free port is the farthest from those chosen, of equal ones
// the one with the most free ports.
static uint32_t plan_add_choose(const struct plan *plan, uint32_t first, uint32_t wanted,
				uint32_t *chosen)
{
	uint32_t count = 0;

	chosen[count++] = first;
	while (count < wanted) {
		uint32_t best = NET_NOBODY, best_distance = 0;

		for (uint32_t s = 0; s < plan->switches; s++) {
			const uint32_t distance = distance_to(plan, s, chosen, count);

			if (distance == 0 || free_ports(plan, s) == 0)
				continue;
			if (best == NET_NOBODY || distance > best_distance ||
			    (distance == best_distance &&
			     free_ports(plan, s) > free_ports(plan, best))) {
				best = s;
				best_distance = distance;
			}
		}
		if (best == NET_NOBODY)
			break;
		chosen[count++] = best;
	}
	return count;
}

#define CHANNELS_MAX 16u // of a new switch
#define CHANNELS_MIN 3u	 // a switch with one or two is a bottleneck (section 2.4.2 of the thesis)

static bool plan_add_is_listed(const struct places *places, const char *name)
{
	for (size_t i = 0; i < places->count; i++)
		if (strcmp(places->list[i].name, name) == 0)
			return true;
	return false;
}

static enum tr_status try_switches(const struct plan *plan, const struct plan_add_request *request,
				   struct places *places)
{
	uint32_t wanted = plan->switches > 0
				  ? (2 * plan->cable_count + plan->switches / 2) / plan->switches
				  : 0;

	wanted = wanted < CHANNELS_MIN	 ? CHANNELS_MIN
		 : wanted > CHANNELS_MAX ? CHANNELS_MAX
					 : wanted;
	for (uint32_t first = 0; first < plan->switches; first++) {
		struct net_topology topology = {0};
		uint32_t chosen[CHANNELS_MAX], count;
		char words[CHANNELS_MAX * 24 + 200] = "", one[NET_NAME_MAX + 16];
		size_t used = 0;
		enum tr_status status;

		if (free_ports(plan, first) == 0)
			continue;
		count = plan_add_choose(plan, first, wanted, chosen);
		qsort(chosen, count, sizeof(*chosen), order_u32);
		for (uint32_t i = 0; i < count && used < sizeof(words); i++)
			used += (size_t)snprintf(
				words + used, sizeof(words) - used, "%s%s", i ? " " : "to ",
				plan_switch_name(plan, chosen[i], one, sizeof(one)));
		if (count < 2 || plan_add_is_listed(places, words))
			continue;
		status = copy_network(plan, count, true, &topology, places->err);
		for (uint32_t i = 0; status == TR_OK && i < count; i++)
			plan_add_join(&topology, topology.switches - 1, chosen[i]);
		if (status == TR_OK)
			status = try_network(plan, request, &topology, true,
					     free_ports(plan, first), words, places);
		net_topology_clear(&topology);
		if (status != TR_OK)
			return status;
	}
	return TR_OK;
}

struct table *plan_add_table(struct plan *plan, const struct plan_add_request *request,
			     struct tr_error *err)
{
	static const char *const words[] = {[PLAN_ADD_CLIENT] = "client",
					    [PLAN_ADD_SERVER] = "server",
					    [PLAN_ADD_CHANNEL] = "channel",
					    [PLAN_ADD_SWITCH] = "switch"};
	struct places places = {.err = err};
	struct table *table = NULL;
	enum tr_status status;

	if (request->what == PLAN_ADD_CHANNEL) {
		status = try_channels(plan, request, false, &places);
		if (status == TR_OK && places.count == 0) // all are joined: a second cable
			status = try_channels(plan, request, true, &places);
	} else if (request->what == PLAN_ADD_SWITCH) {
		status = try_switches(plan, request, &places);
	} else {
		status = try_nodes(plan, request, &places);
	}
	if (status == TR_OK && places.count == 0)
		status = tr_fail(err, "--add %s: no two switches have free ports",
				 words[request->what]);
	if (status == TR_OK)
		table = additions_table(plan, &places, words[request->what]);
	for (size_t i = 0; i < places.count; i++)
		free(places.list[i].name);
	free(places.list);
	return table;
}
