// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/network_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/keys_input.h"
#include "net/routes/routes_forms.h"
#include "net/routings/routing.h"
#include "net/topologies/topologies.h"
#include "net/topology/adapters.h"
#include "net/topology/topology_text.h"

static enum tr_status read_topology(struct tool *tool, const char *path,
				    struct net_topology *topology, struct tr_error *err)
{
	struct tr_source *source = tool_open_source(tool, path);
	enum tr_status status;

	if (!source)
		return TR_ERROR;
	status = net_topology_read(topology, source, err);
	tr_source_close(source);
	return status;
}

static const char *generator_names(char *out, size_t out_bytes)
{
	size_t used = 0;

	for (size_t i = 0; net_generators[i] && used < out_bytes; i++)
		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", i > 0 ? " " : "",
					 net_generators[i]->name);
	return out;
}

enum tr_status topology_input_list(struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *table = table_new("generators", "Generators");

	table_columns(table, "name arguments makes");
	for (size_t i = 0; net_generators[i]; i++) {
		table_text(table, net_generators[i]->name);
		table_text(table,
			   *net_generators[i]->arguments ? net_generators[i]->arguments : NULL);
		table_text(table, net_generators[i]->summary);
	}
	return tables_finish(&table, 1, style, "flitnet", out, err);
}

bool topology_input_open(struct tool *tool, const char *text, struct net_topology *topology)
{
	struct tr_error err = {""};
	enum tr_status status;
	char names[400];

	*topology = (struct net_topology){0};
	if (net_generator_find(text))
		status = net_topology_make(topology, text, &err);
	else if (strcmp(text, "-") != 0 && access(text, F_OK) != 0)
		status = tr_fail(&err, "network \"%.60s\": neither a generator (%s) nor a file",
				 text, generator_names(names, sizeof(names)));
	else
		status = read_topology(tool, text, topology, &err);
	if (*err.text != '\0')
		tool_error(tool, "%s", err.text);
	return status == TR_OK;
}

bool topology_input_open_single(struct tool *tool, const char *text, struct net_topology *topology)
{
	if (!topology_input_open(tool, text, topology))
		return false;
	if (!net_has_adapters(topology))
		return true;
	tool_error(tool,
		   "%s: has hosts with several ports; this program takes networks whose hosts have "
		   "one, flitnet, flitroute and flitsim also others",
		   text);
	net_topology_clear(topology);
	return false;
}

static bool read_routes(struct tool *tool, const char *path, const struct net_topology *topology,
			struct net_routes *routes)
{
	struct tr_source *source = tool_open_source(tool, path);
	struct tr_error err;
	enum tr_status status;

	*routes = (struct net_routes){0};
	if (!source)
		return false;
	status = net_routes_read(routes, topology, source, &err);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	tr_source_close(source);
	return status == TR_OK;
}

static void network_input_advise(struct tool *tool, const char *text,
				 const struct net_topology *topology,
				 const struct net_routes *routes)
{
	struct net_tie_advice advice;

	if (!tool_quiet(tool) && net_tie_advice_find(&advice, topology, text, routes))
		tool_warn(tool,
			  "routes %s fill a link at about %.2g of the hosts' rate under uniform "
			  "traffic, with tie=%s they "
			  "carry %.*f times as much; flit-routes(5) has the choices",
			  text, advice.own, net_tie_name(advice.best_tie),
			  advice.best < 10 * advice.own ? 1 : 0, advice.best / advice.own);
}

const char *routes_input_rules(char *out, size_t out_bytes)
{
	size_t used = 0;

	for (size_t i = 0; net_routings[i] && used < out_bytes; i++)
		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", i > 0 ? " " : "",
					 net_routings[i]->name);
	return out;
}

enum tr_status routes_input_list(struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *table = table_new("rules", "rules");

	table_columns(table, "rule keys routes");
	for (size_t i = 0; net_routings[i]; i++) {
		const struct key *key = net_routings[i]->keys;
		char names[200] = "-";

		table_text(table, net_routings[i]->name);
		for (size_t used = 0; key && key->type != KEY_END && used < sizeof(names); key++)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
						 used > 0 ? " " : "", key->name);
		table_text(table, names);
		table_text(table, net_routings[i]->summary);
	}
	return tables_finish(&table, 1, style, "flitroute", out, err);
}

bool routes_input_open(struct tool *tool, const char *text, const struct net_topology *topology,
		       struct net_routes *routes)
{
	struct tr_error err;
	char names[200];

	*routes = (struct net_routes){0};
	if (!net_routing_is_rule(text) && strcmp(text, "-") != 0 && access(text, F_OK) != 0) {
		tool_error(tool, "routes \"%s\": neither a rule (%s) nor a file", text,
			   routes_input_rules(names, sizeof(names)));
		return false;
	}
	if (!net_routing_is_rule(text))
		return read_routes(tool, text, topology, routes);
	if (net_routing_make(routes, topology, text, &err) == TR_OK) {
		network_input_advise(tool, text, topology, routes);
		return true;
	}
	tool_error(tool, "%s", err.text);
	return false;
}

static enum tr_status read_fabric(struct tool *tool, const char *path, struct fabric *fabric,
				  struct tr_error *err)
{
	char *text = keys_input_text(tool, path, err);
	enum tr_status status = TR_ERROR;

	if (text && (status = fabric_read(fabric, text, err)) != TR_OK)
		(void)tr_fail_in(err, "%s", path);
	free(text);
	return status;
}

static enum tr_status network_input_read_word(struct tool *tool, const char *word,
					      struct fabric *fabric, struct tr_error *err)
{
	fabric->given.typing = fabric_find(word) ||
			       (strcmp(word, "-") != 0 && access(word, F_OK) != 0);
	if (!fabric->given.typing)
		return read_fabric(tool, word, fabric, err);
	return fabric_read(fabric, word, err);
}

bool fabric_input_open(struct tool *tool, const struct opt_list *words, struct fabric *fabric)
{
	struct tr_error err = {""};
	enum tr_status status = TR_OK;

	*fabric = (struct fabric){0};
	if (words->count == 0)
		status = fabric_read(fabric, net_fabrics[0]->name, &err);
	for (size_t i = 0; status == TR_OK && i < words->count; i++)
		status = network_input_read_word(tool, words->words[i], fabric, &err);
	if (status == TR_OK)
		status = fabric_settle(fabric, &err);
	if (*err.text != '\0')
		tool_error(tool, "--fabric: %s", err.text);
	if (status == TR_OK && words->count > 0)
		tool_record_option(tool, "fabric", fabric->text);
	return status == TR_OK;
}

static struct table *kinds_table(void)
{
	struct table *table = table_new("kinds", "Kinds of networks");

	table_column(table, "kind");
	table_column(table, "engines");
	table_column(table, "meaning");
	for (size_t i = 0; net_fabrics[i]; i++) {
		char engines[128] = "";

		for (size_t k = 0; net_fabrics[i]->engines[k]; k++)
			snprintf(engines + strlen(engines), sizeof(engines) - strlen(engines),
				 "%s%s", k > 0 ? "|" : "", net_fabrics[i]->engines[k]->name);
		table_text(table, net_fabrics[i]->name);
		table_text(table, engines);
		table_text(table, net_fabrics[i]->summary);
	}
	return table;
}

// What a run may ask of an engine beside carrying packets.
enum capability {
	CAPABILITY_FAULTS,
	CAPABILITY_SWITCHES,
	CAPABILITY_LOSS,
	CAPABILITY_REROUTE,
	CAPABILITY_SAMPLES,
	CAPABILITY_TRACES,
	CAPABILITY_CYCLE,
	CAPABILITY_SOURCES, // these two where the kind has the key
	CAPABILITY_TIMEOUTS
};

// Whether the engine, with the kind's usual parameters, does what a setup asks.
static bool has_capability(const struct net_fabric *kind, const struct net_engine *engine,
			   enum capability asked)
{
	const struct net_routes routes = {.hosts = 0};
	const struct net_watch watch = {.see = NULL};
	static const enum net_fault_kind kinds[] = {[CAPABILITY_FAULTS] = NET_FAULT_CABLE,
						    [CAPABILITY_SWITCHES] = NET_FAULT_SWITCH,
						    [CAPABILITY_LOSS] = NET_FAULT_LOSS,
						    [CAPABILITY_REROUTE] = NET_FAULT_CABLE};
	const bool faulty = asked <= CAPABILITY_REROUTE;
	const struct net_reroute reroute = {.routes = &routes};
	const struct net_fault fault = {.kind = kinds[faulty ? asked : CAPABILITY_FAULTS],
					.to_ticks = 1};
	const struct net_setup setup = {.params = kind->usual,
					.routes = &routes,
					.faults = &fault,
					.fault_count = faulty,
					.reroutes = &reroute,
					.reroute_count = asked == CAPABILITY_REROUTE,
					.sampling.width_ticks = asked == CAPABILITY_SAMPLES,
					.finite_sources = asked == CAPABILITY_SOURCES,
					.timeout_ticks = asked == CAPABILITY_TIMEOUTS,
					.watch = asked == CAPABILITY_TRACES ? &watch : NULL};
	struct tr_error ignored;

	if (asked == CAPABILITY_CYCLE)
		return engine->finds_cycles;
	return !engine->supports || engine->supports(&setup, &ignored) == TR_OK;
}

// yes; where another engine of the kind has it, that one's name; else a word for why the kind
// cannot have it.
static const char *capability_word(const struct net_fabric *kind, const struct net_engine *engine,
				   enum capability asked)
{
	const char *why = asked == CAPABILITY_CYCLE ? kind->no.cycles : kind->no.links;

	if (asked == CAPABILITY_REROUTE && kind->wired)
		return "no-routes";
	if (has_capability(kind, engine, asked))
		return "yes";
	for (const struct net_engine *const *other = kind->engines; *other; other++)
		if (has_capability(kind, *other, asked))
			return (*other)->name;
	return why ? why : "no";
}

// For what a common key of kinds offers.
static const char *key_word(const struct net_fabric *kind, const struct net_engine *engine,
			    enum capability asked, const char *key, const char *why)
{
	if (keys_find(kind->keys, key, strlen(key)))
		return capability_word(kind, engine, asked);
	return kind->linked || kind->wired ? "no" : why;
}

// Of windows and multicasts of hosts; the key that the kind has of its own instead.
static const char *held_word(const struct net_fabric *kind, const char *key, const char *instead)
{
	if (keys_find(kind->keys, key, strlen(key)))
		return "yes";
	return keys_find(kind->keys, instead, strlen(instead)) ? instead : "no";
}

static struct table *capabilities_table(void)
{
	struct table *table = table_new(
		"capabilities",
		"What engines offer: --fault (of cables and hosts, of switches, of cables that "
		"lose, new routes), --links, --characters, the cycle of a deadlock, "
		"source=finite, timeout, hosts with several ports, windows and multicasts of hosts "
		"(or the key that is in their place), --fault failover; else what has it, or why "
		"nothing can");

	table_columns(table, "kind engine faults switches loss reroute samples traces cycle "
			     "sources timeouts ports windows multicasts failover");
	for (size_t i = 0; net_fabrics[i]; i++)
		for (const struct net_engine *const *engine = net_fabrics[i]->engines; *engine;
		     engine++) {
			table_text(table, net_fabrics[i]->name);
			table_text(table, (*engine)->name);
			for (enum capability asked = 0; asked <= CAPABILITY_CYCLE; asked++)
				table_text(table, capability_word(net_fabrics[i], *engine, asked));
			table_text(table, key_word(net_fabrics[i], *engine, CAPABILITY_SOURCES,
						   "source", net_fabrics[i]->no.links));
			table_text(table, key_word(net_fabrics[i], *engine, CAPABILITY_TIMEOUTS,
						   "timeout", "computed"));
			table_text(table, keys_find(net_fabrics[i]->keys, "ports", 5) ? "yes"
					  : net_fabrics[i]->linked || net_fabrics[i]->wired
						  ? "no"
						  : net_fabrics[i]->no.links);
			table_text(table, held_word(net_fabrics[i], "window", "credits"));
			table_text(table, held_word(net_fabrics[i], "multicast", "multicast"));
			table_text(table,
				   capability_word(net_fabrics[i], *engine, CAPABILITY_REROUTE));
		}
	return table;
}

enum tr_status fabric_input_list(struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *const tables[] = {
		kinds_table(), capabilities_table(),
		keys_table("Keys: --fabric KIND:KEY=VALUE,KEY=VALUE"),
		presets_table("Presets: --fabric KIND:preset=NAME,KEY=VALUE")};

	for (size_t i = 0; net_fabrics[i]; i++) {
		const struct key_kind kind = fabric_key_kind(net_fabrics[i]);

		keys_table_add(tables[2], &kind);
		presets_table_add(tables[3], &kind);
	}
	return tables_finish(tables, sizeof(tables) / sizeof(*tables), style, "fabric", out, err);
}

void fabric_input_print(struct tool *tool, const struct fabric *fabric)
{
	const struct key_kind kind = fabric_key_kind(fabric->kind);

	keys_print(&kind, fabric->params, &fabric->given, tool_stdout(tool));
}

const char *fabric_input_hint(const char *name, char *out, size_t out_bytes)
{
	for (size_t i = 0; net_fabrics[i]; i++) {
		const struct key *key = keys_find(net_fabrics[i]->keys, name, strlen(name));

		if (!key)
			continue;
		snprintf(out, out_bytes, "--fabric %s:%s=%s", net_fabrics[i]->name, key->name,
			 keys_takes(key));
		return out;
	}
	return NULL;
}
