// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts of networks: parts of about the same weight, also while the process is told to end.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "net/topology/cut.h"
#include "net/topologies/topologies.h"

#define PARTS 4
#define TOLD 20

static atomic_uint told;

static void cut_told(int signal)
{
	(void)signal;
	atomic_fetch_add(&told, 1);
}

static void *cut_tell(void *cutter)
{
	// what is sent while the other is not run arrives once
	while (atomic_load(&told) < TOLD) {
		pthread_kill(*(pthread_t *)cutter, SIGTERM);
		nanosleep(&(struct timespec){0, 100000}, NULL);
	}
	return NULL;
}

static void expect_even_parts(const struct net_graph *graph)
{
	const struct net_cut_effort effort = {
		.seed = 1, .tries = 1, .rounds = 10, .unbalanced = 30};
	uint32_t sizes[PARTS] = {0};
	struct net_cut cut;

	assert_int_equal(net_cut_open(&cut, graph, NULL), TR_OK);
	assert_int_equal(net_cut_make(&cut, PARTS, cut.ones, &effort, NULL), TR_OK);
	for (int32_t i = 0; i < cut.count; i++)
		sizes[cut.part[i]]++;
	for (unsigned i = 0; i < PARTS; i++)
		assert_in_range(sizes[i], 90 * cut.count / PARTS / 100,
				110 * cut.count / PARTS / 100);
	net_cut_close(&cut);
}

static void test_parts(void **state)
{
	struct net_topology topology = {0};
	struct net_graph graph = {0};
	struct sigaction action = {.sa_handler = cut_told};
	pthread_t cutter = pthread_self(), teller;

	(void)state;
	assert_int_equal(net_topology_make(&topology, "torus:30x30", NULL), TR_OK);
	assert_int_equal(net_graph_open(&graph, &topology, NULL), TR_OK);
	expect_even_parts(&graph);
	sigaction(SIGTERM, &action, NULL);
	assert_int_equal(pthread_create(&teller, NULL, cut_tell, &cutter), 0);
	for (unsigned i = 0; i < 20 || atomic_load(&told) < TOLD; i++)
		expect_even_parts(&graph);
	pthread_join(teller, NULL);
	net_graph_close(&graph);
	net_topology_clear(&topology);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
