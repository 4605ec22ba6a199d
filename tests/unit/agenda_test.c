// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/ahead.h"
#include "gen/loser_tree.h"
#include "value/random.h"

#include "gen/packet_source.h"

#define SOURCES_MAX 40
#define AHEAD_STEPS 500

// Second algorithm: scan all sources. Steps of up to step ticks from begin on.
static void play(struct tr_random *random, size_t count, int64_t begin, uint64_t step)
{
	int64_t ticks[SOURCES_MAX];
	struct agenda agenda;

	for (size_t i = 0; i < count; i++)
		ticks[i] = begin + (int64_t)tr_random_below(random, step);
	assert_true(agenda_open(&agenda, ticks, count));
	for (int n = 0; n < 500; n++) {
		size_t first = 0;

		for (size_t i = 1; i < count; i++)
			if (ticks[i] < ticks[first])
				first = i;
		assert_int_equal(agenda.next, first);
		assert_true(agenda.next_ticks == ticks[first]);
		if (ticks[first] > INT64_MAX - (int64_t)step)
			break;
		ticks[first] += (int64_t)tr_random_below(random, step + 2);
		agenda_postpone(&agenda, ticks[first]);
	}
	agenda_close(&agenda);
}

// Times tie often, or are so far from one another that no base reaches them all.
static void plays_as_a_search_does(void **state)
{
	static const uint64_t steps[] = {10, 1000000, UINT64_C(1) << 57, UINT64_C(1) << 60};
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "agenda");
	for (size_t count = 1; count <= SOURCES_MAX; count++)
		for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
			play(&random, count, 0, steps[i]);
			play(&random, count, INT64_MAX / 2, steps[i]);
		}
}

// Packets of sources side by side, made with steps of up to step ticks.
struct steps {
	struct tr_random random[SOURCES_MAX];
	int64_t last_ticks[SOURCES_MAX];
	uint64_t step;
};

static void make_steps(void *train, size_t source, const struct ahead_columns *out)
{
	struct steps *steps = train;

	for (unsigned i = 0; i < AHEAD_PACKETS; i++) {
		const uint64_t more = tr_random_below(&steps->random[source], steps->step);
		int64_t *last = &steps->last_ticks[source];

		*last = (int64_t)more < INT64_MAX - *last ? *last + (int64_t)more : INT64_MAX;
		out->ticks[i] = *last;
		out->payload_B[i] = (uint32_t)more;
		out->dst[i] = (uint32_t)*last;
		if (out->src)
			out->src[i] = (uint32_t)(source + more);
	}
}

static void open_steps(struct steps *steps, size_t count, uint64_t step)
{
	*steps = (struct steps){.step = step};
	for (size_t i = 0; i < count; i++) {
		tr_random_open(&steps->random[i], 1, "steps");
		steps->random[i].counter = i << 32;
	}
}

// Second algorithm: the earliest of all that are made, each source's one after the other.
static void take_as_a_search_does(size_t count, uint64_t step, bool many_nodes)
{
	struct steps steps, same;
	struct ahead ahead;
	int64_t ticks[SOURCES_MAX][AHEAD_PACKETS];
	uint32_t payload_B[AHEAD_PACKETS], dst[AHEAD_PACKETS];
	size_t at[SOURCES_MAX] = {0};
	struct tr_packet packet;
	uint64_t n = 0;

	open_steps(&steps, count, step);
	open_steps(&same, count, step);
	assert_true(ahead_open(&ahead, count, many_nodes));
	for (size_t i = 0; i < count; i++) {
		const struct ahead_columns out = ahead_of(&ahead, i),
					   again = {ticks[i], payload_B, dst, NULL};

		ahead_set_sender(&ahead, i, (uint32_t)i, UINT32_MAX - 5, TR_CLASS_OVERHEAD);
		make_steps(&steps, i, &out);
		make_steps(&same, i, &again);
	}
	assert_true(ahead_begin(&ahead, count));
	for (; n < AHEAD_STEPS &&
	       ahead_take(&ahead, make_steps, &steps, SOURCE_NEVER, &packet, 1) == 1;
	     n++) {
		size_t first = 0;

		for (size_t i = 1; i < count; i++)
			if (ticks[i][at[i]] < ticks[first][at[first]])
				first = i;
		const int64_t now = ticks[first][at[first]];

		assert_true(packet.time_ticks == now && packet.id == n &&
			    packet.dst == (uint32_t)now);
		assert_int_equal(packet.src,
				 many_nodes ? (uint32_t)(first + packet.payload_bytes) : first);
		assert_true(packet.wire_bytes ==
				    source_wire_B(packet.payload_bytes, UINT32_MAX - 5) &&
			    packet.class == TR_CLASS_OVERHEAD);
		if (++at[first] == AHEAD_PACKETS) {
			const struct ahead_columns again = {ticks[first], payload_B, dst, NULL};

			make_steps(&same, first, &again);
			at[first] = 0;
		}
	}
	assert_true(n == AHEAD_STEPS || step > UINT64_C(1) << 50);
	ahead_close(&ahead);
}

// Where times are so far apart that no base reaches them all, each source keeps its place.
static void takes_what_is_made_ahead_in_order(void **state)
{
	static const uint64_t steps[] = {3, 1000000, UINT64_C(1) << 52, UINT64_C(1) << 57};

	(void)state;
	for (size_t count = 1; count <= SOURCES_MAX; count++)
		for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
			take_as_a_search_does(count, steps[i], count % 2);
}

static void never_is_last(void **state)
{
	const int64_t ticks[] = {INT64_MAX, 7, INT64_MAX};
	struct agenda agenda;

	(void)state;
	assert_true(agenda_open(&agenda, ticks, 3));
	assert_int_equal(agenda.next, 1);
	agenda_postpone(&agenda, INT64_MAX);
	assert_true(agenda.next_ticks == INT64_MAX);
	agenda_close(&agenda);
	assert_true(agenda_open(&agenda, ticks, 1));
	assert_true(agenda.next_ticks == INT64_MAX);
	agenda_close(&agenda);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plays_as_a_search_does),
		cmocka_unit_test(takes_what_is_made_ahead_in_order),
		cmocka_unit_test(never_is_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
