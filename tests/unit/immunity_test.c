// SPDX-License-Identifier: GPL-3.0-or-later
// Routes with a choice that deadlock and others that do not, each small enough to be followed by
// hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "net/routes/deadlock.h"
#include "net/routes/immunity.h"
#include "net/routes/routes_forms.h"

struct bed {
	struct net_topology topology;
	struct net_graph graph;
	struct net_routes routes;
	struct net_immunity immunity;
};

static void open_bed(struct bed *bed, const char *network, const char *text)
{
	struct tr_source *source;
	struct tr_error err = {""};

	assert_int_equal(net_topology_make(&bed->topology, network, NULL), TR_OK);
	assert_int_equal(net_graph_open(&bed->graph, &bed->topology, NULL), TR_OK);
	assert_int_equal(tr_source_open_memory(&source, text, strlen(text), "file", NULL), TR_OK);
	if (net_routes_read(&bed->routes, &bed->topology, source, &err) != TR_OK)
		fail_msg("%s", err.text);
	tr_source_close(source);
	if (bed->routes.choices)
		assert_int_equal(net_immunity_find(&bed->immunity, bed->routes.choices, NULL),
				 TR_OK);
}

static void close_bed(struct bed *bed)
{
	net_immunity_clear(&bed->immunity);
	net_routes_clear(&bed->routes);
	net_graph_close(&bed->graph);
	net_topology_clear(&bed->topology);
}

// The channel of lane 0 from a switch over the port.
static uint32_t channel(const struct bed *bed, uint32_t at, uint32_t port)
{
	return net_choices_next(bed->routes.choices, at,
				(struct net_option){(uint16_t)port, 0, false});
}

// In a ring port 1 leads to the next switch, port 2 to the one before.

// Figure 4.2 of Qiao (1997), its cycle alone: switches 8 3 2 5 1 7 are 0 to 5. Worms from 8 to 5,
// from 2 to 7 and from 1 to 3 each hold two links and wait for that which the next one holds first.
// Each channel carries one or two of them.
#define THREE_WORMS \
	"hosts 6\n" \
	"choice switch0 host switch3 1\nchoice switch1 2 switch3 1\nchoice switch2 2 switch3 1\n" \
	"choice switch2 host switch5 1\nchoice switch3 2 switch5 1\nchoice switch4 2 switch5 1\n" \
	"choice switch4 host switch1 1\nchoice switch5 2 switch1 1\n"

static void three_worms_in_a_cycle_deadlock(void **state)
{
	struct bed bed;

	(void)state;
	open_bed(&bed, "ring:6",
		 "flitline-routes 2\n" THREE_WORMS "choice switch0 2 switch1 1\nend\n");
	assert_int_equal(bed.immunity.states, 9);
	assert_int_equal(bed.immunity.channels, 6);
	assert_int_equal(bed.immunity.immune, 0);
	assert_int_equal(bed.immunity.cycle_count, 6);
	assert_true(net_immunity_deadlocks(&bed.immunity, bed.routes.choices));
	// The lowest channel is that from 0 to 1; of its worms that to 3 can still come to 2, and
	// that to 1 has arrived.
	assert_int_equal(bed.immunity.channel, channel(&bed, 0, 1));
	assert_int_equal(bed.immunity.destination, 3);
	assert_false(bed.immunity.dead_end);
	assert_int_equal(bed.immunity.stuck_count, 2);
	assert_int_equal(bed.immunity.stuck[0], channel(&bed, 0, 1));
	assert_int_equal(bed.immunity.stuck[1], channel(&bed, 1, 1));
	close_bed(&bed);
}

// The third worm may go back instead: the other direction is nobody's, so it always gets away, and
// then the others do. The cycle of dependencies is still there.
static void one_way_out_of_the_cycle_is_enough(void **state)
{
	struct bed bed;

	(void)state;
	open_bed(&bed, "ring:6",
		 "flitline-routes 2\n" THREE_WORMS
		 "choice switch0 2 switch1 1 2!\nchoice switch5 1 switch1 2\n"
		 "choice switch4 1 switch1 2\nchoice switch3 1 switch1 2\nchoice switch2 1 switch1 "
		 "2\nend\n");
	net_choices_need_empty(bed.routes.state, true);
	assert_int_equal(bed.immunity.channels, 11);
	assert_int_equal(bed.immunity.immune, 11);
	assert_int_equal(bed.immunity.channel, NET_NOBODY);
	assert_int_equal(bed.immunity.cycle_count, 6);
	assert_false(net_immunity_deadlocks(&bed.immunity, bed.routes.choices));
	// A worm behind another in a buffer has no such way out.
	net_choices_need_empty(bed.routes.state, false);
	assert_true(net_immunity_deadlocks(&bed.immunity, bed.routes.choices));
	close_bed(&bed);
}

// Shortest ways round a ring of five in lists: on one lane each direction is a cycle; where worms
// that pass from switch 4 to 0 or back, which every cycle does, have a lane of their own, there is
// none.
static void lists_on_two_lanes_of_a_ring_do_not_deadlock(void **state)
{
	for (unsigned lanes = 1; lanes <= 2; lanes++) {
		char text[2000];
		size_t used = (size_t)snprintf(text, sizeof(text),
					       "flitline-routes 2\nhosts 5\nlanes %u\n", lanes);
		struct net_cycle cycle;
		struct bed bed = {0};

		for (unsigned from = 0; from < 5; from++)
			for (unsigned hops = 1; hops <= 2; hops++)
				for (unsigned port = 1; port <= 2; port++) {
					const unsigned to = (from + (port == 1 ? hops : 5 - hops)) %
							    5;
					const bool passes = port == 1 ? to < from : to > from;

					used += (size_t)snprintf(text + used, sizeof(text) - used,
								 "route host%u host%u%s%s 0%s\n",
								 from, to, port == 1 ? " 1" : " 2",
								 hops == 1   ? ""
								 : port == 1 ? " 1"
									     : " 2",
								 passes && lanes == 2 ? " lane 1"
										      : "");
				}
		snprintf(text + used, sizeof(text) - used, "end\n");
		open_bed(&bed, "ring:5", text);
		assert_int_equal(net_deadlock_find(&cycle, &bed.graph, &bed.routes, NULL), TR_OK);
		assert_int_equal(cycle.count, lanes == 1 ? 5 : 0);
		net_cycle_clear(&cycle);
		close_bed(&bed);
	}
	(void)state;
}

// Up*/down* on a ring of four with root 0, all legal ways: up is from 1 and 3 to 0 and from 2 to 1
// and 3. Worms from 1 to 3 have one legal way, over 0; those from 0 to 2 and back have two.
static void all_legal_ways_up_and_down_do_not_deadlock(void **state)
{
	struct bed bed;

	(void)state;
	open_bed(&bed, "ring:4",
		 "flitline-routes 2\nhosts 4\n"
		 "choice switch0 host switch1 1\nchoice switch0 host switch3 2\nchoice switch0 "
		 "host switch2 1 2\n"
		 "choice switch1 host switch0 2\nchoice switch1 host switch2 1\nchoice switch1 "
		 "host switch3 2\n"
		 "choice switch3 host switch0 1\nchoice switch3 host switch2 2\nchoice switch3 "
		 "host switch1 1\n"
		 "choice switch2 host switch1 2\nchoice switch2 host switch3 1\nchoice switch2 "
		 "host switch0 2 1\n"
		 "choice switch1 2 switch2 1\nchoice switch3 1 switch2 2\n"
		 "choice switch0 1 switch3 2\nchoice switch0 2 switch1 1\n"
		 "choice switch1 1 switch0 2\nchoice switch3 2 switch0 1\nend\n");
	assert_int_equal(bed.immunity.channels, 8);
	assert_int_equal(bed.immunity.immune, 8);
	assert_int_equal(bed.immunity.cycle_count, 0);
	assert_false(net_immunity_deadlocks(&bed.immunity, bed.routes.choices));
	close_bed(&bed);
}

// A way that is not the best and leads to a switch without options.
static void a_dead_end_is_found(void **state)
{
	struct bed bed;

	(void)state;
	open_bed(&bed, "ring:4",
		 "flitline-routes 2\nhosts 4\nchoice switch0 host switch1 1 2\nend\n");
	assert_int_equal(bed.immunity.states, 2);
	assert_int_equal(bed.immunity.immune, 1);
	assert_true(bed.immunity.dead_end);
	assert_int_equal(bed.immunity.channel, channel(&bed, 0, 2));
	assert_int_equal(bed.immunity.destination, 1);
	assert_int_equal(bed.immunity.stuck_count, 1);
	assert_true(net_immunity_deadlocks(&bed.immunity, bed.routes.choices));
	close_bed(&bed);
}

// Nobody waits on one switch, whose file says only that it is of choices.
static void one_switch_has_nothing_to_choose(void **state)
{
	struct bed bed;
	uint16_t port;

	(void)state;
	open_bed(&bed, "switch:3", "flitline-routes 2\nhosts 3\nbuffers any\nend\n");
	assert_non_null(bed.routes.choices);
	assert_int_equal(bed.immunity.states, 0);
	assert_false(net_immunity_deadlocks(&bed.immunity, bed.routes.choices));
	assert_int_equal(net_routes_get(&bed.routes, 0, 2, &port), 1);
	assert_int_equal(port, 2);
	close_bed(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_worms_in_a_cycle_deadlock),
		cmocka_unit_test(one_way_out_of_the_cycle_is_enough),
		cmocka_unit_test(lists_on_two_lanes_of_a_ring_do_not_deadlock),
		cmocka_unit_test(all_legal_ways_up_and_down_do_not_deadlock),
		cmocka_unit_test(a_dead_end_is_found),
		cmocka_unit_test(one_switch_has_nothing_to_choose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
