// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsim.h"

#include <stdlib.h>
#include <string.h>

#include "net/topology/adapters.h"
#include "net/routings/routing.h"
#include "table/keys.h"
#include "value/grow.h"
#include "value/order.h"
#include "value/ticks.h"

// How a cable loses packets, as keys say it.
struct fault_loss {
	struct num_ratio loss;
	struct num_ratio ber;
	struct num_ratio good_s;
	struct num_ratio bad_s;
	uint64_t seed;
};

static const struct key loss_keys[] = {
	{"loss", KEY_NUMBER, offsetof(struct fault_loss, loss), NULL, NULL,
	 "probability that a packet is lost"},
	{"ber", KEY_NUMBER, offsetof(struct fault_loss, ber), NULL, NULL,
	 "probability that a bit is inverted"},
	{"good", KEY_TIME, offsetof(struct fault_loss, good_s), NULL, "bad",
	 "mean time between bursts of losses"},
	{"bad", KEY_TIME, offsetof(struct fault_loss, bad_s), NULL, "good", "mean time of a burst"},
	{"seed", KEY_COUNT, offsetof(struct fault_loss, seed), NULL, NULL,
	 "of the random streams of the cable"},
	{.type = KEY_END},
};

static const struct fault_loss no_loss = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, 0};

static enum tr_status parse_end(const char *text, size_t length, uint64_t ticks_per_s,
				int64_t *ticks, struct tr_error *err)
{
	struct num_ratio seconds;
	char word[64];

	if (length == 0)
		return TR_OK;
	if (length >= sizeof(word))
		return tr_fail(err, "\"%s\" is too long for a time", text);
	memcpy(word, text, length);
	word[length] = '\0';
	if (num_parse(word, NUM_TIME, &seconds, err) != TR_OK)
		return TR_ERROR;
	return tr_ticks_round(seconds, ticks_per_s, ticks, err);
}

enum tr_status fault_window(const char *text, uint64_t ticks_per_s, int64_t *from_ticks,
			    int64_t *to_ticks, struct tr_error *err)
{
	const char *dots = strstr(text, "..");

	if (!dots)
		return tr_fail(err, "\"%s\": expected FROM..TO", text);
	if (parse_end(text, (size_t)(dots - text), ticks_per_s, from_ticks, err) != TR_OK)
		return TR_ERROR;
	return parse_end(dots + 2, strlen(dots + 2), ticks_per_s, to_ticks, err);
}

static enum tr_status round_mean(struct num_ratio seconds, uint64_t ticks_per_s, int64_t *ticks,
				 struct tr_error *err)
{
	if (tr_ticks_round(seconds, ticks_per_s, ticks, err) != TR_OK)
		return TR_ERROR;
	*ticks += *ticks == 0 && seconds.num > 0;
	return TR_OK;
}

// Reads the keys behind the times of a fault.
static enum tr_status read_loss(const char *text, uint64_t ticks_per_s, struct net_loss *loss,
				struct tr_error *err)
{
	static const struct key_preset none[] = {{NULL, NULL, NULL}};
	const struct key_kind kind = {"loss", "flitsim --fault list", loss_keys, none, &no_loss};
	struct fault_loss read = no_loss;
	struct keys_given given = {0};

	if (keys_read(&kind, text, &read, &given, err) != TR_OK ||
	    keys_check_effect(loss_keys, &read, given.text, err) != TR_OK)
		return TR_ERROR;
	*loss = (struct net_loss){
		.packets = num_value(read.loss), .bits = num_value(read.ber), .seed = read.seed};
	if (read.loss.num == 0 && read.ber.num == 0)
		return tr_fail(err, "loses nothing; add loss=RATE or ber=RATE");
	if (loss->packets > 1 || loss->bits >= 1)
		return tr_fail(err, "loss is a probability up to 1, and ber one below 1");
	if (round_mean(read.good_s, ticks_per_s, &loss->good_ticks, err) != TR_OK)
		return TR_ERROR;
	return round_mean(read.bad_s, ticks_per_s, &loss->bad_ticks, err);
}

// Where to look up the names of a fault, and where to add what they name.
struct fault_options_search {
	const struct net_topology *topology;
	const char *name;
	size_t name_bytes;
	struct net_fault when; // without number; the kind is that of cables
	struct fault_list *list;
};

static enum tr_status fault_options_add(struct fault_options_search *search,
					enum net_fault_kind kind, uint32_t number,
					struct tr_error *err)
{
	struct fault_list *list = search->list;
	struct net_fault *fault;

	if (!GROW_BY_COUNT(list->faults, list->count))
		return tr_no_memory(err, "the faults");
	fault = &list->faults[list->count++];
	*fault = search->when;
	fault->kind = kind == NET_FAULT_CABLE ? search->when.kind : kind;
	fault->number = number;
	return TR_OK;
}

static bool fault_options_is_name(const struct fault_options_search *search, const char *text)
{
	return strlen(text) == search->name_bytes &&
	       memcmp(text, search->name, search->name_bytes) == 0;
}

// The network calls links "a>b", this option "a-b", and all of them "*".
static enum tr_status add_link(struct fault_options_search *search, struct tr_error *err)
{
	const bool all = fault_options_is_name(search, "*");
	char text[NET_LINK_NAME_MAX];

	for (uint32_t i = 0; i < 2 * search->topology->cable_count; i++) {
		char *mark = strchr(
			(char *)(uintptr_t)net_link_name(search->topology, i, text, sizeof(text)),
			'>');

		if (mark)
			*mark = '-';
		if (all ? i % 2 != 0 : !fault_options_is_name(search, text))
			continue;
		if (fault_options_add(search, NET_FAULT_CABLE, i / 2, err) != TR_OK)
			return TR_ERROR;
		if (!all)
			return TR_OK;
	}
	return TR_OK;
}

// A host's name is of all its ports.
static enum tr_status add_host(struct fault_options_search *search, struct tr_error *err)
{
	const struct net_topology *topology = search->topology;
	char text[NET_NAME_MAX + 16];

	for (uint32_t i = 0; i < topology->hosts; i++) {
		const bool named = fault_options_is_name(
			search, net_topology_name(topology, i, text, sizeof(text)));

		if ((named ||
		     fault_options_is_name(search, net_host_name(topology, net_host_of(topology, i),
								 text, sizeof(text)))) &&
		    fault_options_add(search, NET_FAULT_HOST, i, err) != TR_OK)
			return TR_ERROR;
		if (named)
			break;
	}
	return TR_OK;
}

static enum tr_status add_switch(struct fault_options_search *search, struct tr_error *err)
{
	const uint32_t hosts = search->topology->hosts;
	char text[NET_NAME_MAX + 16];

	for (uint32_t i = 0; i < search->topology->switches; i++)
		if (fault_options_is_name(search, net_topology_name(search->topology, hosts + i,
								    text, sizeof(text))))
			return fault_options_add(search, NET_FAULT_SWITCH, i, err);
	return TR_OK;
}

static const struct {
	const char *word;
	enum tr_status (*add)(struct fault_options_search *search, struct tr_error *err);
} kinds[] = {{"link:", add_link}, {"host:", add_host}, {"switch:", add_switch}};

// Reads what is behind the name, "FROM..TO" or "FROM..TO,KEY=VALUE,...", of a cable or not.
static enum tr_status read_when(struct fault_options_search *search, const char *text, bool cable,
				uint64_t ticks_per_s, struct tr_error *err)
{
	struct net_fault *when = &search->when;
	const char *comma = strchr(text, ',');
	char times[KEY_TEXT_BYTES];

	if (strlen(text) >= sizeof(times))
		return tr_fail(err, "is too long");
	memcpy(times, text, strlen(text) + 1);
	if (comma)
		times[comma - text] = '\0';
	if (fault_window(times, ticks_per_s, &when->from_ticks, &when->to_ticks, err) != TR_OK)
		return TR_ERROR;
	if (when->from_ticks >= when->to_ticks)
		return tr_fail(err, "ends before it begins");
	if (!comma)
		return TR_OK;
	if (!cable)
		return tr_fail(err, "only a cable loses packets (link:A-B@FROM..TO,loss=RATE)");
	when->kind = NET_FAULT_LOSS;
	return read_loss(comma + 1, ticks_per_s, &when->loss, err);
}

// When packets take other routes, and how.
struct fault_reroute {
	struct num_ratio delay_s;
	unsigned check;
};

#define ROW_DELAY(name, help) \
	{ \
		name, KEY_TIME, offsetof(struct fault_reroute, delay_s), NULL, NULL, help \
	}

static const struct key reroute_keys[] = {
	ROW_DELAY("reroute", "from a fault until routes are new"),
	{"check", KEY_WORD, offsetof(struct fault_reroute, check), "warn|no|refuse", NULL,
	 "what a cycle leads to that packets of old and new routes can wait in"},
	{.type = KEY_END},
};

static const struct key failover_keys[] = {
	ROW_DELAY("failover", "from a fault until packets pass over dead ways"),
	{.type = KEY_END},
};

// "reroute=TIME[,check=WORD]" or "failover=TIME".
static enum tr_status read_reroute(struct fault_list *list, const char *word, uint64_t ticks_per_s,
				   struct tr_error *err)
{
	static const struct key_preset none[] = {{NULL, NULL, NULL}};
	static const struct fault_reroute usual = {{0, 1}, FAULT_CHECK_WARN};
	const bool anew = *word == 'r';
	const struct key_kind kind = {anew ? "reroute" : "failover", "flitsim --fault list",
				      anew ? reroute_keys : failover_keys, none, &usual};
	struct fault_reroute read = usual;
	struct keys_given given = {0};

	if (list->reroutes || list->fails_over)
		return tr_fail(err, "--fault %s: expected reroute or failover once", word);
	list->reroutes = anew;
	list->fails_over = !anew;
	if (keys_read(&kind, word, &read, &given, err) != TR_OK ||
	    tr_ticks_round(read.delay_s, ticks_per_s, &list->delay_ticks, err) != TR_OK)
		return tr_fail_in(err, "--fault %s", word);
	list->check = anew ? read.check : FAULT_CHECK_NO;
	return TR_OK;
}

static enum tr_status read_fault(struct fault_options_search *search, const char *word,
				 uint64_t ticks_per_s, struct tr_error *err)
{
	const char *at = strrchr(word, '@');
	uint32_t before = search->list->count;

	if (strncmp(word, "reroute=", strlen("reroute=")) == 0 ||
	    strncmp(word, "failover=", strlen("failover=")) == 0)
		return read_reroute(search->list, word, ticks_per_s, err);
	search->when = (struct net_fault){.from_ticks = INT64_MIN, .to_ticks = INT64_MAX};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t length = strlen(kinds[i].word);

		if (strncmp(word, kinds[i].word, length) != 0)
			continue;
		if (!at)
			return tr_fail(err,
				       "--fault %s: without times; append @FROM..TO, as in "
				       "%s@1ms..2ms, or @.. for the whole run",
				       word, word);
		search->name = word + length;
		search->name_bytes = (size_t)(at - search->name);
		if (read_when(search, at + 1, kinds[i].add == add_link, ticks_per_s, err) != TR_OK)
			return tr_fail_in(err, "--fault %s", word);
		if (kinds[i].add(search, err) != TR_OK)
			return TR_ERROR;
		if (search->list->count == before)
			return tr_fail(err, "--fault %s: the network has nothing of this name",
				       word);
		return TR_OK;
	}
	return tr_fail(err,
		       "--fault \"%s\": expected link:A-B, host:A or switch:A, and @FROM..TO, as "
		       "in host:A@1ms..2ms, or reroute=TIME or failover=TIME",
		       word);
}

const struct opt_choice fault_words[] = {
	{"link", 0,
	 "link:A-B@FROM..TO: the cable between two ends, as host0-switch0.3; *: all; with "
	 ",loss=RATE or ,ber=RATE it loses packets, with good=TIME,bad=TIME in bursts"},
	{"host", 0, "host:A@FROM..TO: a host, with all its packets"},
	{"switch", 0, "switch:A@FROM..TO: a switch, with all its packets and cables"},
	{"reroute", 0,
	 "reroute=TIME: routes are computed anew so long after each of these; with "
	 ",check=no|warn|refuse for cycles of old and new ones together"},
	{"failover", 0,
	 "failover=TIME: packets pass over dead ways of --routes disjoint from then on"},
	{NULL, 0},
};

static enum tr_status fault_options_failover(struct fault_list *list, const struct net_fabric *kind,
					     struct net_setup *setup, struct tr_error *err)
{
	const struct net_routes_ways *ways;
	enum tr_status status;

	if (!kind->linked)
		return tr_fail(err,
			       "--fault failover has no effect on a network of the kind %s, which "
			       "has no routes",
			       kind->name);
	ways = setup->routes && setup->routes->form ? setup->routes->form->ways : NULL;
	if (!ways || !ways->nth)
		return tr_fail(err, "--fault failover needs the ways of --routes disjoint; with "
				    "other rules --fault reroute=TIME computes routes anew");
	status = reroutes_open(&list->routes, setup, NULL, list->delay_ticks, err);
	setup->reroutes = list->routes.list;
	setup->reroute_count = list->routes.count;
	return status;
}

static enum tr_status fault_options_reroute(struct fault_list *list,
					    const struct sim_options *options,
					    const struct net_fabric *kind, struct net_setup *setup,
					    struct tr_error *err)
{
	enum tr_status status;

	if (!kind->linked)
		return tr_fail(
			err,
			"--fault reroute has no effect on a network of the kind %s, which has "
			"no routes",
			kind->name);
	if (!net_routing_is_rule(options->routes))
		return tr_fail(err, "--fault reroute needs --routes by a rule: those of a file are "
				    "not computed");
	if (options->mapper.words.count > 0)
		return tr_fail(err, "--fault reroute: not with --mapper, which finds new routes by "
				    "itself");
	status = reroutes_open(&list->routes, setup, options->routes, list->delay_ticks, err);
	setup->reroutes = list->routes.list;
	setup->reroute_count = list->routes.count;
	return status;
}

// By what they are of and say, so that neither the order of options nor that of equal ones counts.
static int fault_options_compare(const void *a, const void *b)
{
	const struct net_fault *one = a, *other = b;

	ORDER_BY(one->kind, other->kind);
	ORDER_BY(one->number, other->number);
	ORDER_BY(one->from_ticks, other->from_ticks);
	ORDER_BY(one->to_ticks, other->to_ticks);
	ORDER_BY(one->loss.seed, other->loss.seed);
	ORDER_BY(one->loss.packets, other->loss.packets);
	ORDER_BY(one->loss.bits, other->loss.bits);
	ORDER_BY(one->loss.good_ticks, other->loss.good_ticks);
	return ORDER(one->loss.bad_ticks, other->loss.bad_ticks);
}

enum tr_status fault_list_open(struct fault_list *list, const struct sim_options *options,
			       const struct net_fabric *kind, struct net_setup *setup,
			       struct tr_error *err)
{
	struct fault_options_search search = {.topology = setup->topology, .list = list};

	*list = (struct fault_list){0};
	for (size_t i = 0; i < options->faults.count; i++)
		if (read_fault(&search, options->faults.words[i], setup->ticks_per_s, err) != TR_OK)
			return TR_ERROR;
	if (list->count > 0)
		qsort(list->faults, list->count, sizeof(*list->faults), fault_options_compare);
	setup->faults = list->faults;
	setup->fault_count = list->count;
	if (list->fails_over)
		return fault_options_failover(list, kind, setup, err);
	return list->reroutes ? fault_options_reroute(list, options, kind, setup, err) : TR_OK;
}

void fault_list_close(struct fault_list *list)
{
	reroutes_close(&list->routes);
	free(list->faults);
	*list = (struct fault_list){0};
}
