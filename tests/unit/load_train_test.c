// SPDX-License-Identifier: GPL-3.0-or-later
// Synthetic load: the rates, laws and patterns given in its model.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "ks.h"
#include "model_run.h"

#define HEAD MODEL_FIRST_LINE "\nfamily load\nnodes 8\nduration 1 s\nrate 1 Gb/s\n"
#define NANOSECONDS UINT64_C(1000000000)

// All packets of the model's second, at most 2^20.
static struct model_run generate(const char *text, uint64_t seed, uint32_t nodes)
{
	const struct generator_settings settings = {
		.seed = seed, .ticks_per_s = NANOSECONDS, .nodes = nodes};

	return model_run(text, &settings, 100, 1u << 20);
}

static void packets_are_in_order(void **state)
{
	struct model_run run = generate(HEAD "load 10 %\nsize 64 B .. 200 B\nheader 8 B\n", 1, 0);

	(void)state;
	for (size_t i = 0; i < run.count; i++) {
		const struct tr_packet *p = &run.packets[i];

		assert_true(i == 0 || p->time_ticks >= p[-1].time_ticks);
		assert_true(p->time_ticks >= 0 && p->time_ticks < (int64_t)NANOSECONDS);
		assert_int_equal(p->id, i);
		assert_true(p->src < 8 && p->dst < 8 && p->src != p->dst);
		assert_true(p->payload_bytes >= 64 && p->payload_bytes <= 200);
		assert_int_equal(p->wire_bytes, p->payload_bytes + 8);
	}
	free(run.packets);
}

// Gaps of 8 * 250 / 0.15 = 13333 1/3 ns: the k-th packets of all 8 nodes leave at floor(k * 13333
// 1/3) ns.
static void synchronous_nodes_send_at_the_same_times(void **state)
{
	struct model_run run = generate(HEAD "load 15 %\nsize 250 B\narrivals synchronous\n", 1, 0);

	(void)state;
	assert_int_equal(run.count, 8 * 75000);
	for (size_t i = 0; i < run.count; i++)
		assert_int_equal(run.packets[i].time_ticks, (int64_t)(i / 8) * 40000 / 3);
	free(run.packets);
}

// Constant gaps of 8 * 250 / 0.15 = 13333 1/3 ns: 75,000 of them fill the second exactly, so each
// node sends as many, and no two gaps differ by more than the tick that rounding takes.
static void constant_gaps_lose_nothing_to_rounding(void **state)
{
	struct model_run run = generate(HEAD "load 15 %\nsize 250 B\narrivals constant\n", 1, 0);
	int64_t last[8] = {0};
	size_t sent[8] = {0};

	(void)state;
	assert_int_equal(run.count, 8 * 75000);
	for (size_t i = 0; i < run.count; i++) {
		const struct tr_packet *p = &run.packets[i];
		int64_t gap = p->time_ticks - last[p->src];

		assert_true(sent[p->src] == 0 ? gap <= 13334 : gap == 13333 || gap == 13334);
		last[p->src] = p->time_ticks;
		sent[p->src]++;
	}
	for (int i = 0; i < 8; i++)
		assert_int_equal(sent[i], 75000);
	free(run.packets);
}

static double exponential_cdf(double x)
{
	return 1 - exp(-x / 20000);
}

static double uniform_cdf(double x)
{
	return x < 40000 ? x / 40000 : 1;
}

// Gaps of node 3, of which the mean is 20 us, against their law.
static void check_gaps(const char *text, double (*cdf)(double x))
{
	struct model_run run = generate(text, 5, 0);
	double *gaps = calloc(run.count, sizeof(*gaps));
	int64_t last = 0;
	size_t count = 0;

	assert_non_null(gaps);
	for (size_t i = 0; i < run.count; i++)
		if (run.packets[i].src == 3) {
			gaps[count++] = (double)(run.packets[i].time_ticks - last);
			last = run.packets[i].time_ticks;
		}
	assert_true(count > 49000 && count < 51000);
	assert_true(ks_scaled(gaps, count, cdf) < KS_ONE_IN_1000);
	free(gaps);
	free(run.packets);
}

static void gaps_have_their_law(void **state)
{
	(void)state;
	check_gaps(HEAD "load 100 Mb/s\nsize 250 B\n", exponential_cdf);
	check_gaps(HEAD "load 0.1\nsize 250 B\narrivals uniform\n", uniform_cdf);
}

// Saturated: back to back at the rate from time 0, 8 ns a byte, whatever the sizes.
static void saturated_sources_have_no_gaps(void **state)
{
	struct model_run run = generate(HEAD "size 1 B .. 999 B\narrivals saturated\n", 1, 0);
	int64_t due[8] = {0};

	(void)state;
	for (size_t i = 0; i < run.count; i++) {
		assert_int_equal(run.packets[i].time_ticks, due[run.packets[i].src]);
		due[run.packets[i].src] += 8 * (int64_t)run.packets[i].payload_bytes;
	}
	free(run.packets);
}

// Chi-square of the destinations of node 2 over the 7 others: above 22.46 (6 degrees of freedom)
// in one of a thousand.
static void destinations_are_uniform(void **state)
{
	struct model_run run = generate(HEAD "load 20 %\nsize 250 B\n", 9, 0);

	(void)state;
	assert_true(model_run_chi_square(&run, 2) < 22.46);
	free(run.packets);
}

static uint32_t transposed(uint32_t node)
{
	return node % 3 * 3 + node / 3;
}

static void patterns_lead_where_they_say(void **state)
{
	struct model_run shift = generate(HEAD "load 1 %\nsize 99 B\ndestinations shift\nshift 3\n",
					  1, 0);
	struct model_run other = generate(HEAD "load 1 %\nsize 99 B\ndestinations complement\n", 1,
					  9);
	struct model_run turned = generate(HEAD "load 1 %\nsize 99 B\ndestinations transpose\n", 1,
					   9);

	(void)state;
	assert_true(shift.count > 0 && other.count > 0 && turned.count > 0);
	for (size_t i = 0; i < shift.count; i++)
		assert_int_equal(shift.packets[i].dst, (shift.packets[i].src + 3) % 8);
	for (size_t i = 0; i < other.count; i++) {
		assert_int_equal(other.packets[i].dst, 8 - other.packets[i].src);
		assert_int_not_equal(other.packets[i].src, 4);
	}
	for (size_t i = 0; i < turned.count; i++) {
		assert_int_equal(turned.packets[i].dst, transposed(turned.packets[i].src));
		assert_int_not_equal(turned.packets[i].src, turned.packets[i].dst);
	}
	free(shift.packets);
	free(other.packets);
	free(turned.packets);
}

// 40 % to node 5 from the others, and a seventh of the rest: .4 + .6 / 7 of theirs. Within four
// deviations of the binomial count.
static void the_hot_node_gets_its_share(void **state)
{
	struct model_run run = generate(HEAD "load 10 %\nsize 250 B\ndestinations hot-spot\n"
					     "hot-node 5\nhot-share 40 %\n",
					2, 0);
	double sent = 0, hot = 0, share = .4 + .6 / 7;

	(void)state;
	for (size_t i = 0; i < run.count; i++)
		if (run.packets[i].src != 5) {
			sent++;
			hot += run.packets[i].dst == 5;
		}
	assert_true(fabs(hot - share * sent) < 4 * sqrt(sent * share * (1 - share)));
	free(run.packets);
}

// What a node draws is its own: among more nodes its times and sizes stay, and at twice the load
// the same packets come in half the time.
static void streams_belong_to_their_node(void **state)
{
	const char *slow = HEAD "load 10 %\nsize 100 B .. 300 B\n";
	const char *fast = HEAD "load 20 %\nsize 100 B .. 300 B\n";
	struct model_run few = generate(slow, 3, 4), many = generate(slow, 3, 9),
			 soon = generate(fast, 3, 4);
	size_t at = 0, seen = 0;

	(void)state;
	for (size_t i = 0; i < many.count; i++)
		if (many.packets[i].src < 4) {
			assert_int_equal(many.packets[i].time_ticks, few.packets[at].time_ticks);
			assert_int_equal(many.packets[i].payload_bytes,
					 few.packets[at].payload_bytes);
			at++;
		}
	assert_int_equal(at, few.count);
	for (size_t i = 0, k = 0; i < few.count && k < soon.count; i++) {
		if (few.packets[i].src != 1)
			continue;
		while (soon.packets[k].src != 1)
			k++;
		assert_true(llabs(2 * soon.packets[k].time_ticks - few.packets[i].time_ticks) <= 2);
		assert_int_equal(soon.packets[k].dst, few.packets[i].dst);
		k++;
		seen++;
	}
	assert_true(seen > 10000);
	free(few.packets);
	free(many.packets);
	free(soon.packets);
}

static void wrong_models_are_refused(void **state)
{
	(void)state;
	model_run_refused(HEAD "size 64 B\n", "t.model: the key load is missing");
	model_run_refused(HEAD "load 30 %\n", "t.model: expected a size, or bins of sizes");
	model_run_refused(HEAD "load 0\nsize 64 B\n",
			  "t.model:6: load: expected above 0 and at most 1000 times the rate");
	model_run_refused(HEAD "load 3 Mb\nsize 64 B\n",
			  "t.model:6: load: '3Mb' is not a real number");
	model_run_refused(HEAD "load 30 %\nsize 64 B\nbin 1 x 3 B\n",
			  "t.model:7: size and bin cannot be combined");
	model_run_refused(HEAD "load 30 %\nsize 0 B\n",
			  "t.model: the sizes have no packets or are all 0");
	model_run_refused(HEAD "load 30 %\nsize 9 B .. 8 B\n",
			  "t.model:7: size: the end of the bin is before its start");
	model_run_refused(HEAD "load 30 %\nsize 9 B\ndestinations transpose\n",
			  "t.model:8: destinations transpose: 8 nodes are not a square");
	model_run_refused(HEAD "load 30 %\nsize 9 B\ndestinations hot-spot\nhot-node 8\n",
			  "t.model:8: destinations hot-spot: hot-node: node 8 is not one of 8");
	model_run_refused(HEAD "load 30 %\nsize 9 B\ndestinations shift\nshift 16\n",
			  "t.model:8: destinations shift: shift: 16 is a multiple of 8 nodes");
	model_run_refused(HEAD "load 30 %\nsize 9 B\n[worker data]\n",
			  "t.model: the family load has no sections");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_are_in_order),
		cmocka_unit_test(synchronous_nodes_send_at_the_same_times),
		cmocka_unit_test(constant_gaps_lose_nothing_to_rounding),
		cmocka_unit_test(gaps_have_their_law),
		cmocka_unit_test(saturated_sources_have_no_gaps),
		cmocka_unit_test(destinations_are_uniform),
		cmocka_unit_test(patterns_lead_where_they_say),
		cmocka_unit_test(the_hot_node_gets_its_share),
		cmocka_unit_test(streams_belong_to_their_node),
		cmocka_unit_test(wrong_models_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
