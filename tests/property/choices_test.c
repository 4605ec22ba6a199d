// SPDX-License-Identifier: GPL-3.0-or-later
// Routes with a choice on small random networks: the test for deadlock says what the fixed point
// says that is worked out word by word as in net/routes/immunity.h, with witnesses that hold; and
// files give back what was written. FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/routes/choices.h"
#include "net/routes/immunity.h"
#include "net/routes/routes_forms.h"
#include "value/random.h"

#define SWITCHES_MAX 7u
#define PORTS 8u
#define LANES_MAX 2u
#define INPUTS_MAX (SWITCHES_MAX + SWITCHES_MAX * PORTS * LANES_MAX)

struct bed {
	struct net_topology topology;
	uint32_t ports[SWITCHES_MAX];
	struct net_cable cables[SWITCHES_MAX * PORTS];
	uint32_t used[SWITCHES_MAX]; // ports of a switch
	uint32_t distance[SWITCHES_MAX][SWITCHES_MAX];
	struct net_graph graph;
	struct net_choices *choices;
};

static bool flip(struct tr_random *random, uint32_t one_in)
{
	return tr_random_below(random, one_in) == 0;
}

static void lay(struct bed *bed, uint32_t from, uint32_t to)
{
	const uint32_t hosts = bed->topology.hosts;

	if (from == to || bed->used[from] == PORTS || bed->used[to] == PORTS)
		return;
	bed->cables[bed->topology.cable_count++] = (struct net_cable){
		.ends = {{from + hosts, bed->used[from]++}, {to + hosts, bed->used[to]++}}};
}

static void measure(struct bed *bed)
{
	const uint32_t switches = bed->topology.switches;

	memset(bed->distance, 0x7f, sizeof(bed->distance));
	for (uint32_t at = 0; at < switches; at++)
		bed->distance[at][at] = 0;
	for (size_t i = bed->topology.hosts; i < bed->topology.cable_count; i++) {
		const uint32_t a = bed->cables[i].ends[0].node - bed->topology.hosts;
		const uint32_t b = bed->cables[i].ends[1].node - bed->topology.hosts;

		bed->distance[a][b] = bed->distance[b][a] = 1;
	}
	for (uint32_t k = 0; k < switches; k++)
		for (uint32_t a = 0; a < switches; a++)
			for (uint32_t b = 0; b < switches; b++)
				if (bed->distance[a][k] + bed->distance[k][b] < bed->distance[a][b])
					bed->distance[a][b] = bed->distance[a][k] +
							      bed->distance[k][b];
}

// A random tree with some more cables, parallel ones too; two switches or more have a host.
static void draw_network(struct bed *bed, struct tr_random *random)
{
	bool hosts[SWITCHES_MAX];
	uint32_t host = 0;

	*bed = (struct bed){.topology.ports = bed->ports, .topology.cables = bed->cables};
	bed->topology.switches = 2 + (uint32_t)tr_random_below(random, SWITCHES_MAX - 1);
	for (uint32_t i = 0; i < bed->topology.switches; i++) {
		bed->ports[i] = PORTS;
		hosts[i] = i < 2 || !flip(random, 4);
		bed->topology.hosts += hosts[i];
	}
	for (uint32_t i = 0; i < bed->topology.switches; i++)
		if (hosts[i])
			bed->cables[bed->topology.cable_count++] = (struct net_cable){
				.ends = {{host++, 0}, {i + bed->topology.hosts, bed->used[i]++}}};
	for (uint32_t i = 1; i < bed->topology.switches; i++)
		lay(bed, i, (uint32_t)tr_random_below(random, i));
	for (uint32_t i = (uint32_t)tr_random_below(random, 6); i > 0; i--)
		lay(bed, (uint32_t)tr_random_below(random, bed->topology.switches),
		    (uint32_t)tr_random_below(random, bed->topology.switches));
	measure(bed);
	assert_int_equal(net_graph_open(&bed->graph, &bed->topology, NULL), TR_OK);
}

// How options are drawn: one in so many ports that lead away, or that lead nearer but are not the
// first, is left out or kept.
struct manner {
	uint32_t lanes;
	uint32_t near_one_in; // of further ports that lead nearer
	uint32_t away_one_in; // of those that do not
	uint32_t none_one_in; // of entries without options; 0: none
};

static void draw_entry(struct bed *bed, struct tr_random *random, const struct manner *manner,
		       uint32_t input, uint32_t to)
{
	const uint32_t at = net_choices_what(bed->choices, input).at;
	struct net_option options[PORTS * LANES_MAX];
	uint32_t count = 0;

	if (at == to || (manner->none_one_in > 0 && flip(random, manner->none_one_in)))
		return;
	for (uint32_t pass = 0; pass < 2; pass++)
		for (uint32_t port = 0; port < PORTS; port++) {
			const struct net_peer *peer = net_graph_peer(&bed->graph,
								     at + bed->graph.hosts, port);
			bool near;

			if (!net_graph_is_switch(&bed->graph, peer->node))
				continue;
			near = bed->distance[peer->node - bed->graph.hosts][to] <
			       bed->distance[at][to];
			for (uint32_t lane = 0; lane < manner->lanes; lane++)
				if (near == (pass == 0) &&
				    ((near && count == 0) ||
				     flip(random,
					  near ? manner->near_one_in : manner->away_one_in)))
					options[count++] = (struct net_option){
						(uint16_t)port, (uint8_t)lane, flip(random, 3)};
		}
	assert_int_equal(net_choices_put(bed->choices, input, to, options, count, NULL), TR_OK);
}

static void draw_choices(struct bed *bed, struct tr_random *random)
{
	const struct manner manner = {1 + (uint32_t)tr_random_below(random, LANES_MAX),
				      1 + (uint32_t)tr_random_below(random, 4),
				      2 + (uint32_t)tr_random_below(random, 20),
				      flip(random, 4) ? 60 : 0};

	bed->choices = net_choices_open(&bed->graph, manner.lanes, NULL);
	assert_non_null(bed->choices);
	for (uint32_t input = 0; input < net_choices_inputs(bed->choices); input++)
		for (uint32_t to = 0; to < bed->topology.switches; to++)
			draw_entry(bed, random, &manner, input, to);
	net_choices_need_empty(bed->choices, flip(random, 2));
}

// The fixed point, word by word.
struct naive {
	const struct bed *bed;
	bool met[INPUTS_MAX][SWITCHES_MAX];
	bool immune[INPUTS_MAX];
	bool waits[INPUTS_MAX][INPUTS_MAX];
};

static bool arrives(const struct naive *naive, uint32_t input, uint32_t to)
{
	return net_choices_what(naive->bed->choices, input).at == to;
}

// Marks what can be reached from an input for a destination, the input left out.
static void reach(const struct naive *naive, uint32_t input, uint32_t to, bool seen[INPUTS_MAX])
{
	const struct net_choices *choices = naive->bed->choices;
	const uint32_t at = net_choices_what(choices, input).at;
	uint32_t count;
	const struct net_option *options = net_choices_get(choices, input, to, &count);

	for (uint32_t i = 0; i < count && at != to; i++) {
		const uint32_t next = net_choices_next(choices, at, options[i]);

		if (seen[next])
			continue;
		seen[next] = true;
		reach(naive, next, to, seen);
	}
}

static void find_states(struct naive *naive)
{
	const struct bed *bed = naive->bed;

	for (uint32_t to = 0; to < bed->topology.switches; to++)
		for (uint32_t from = 0; from < bed->topology.switches; from++) {
			bool seen[INPUTS_MAX] = {false};

			if (from == to || !net_choices_has_hosts(bed->choices, from) ||
			    !net_choices_has_hosts(bed->choices, to))
				continue;
			reach(naive, net_choices_host_input(from), to, seen);
			for (uint32_t input = 0; input < INPUTS_MAX; input++)
				naive->met[input][to] |= seen[input];
		}
}

static bool is_good(const struct naive *naive, uint32_t input, uint32_t to)
{
	const struct net_choices *choices = naive->bed->choices;
	uint32_t count;
	const struct net_option *options = net_choices_get(choices, input, to, &count);

	for (uint32_t i = 0; i < count; i++)
		if (naive->immune[net_choices_next(choices, net_choices_what(choices, input).at,
						   options[i])])
			return true;
	return arrives(naive, input, to);
}

// Whether a worm to a destination that holds an input's channel can come to a state that is not
// good; marks those.
static bool is_held(const struct naive *naive, uint32_t input, uint32_t to, bool stuck[INPUTS_MAX])
{
	bool seen[INPUTS_MAX] = {false};
	bool held = false;

	seen[input] = true;
	reach(naive, input, to, seen);
	for (uint32_t z = 0; z < INPUTS_MAX; z++) {
		stuck[z] = seen[z] && !is_good(naive, z, to);
		held |= stuck[z];
	}
	return held;
}

static bool becomes_immune(const struct naive *naive, uint32_t input)
{
	bool stuck[INPUTS_MAX];
	bool used = false;

	for (uint32_t to = 0; to < naive->bed->topology.switches; to++) {
		if (!naive->met[input][to])
			continue;
		used = true;
		if (is_held(naive, input, to, stuck))
			return false;
	}
	return used;
}

// Of all states, or of those that are not good.
static void find_waits(const struct naive *naive, bool bad, bool waits[INPUTS_MAX][INPUTS_MAX])
{
	const struct net_choices *choices = naive->bed->choices;

	for (uint32_t input = 0; input < net_choices_inputs(choices); input++)
		for (uint32_t to = 0; to < naive->bed->topology.switches; to++) {
			uint32_t count;
			const struct net_option *options = net_choices_get(choices, input, to,
									   &count);

			if (!naive->met[input][to] || arrives(naive, input, to) ||
			    (bad && is_good(naive, input, to)))
				continue;
			for (uint32_t i = 0; i < count; i++)
				waits[input][net_choices_next(
					choices, net_choices_what(choices, input).at, options[i])] =
					true;
		}
}

static void run_naive(struct naive *naive, const struct bed *bed)
{
	bool changed = true;

	*naive = (struct naive){.bed = bed};
	find_states(naive);
	find_waits(naive, false, naive->waits);
	while (changed) {
		changed = false;
		for (uint32_t input = 0; input < net_choices_inputs(bed->choices); input++)
			if (!naive->immune[input] && becomes_immune(naive, input))
				naive->immune[input] = changed = true;
	}
}

static void check_states(const struct naive *naive, const struct net_immunity *found)
{
	uint64_t states = 0;
	uint32_t channels = 0;
	uint32_t immune = 0;

	for (uint32_t input = 0; input < net_choices_inputs(naive->bed->choices); input++) {
		bool used = false;

		for (uint32_t to = 0; to < naive->bed->topology.switches; to++) {
			states += naive->met[input][to];
			used |= naive->met[input][to];
		}
		channels += used;
		immune += naive->immune[input];
	}
	assert_int_equal(found->states, states);
	assert_int_equal(found->channels, channels);
	assert_int_equal(found->immune, immune);
	assert_int_equal(found->channel == NET_NOBODY, immune == channels);
}

static void check_witness(const struct naive *naive, const struct net_immunity *found)
{
	bool stuck[INPUTS_MAX];
	uint32_t count = 0;

	if (found->channel == NET_NOBODY) {
		assert_int_equal(found->stuck_count, 0);
		return;
	}
	assert_false(naive->immune[found->channel]);
	assert_true(naive->met[found->channel][found->destination]);
	assert_true(is_held(naive, found->channel, found->destination, stuck));
	for (uint32_t z = 0; z < INPUTS_MAX; z++)
		count += stuck[z];
	assert_int_equal(found->stuck_count, count);
	for (uint32_t i = 0; i < found->stuck_count; i++) {
		assert_true(stuck[found->stuck[i]]);
		stuck[found->stuck[i]] = false;
	}
	assert_int_equal(found->dead_end, net_choices_list(naive->bed->choices, found->stuck[0],
							   found->destination) == 0 &&
						  found->stuck[0] == found->channel);
	for (uint32_t input = 0; input < found->channel && !found->dead_end; input++)
		for (uint32_t to = 0; to < naive->bed->topology.switches; to++)
			assert_false(naive->met[input][to] && !naive->immune[input]);
}

static void check_cycle(const struct naive *naive, const struct net_immunity *found)
{
	static bool leads[INPUTS_MAX][INPUTS_MAX];
	uint64_t dependencies = 0;
	bool cyclic = false;

	memset(leads, 0, sizeof(leads));
	find_waits(naive, found->channel != NET_NOBODY, leads);
	for (uint32_t k = 0; k < INPUTS_MAX; k++)
		for (uint32_t a = 0; a < INPUTS_MAX; a++)
			for (uint32_t b = 0; leads[a][k] && b < INPUTS_MAX; b++)
				leads[a][b] |= leads[k][b];
	for (uint32_t a = 0; a < INPUTS_MAX; a++) {
		cyclic |= leads[a][a];
		for (uint32_t b = 0; b < INPUTS_MAX; b++)
			dependencies += naive->waits[a][b];
	}
	assert_int_equal(found->dependencies, dependencies);
	assert_int_equal(found->cycle_count > 0, cyclic);
	for (uint32_t i = 0; i < found->cycle_count; i++) {
		const struct net_wait *wait = &found->cycle[i];
		const uint32_t next = found->cycle[(i + 1) % found->cycle_count].input;
		const uint32_t at = net_choices_what(naive->bed->choices, wait->input).at;
		uint32_t count;
		const struct net_option *options = net_choices_get(naive->bed->choices, wait->input,
								   wait->destination, &count);
		bool waits = false;

		assert_true(naive->met[wait->input][wait->destination] && at != wait->destination);
		assert_true(found->channel == NET_NOBODY ||
			    !is_good(naive, wait->input, wait->destination));
		for (uint32_t k = 0; k < count; k++)
			waits |= net_choices_next(naive->bed->choices, at, options[k]) == next;
		assert_true(waits);
	}
}

static unsigned rounds(void)
{
	return getenv("FLIT_LONG") ? 20000 : 600;
}

static void the_fixed_point_is_that_of_the_words(void **state)
{
	static struct naive naive;
	static struct bed bed;
	unsigned free_of_deadlock = 0, needs_empty = 0, dead_ends = 0, held = 0;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 5, "choices");
	for (unsigned round = 0; round < rounds(); round++) {
		struct net_immunity found;

		draw_network(&bed, &random);
		draw_choices(&bed, &random);
		run_naive(&naive, &bed);
		assert_int_equal(net_immunity_find(&found, bed.choices, NULL), TR_OK);
		check_states(&naive, &found);
		check_witness(&naive, &found);
		check_cycle(&naive, &found);
		assert_int_equal(
			net_immunity_deadlocks(&found, bed.choices),
			found.immune < found.channels ||
				(found.cycle_count > 0 && !net_choices_empty_needed(bed.choices)));
		free_of_deadlock += found.cycle_count == 0 && found.channel == NET_NOBODY;
		needs_empty += found.cycle_count > 0 && found.channel == NET_NOBODY;
		dead_ends += found.dead_end;
		held += found.channel != NET_NOBODY && !found.dead_end;
		net_immunity_clear(&found);
		net_choices_close(bed.choices);
		net_graph_close(&bed.graph);
	}
	// All that there is was met, not once.
	assert_true(free_of_deadlock > rounds() / 50 && needs_empty > rounds() / 50 &&
		    dead_ends > rounds() / 50 && held > rounds() / 50);
}

// Files.

static char *write_text(const struct net_routes *routes, const struct net_topology *topology)
{
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	assert_int_equal(net_routes_write(routes, topology, NET_ROUTES_TEXT, "random", out, NULL),
			 TR_OK);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void read_text(struct net_routes *routes, const struct net_topology *topology,
		      const char *text)
{
	struct tr_source *source;
	struct tr_error err = {""};

	assert_int_equal(tr_source_open_memory(&source, text, strlen(text), "file", &err), TR_OK);
	if (net_routes_read(routes, topology, source, &err) != TR_OK)
		fail_msg("%s", err.text);
	tr_source_close(source);
}

static void check_equal(const struct net_choices *one, const struct net_choices *other)
{
	assert_int_equal(net_choices_inputs(one), net_choices_inputs(other));
	assert_int_equal(net_choices_lanes(one), net_choices_lanes(other));
	assert_int_equal(net_choices_empty_needed(one), net_choices_empty_needed(other));
	for (uint32_t input = 0; input < net_choices_inputs(one); input++)
		for (uint32_t to = 0; to < net_graph_switches(net_choices_graph(one)); to++) {
			uint32_t count, other_count;
			const struct net_option *options = net_choices_get(one, input, to, &count);
			const struct net_option *others = net_choices_get(other, input, to,
									  &other_count);

			assert_int_equal(count, other_count);
			for (uint32_t i = 0; i < count; i++)
				assert_true(options[i].port == others[i].port &&
					    options[i].lane == others[i].lane &&
					    options[i].escape == others[i].escape);
		}
}

static void a_file_gives_the_choices_back(void **state)
{
	static struct bed bed;
	struct tr_random random;
	unsigned written = 0;

	(void)state;
	tr_random_open(&random, 6, "choices");
	for (unsigned round = 0; round < rounds() / 3; round++) {
		struct net_routes routes, again;
		struct tr_error err = {""};
		char *text, *other;

		draw_network(&bed, &random);
		draw_choices(&bed, &random);
		if (net_choices_routes(&routes, bed.choices, &err) == TR_OK) {
			text = write_text(&routes, &bed.topology);
			read_text(&again, &bed.topology, text);
			check_equal(routes.choices, again.choices);
			other = write_text(&again, &bed.topology);
			assert_string_equal(text, other);
			free(text);
			free(other);
			net_routes_clear(&again);
			written++;
		}
		net_routes_clear(&routes);
		net_graph_close(&bed.graph);
	}
	assert_true(written > rounds() / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fixed_point_is_that_of_the_words),
		cmocka_unit_test(a_file_gives_the_choices_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
