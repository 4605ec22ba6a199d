// SPDX-License-Identifier: GPL-3.0-or-later
// Cases survive a round trip through text, and artificial faults are shrunk to their cause.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engines_compare.h"
#include "engines_draw.h"
#include "engines_shrink.h"

static char *text_of(const struct engines_case *item)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	engines_case_write(item, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void a_case_survives_its_text(void **state)
{
	struct engines_case item, again;
	char *before, *after;
	struct tr_error err;
	FILE *in;

	(void)state;
	for (uint64_t i = 0; i < 300; i++) {
		engines_draw(&item, 2, i);
		before = text_of(&item);
		in = fmemopen(before, strlen(before), "r");
		assert_non_null(in);
		assert_int_equal(engines_case_read(&again, in, &err), TR_OK);
		fclose(in);
		after = text_of(&again);
		assert_string_equal(before, after);
		assert_memory_equal(&item.sampling, &again.sampling, sizeof(item.sampling));
		assert_int_equal(item.topology.cable_count, again.topology.cable_count);
		assert_int_equal(item.packet_count, again.packet_count);
		assert_int_equal(item.fault_count, again.fault_count);
		assert_memory_equal(item.faults, again.faults, sizeof(item.faults));
		assert_memory_equal(&item.reaction, &again.reaction, sizeof(item.reaction));
		assert_memory_equal(&item.params.loss.bit_errors, &again.params.loss.bit_errors,
				    sizeof(item.params.loss.bit_errors));
		for (size_t k = 0; k < item.packet_count; k++) {
			assert_int_equal(item.packets[k].route_count, again.packets[k].route_count);
			assert_memory_equal(item.packets[k].route, again.packets[k].route,
					    sizeof(item.packets[k].route));
		}
		free(before);
		free(after);
		engines_case_clear(&item);
		engines_case_clear(&again);
	}
}

static void other_text_is_refused(void **state)
{
	static const char *const lines[] = {"host 2",
					    "hosts two",
					    "cable 0.0",
					    "cable 0 1",
					    "set flits 6ns",
					    "set flit 6B",
					    "packet 1 2 3",
					    "packet 1 2 3 -4",
					    "switch 2000",
					    "sample 1",
					    "set drop 2",
					    "fault 1 2 3",
					    "fault node 0 1 2",
					    "fault cable 0 1 two",
					    "react 1 2",
					    "packet 1 2 3 4 5,x",
					    "packet 1 0 1 9 1,1,1,1,1,1,1,1,1",
					    "set bit-errors 1b",
					    "cable 0.0 1.0 6s",
					    "a b c d e f g"};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct engines_case item;
		struct tr_error err;
		char text[64];
		FILE *in;

		snprintf(text, sizeof(text), "# a case\n\n%s\n", lines[i]);
		in = fmemopen(text, strlen(text), "r");
		assert_non_null(in);
		assert_int_equal(engines_case_read(&item, in, &err), TR_ERROR);
		assert_string_equal(err.text, "line 3 is none of a case");
		fclose(in);
		engines_case_clear(&item);
	}
}

// A fault of worms to one host from two others, one of them long, that needs first come first
// served.
static bool made_up(void *context, const struct engines_case *item)
{
	uint32_t destination = UINT32_MAX;
	uint32_t source = UINT32_MAX;

	(void)context;
	for (size_t i = 0; i < item->packet_count; i++)
		if (item->packets[i].size_bytes >= 40) {
			destination = item->packets[i].destination;
			source = item->packets[i].source;
		}
	for (size_t i = 0; i < item->packet_count && item->params.crossbar.first_come; i++)
		if (item->packets[i].destination == destination &&
		    item->packets[i].source != source && item->packets[i].size_bytes > 0)
			return true;
	return false;
}

static void a_fault_is_shrunk_to_its_cause(void **state)
{
	struct engines_case item;
	unsigned shrunk = 0;

	(void)state;
	for (uint64_t i = 0; i < 200 && shrunk < 10; i++) {
		struct engines_fault fault = {made_up, NULL, 100000};

		engines_draw(&item, 3, i);
		if (made_up(NULL, &item)) {
			engines_shrink(&item, &fault);
			assert_int_equal(item.packet_count, 2);
			assert_int_equal(item.packets[0].size_bytes + item.packets[1].size_bytes,
					 41);
			assert_int_equal(item.packets[1].time_ticks, 0);
			assert_true(item.topology.hosts <= 3);
			assert_int_equal(item.topology.switches, 0);
			assert_int_equal(item.topology.cable_count, 0);
			assert_int_equal(item.fault_count, 0);
			assert_int_equal(item.reaction.rounds, 0);
			assert_int_equal(item.packets[0].route_count, ENGINES_USUAL_ROUTE);
			assert_true(item.params.crossbar.first_come);
			item.params.crossbar.first_come = false;
			item.packet_count = 0;
			for (size_t k = 0; k < engines_param_count; k++)
				if (engines_params[k].kind != ENGINES_COUNT)
					assert_false(
						engines_case_default(&item, &engines_params[k]));
			shrunk++;
		}
		engines_case_clear(&item);
	}
	assert_int_equal(shrunk, 10);
}

// A fault of a worm with a route of its own, of results that others follow, and of a dead cable
// between a switch and a host.
static bool made_up_of_faults(void *context, const struct engines_case *item)
{
	const struct net_topology *topology = &item->topology;
	bool routed = false;

	(void)context;
	for (size_t i = 0; i < item->packet_count; i++)
		routed |= item->packets[i].route_count == 1;
	for (uint32_t i = 0; i < item->fault_count && routed && item->reaction.rounds > 0; i++) {
		const struct net_fault *fault = &item->faults[i];
		const struct net_end *ends;

		if (fault->kind != NET_FAULT_CABLE || fault->number >= topology->cable_count)
			continue;
		ends = topology->cables[fault->number].ends;
		if (ends[0].node < topology->hosts && ends[1].node >= topology->hosts)
			return true;
	}
	return false;
}

static void faults_and_reactions_are_shrunk(void **state)
{
	struct engines_case item;
	unsigned shrunk = 0;

	(void)state;
	for (uint64_t i = 0; i < 4000 && shrunk < 5; i++) {
		struct engines_fault fault = {made_up_of_faults, NULL, 100000};

		engines_draw(&item, 5, i);
		if (made_up_of_faults(NULL, &item)) {
			engines_shrink(&item, &fault);
			assert_int_equal(item.packet_count, 1);
			assert_int_equal(item.topology.cable_count, 1);
			assert_int_equal(item.fault_count, 1);
			assert_int_equal(item.faults[0].number, 0);
			assert_true(item.faults[0].from_ticks <= 1);
			assert_int_equal(item.faults[0].to_ticks, INT64_MAX);
			assert_int_equal(item.reaction.rounds, 1);
			assert_int_equal(item.reaction.think_ticks, 0);
			assert_int_equal(item.packets[0].route_count, 1);
			shrunk++;
		}
		engines_case_clear(&item);
	}
	assert_int_equal(shrunk, 5);
}

static void a_number_draws_one_case(void **state)
{
	struct engines_case item, same;

	(void)state;
	for (uint64_t i = 0; i < 300; i++) {
		char *text, *again;

		engines_draw(&item, 4, i);
		engines_draw(&same, 4, i);
		text = text_of(&item);
		again = text_of(&same);
		assert_string_equal(text, again);
		free(text);
		free(again);
		engines_case_clear(&item);
		engines_case_clear(&same);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_case_survives_its_text),
		cmocka_unit_test(other_text_is_refused),
		cmocka_unit_test(a_fault_is_shrunk_to_its_cause),
		cmocka_unit_test(faults_and_reactions_are_shrunk),
		cmocka_unit_test(a_number_draws_one_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
