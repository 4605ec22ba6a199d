// SPDX-License-Identifier: GPL-3.0-or-later
// A run allocates memory before its first event, and none after. The test's own malloc and related
// functions count the calls.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fabric_bed.h"
#include "net/engine.h"
#include "net/myrinet/params.h"
#include "net/switched/switched_run.h"

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t each);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t each);
void *__wrap_realloc(void *old, size_t bytes);

static unsigned long calls;

void *__wrap_malloc(size_t bytes)
{
	calls++;
	return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t each)
{
	calls++;
	return __real_calloc(count, each);
}

void *__wrap_realloc(void *old, size_t bytes)
{
	calls++;
	return __real_realloc(old, bytes);
}

struct run {
	uint32_t sent;
	uint32_t done;
	unsigned long calls_at_start; // when the second packet is asked for, which an event does
};

static enum tr_status next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct run *run = context;

	(void)err;
	if (run->sent == 1)
		run->calls_at_start = calls;
	if (run->sent == 3000)
		return TR_END;
	*offer = (struct net_offer){.packet.time_ticks = run->sent / 8 * INT64_C(20000),
				    .source = run->sent % 8,
				    .destination = (run->sent + 1 + run->sent / 8 % 7) % 8,
				    .size_bytes = 3000};
	run->sent++;
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct run *run = context;

	(void)worm;
	(void)delivery;
	(void)err;
	run->done++;
	return TR_OK;
}

static enum tr_status sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	(void)context;
	(void)link;
	(void)err;
	return TR_OK;
}

static void run_engine(const struct net_engine *engine, const void *params, bool finite)
{
	struct net_topology topology;
	struct net_totals totals;
	struct net_routes routes;
	struct run run = {0};
	const struct net_setup setup = {
		.topology = &topology,
		.routes = &routes,
		.params = params,
		.ticks_per_s = 36000000000,
		.traffic = {next, &run},
		.results = {done, sample, &run},
		.sampling.width_ticks = 3600000,
		.finite_sources = finite,
	};

	assert_int_equal(net_topology_make(&topology, "switch:8", NULL), TR_OK);
	assert_int_equal(net_routes_shortest(&routes, &topology, NULL), TR_OK);
	assert_int_equal(engine->run(&setup, &totals, NULL), TR_OK);
	assert_true(run.calls_at_start > 0);
	assert_int_equal(calls, run.calls_at_start);
	assert_int_equal(run.done, 3000);
	assert_int_equal(totals.delivered, 3000);
	net_routes_clear(&routes);
	net_topology_clear(&topology);
}

static void no_memory_is_taken_after_the_first_event(void **state)
{
	(void)state;
	struct switched_params switched = switched_params_usual;

	run_engine(engine_called("reference"), &myr_params_yates, false);
	run_engine(engine_called("local"), &myr_params_yates, false);
	switched.buffer_B = 5000;
	run_engine(&switched_reference, &switched, false);
	switched.switching = SWITCHED_STORE;
	switched.pool_B = 10000;
	run_engine(&switched_reference, &switched, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_memory_is_taken_after_the_first_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
