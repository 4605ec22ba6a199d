// SPDX-License-Identifier: GPL-3.0-or-later
// Random ringlets, joined by nodes with hosts or without, in one direction or both: the engines
// deliver each message when a plain simulation does, which looks at all packets in every tick and
// tries all ways. FLIT_LONG=1 tries many more; FLIT_CASES so many from FLIT_FIRST on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sci_bed.h"
#include "sci_plain.h"
#include "setting.h"
#include "value/random.h"

static struct num_ratio draw_ns(struct tr_random *random, uint64_t least, uint64_t most)
{
	return (struct num_ratio){(int64_t)(least + tr_random_below(random, most - least + 1)), NS};
}

static void draw_case(struct bed *bed, struct plan *plan, struct tr_random *random)
{
	static const uint32_t sizes[] = {1, 16, 17, 64, 65, 130};
	int64_t ticks = 0;

	bed->params.both = tr_random_below(random, 2);
	sci_plan_draw(plan, random, bed->params.both, &bed->topology);
	bed->ticks_per_s = NS;
	bed->params.propagation_s = draw_ns(random, 1, 9);
	bed->params.forwarding_s = draw_ns(random, 0, 30);
	bed->params.switching_s = draw_ns(random, 0, 90);
	bed->params.overhead_s = draw_ns(random, 0, tr_random_below(random, 2) ? 60 : 0);
	bed->params.overhead_B_s = draw_ns(random, 0, 1);
	bed->params.symbol_s = draw_ns(random, 1, 3);
	bed->params.cut_through = tr_random_below(random, 2);
	bed->params.transactions = tr_random_below(random, 2);
	bed->params.reads = tr_random_below(random, 2) ? tr_random_below(random, 101) : 0;
	if (tr_random_below(random, 2)) {
		const int64_t pci_bps[] = {0, 8 * NS, 4 * NS, 1 * NS},
			      blink_bps[] = {0, 8 * NS, 4 * NS, 2 * NS};

		bed->params.pci_bps = (struct num_ratio){pci_bps[tr_random_below(random, 4)], 1};
		bed->params.blink_bps = (struct num_ratio){blink_bps[tr_random_below(random, 4)],
							   1};
	}
	bed->count = 1 + (uint32_t)tr_random_below(random, 60);
	for (uint32_t i = 0; i < bed->count; i++) {
		ticks += (int64_t)tr_random_below(random, 40);
		bed->messages[i] = (struct message){ticks,
						    (uint32_t)tr_random_below(random, plan->hosts),
						    (uint32_t)tr_random_below(random, plan->hosts),
						    sizes[tr_random_below(random, 6)]};
	}
}

static void compare(const struct bed *bed, const struct plain *plain, uint64_t number)
{
	for (uint32_t i = 0; i < bed->count; i++)
		if (bed->fates[i].status != TR_DELIVERED || bed->fates[i].ticks != plain->done[i])
			fail_msg("case %llu, message %u (%u > %u, %u B at %lld): %lld, not %lld",
				 (unsigned long long)number, i, bed->messages[i].source,
				 bed->messages[i].destination, bed->messages[i].size_bytes,
				 (long long)bed->messages[i].time_ticks,
				 (long long)bed->fates[i].ticks, (long long)plain->done[i]);
}

static void engines_do_what_a_plain_simulation_does(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 1),
		       cases = setting("FLIT_CASES", getenv("FLIT_LONG") ? 3000 : 150);
	struct plain *plain = malloc(sizeof(*plain));
	uint32_t most_rings = 0;

	(void)state;
	assert_non_null(plain);
	for (uint64_t number = first; number < first + cases; number++) {
		struct tr_random random;
		struct plan plan;
		struct bed bed;

		tr_random_open(&random, number, "ringlets");
		sci_bed_open(&bed, "ring:2");
		net_topology_clear(&bed.topology);
		draw_case(&bed, &plan, &random);
		*plain = (struct plain){.bed = &bed, .plan = &plan};
		sci_plain_run(plain);
		for (uint32_t i = 0; i < 4; i++) {
			sci_bed_run(&bed, sci_engines[i % 2], i / 2 * number);
			compare(&bed, plain, number);
		}
		most_rings = plan.ring_count > most_rings ? plan.ring_count : most_rings;
		sci_bed_close(&bed);
	}
	if (cases >= 100)
		assert_int_equal(most_rings, RINGS);
	free(plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(engines_do_what_a_plain_simulation_does)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
