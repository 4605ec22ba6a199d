// SPDX-License-Identifier: GPL-3.0-or-later
// Cases survive their text, and faults that are made up are shrunk to their cause.
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
		free(before);
		free(after);
		engines_case_clear(&item);
		engines_case_clear(&again);
	}
}

static void other_text_is_refused(void **state)
{
	static const char *const lines[] = {"host 2",	     "hosts two",      "cable 0.0",
					    "cable 0 1",     "set flits 6ns",  "set flit 6B",
					    "packet 1 2 3",  "packet 1 2 3 -4", "switch 2000",
					    "sample 1", "set drop 2", "cable 0.0 1.0 6s", "a b c d e f g"};

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
		if (item->packets[i].destination == destination && item->packets[i].source != source &&
		    item->packets[i].size_bytes > 0)
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
			assert_true(item.params.crossbar.first_come);
			item.params.crossbar.first_come = false;
			item.packet_count = 0;
			for (size_t k = 0; k < engines_param_count; k++)
				if (engines_params[k].kind != ENGINES_COUNT)
					assert_false(engines_case_default(&item, &engines_params[k]));
			shrunk++;
		}
		engines_case_clear(&item);
	}
	assert_int_equal(shrunk, 10);
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
		cmocka_unit_test(a_number_draws_one_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
