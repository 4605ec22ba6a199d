// SPDX-License-Identifier: GPL-3.0-or-later
// The example kind of network: its times by hand. At 10 Mb/s a packet of 100 B and 38 B of overhead
// holds the wire for 110.4 us, and arrives 2 us later.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "example_bus.h"
#include "net/lone_worm.h"

#define TICKS_PER_US 10
#define PACKETS 3

struct bed {
	uint32_t next;
	uint32_t sources[PACKETS]; // as they are delivered
	int64_t times_ticks[PACKETS];
	uint32_t told;
};

// Hosts 3, 1 and 2 at once.
static enum tr_status offer_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	static const uint32_t sources[PACKETS] = {3, 1, 2};
	struct bed *bed = context;

	(void)err;
	if (bed->next == PACKETS)
		return TR_END;
	*offer = (struct net_offer){
		.packet = {.id = bed->next}, .source = sources[bed->next], .size_bytes = 100};
	bed->next++;
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	bed->sources[bed->told] = worm->source;
	bed->times_ticks[bed->told++] = delivery->packet.time_ticks;
	return TR_OK;
}

static void hosts_take_turns(void **state)
{
	const struct net_topology topology = {.hosts = 4};
	struct bed bed = {0};
	const struct net_setup setup = {.topology = &topology,
					.params = net_fabric_bus.usual,
					.ticks_per_s = TICKS_PER_US * UINT64_C(1000000),
					.traffic = {.next = offer_next, .context = &bed},
					.results = {.done = done, .context = &bed}};
	struct fabric_formula formula;
	struct net_totals totals;
	struct tr_error err;

	(void)state;
	assert_int_equal(net_fabric_bus.engines[0]->run(&setup, &totals, &err), TR_OK);
	assert_int_equal(totals.delivered, PACKETS);
	for (uint32_t i = 0; i < PACKETS; i++) {
		assert_int_equal(bed.sources[i], i + 1);
		assert_int_equal(bed.times_ticks[i], (i + 1) * 1104 + 20);
	}
	assert_int_equal(fabric_formula_open(&formula, &net_fabric_bus, &setup, &err), TR_OK);
	assert_int_equal(fabric_formula_ticks(&formula, 0, 100), bed.times_ticks[0]);
	fabric_formula_close(&formula);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(hosts_take_turns)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
