// SPDX-License-Identifier: GPL-3.0-or-later
// Packets by groups: Poisson fits of each grouping have the rates and likelihoods computed from the
// counts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/fit/streams_fit.h"

#define END_TICKS 1000000
#define TICKS_PER_S 1000.0

// Node 5 is the controller; 2 and 9 work; data and overhead of each, and 2 sends no overhead.
struct sent {
	uint32_t from, to;
	uint8_t class;
	unsigned count;
};

static const struct sent all_sent[] = {
	{5, 2, TR_CLASS_DATA, 40}, {5, 9, TR_CLASS_DATA, 20}, {5, 9, TR_CLASS_OVERHEAD, 30},
	{2, 5, TR_CLASS_DATA, 50}, {9, 5, TR_CLASS_DATA, 10}, {9, 2, TR_CLASS_OVERHEAD, 25},
};
#define SENT (sizeof(all_sent) / sizeof(*all_sent))

static struct packet_sample make(void)
{
	enum tr_role roles[10] = {TR_ROLE_UNKNOWN};
	struct packet_sample sample = {.ticks_per_s = TICKS_PER_S};
	struct tr_error err = {""};

	roles[5] = TR_ROLE_CONTROLLER;
	for (unsigned i = 0; i < 50; i++)
		for (size_t s = 0; s < SENT; s++) {
			const struct tr_packet packet = {.time_ticks = 1000 * i + (int64_t)s,
							 .src = all_sent[s].from,
							 .dst = all_sent[s].to,
							 .payload_bytes = 100,
							 .wire_bytes = 154,
							 .class = all_sent[s].class};

			if (i < all_sent[s].count)
				assert_int_equal(packet_sample_add(&sample, &packet, &err), TR_OK);
		}
	assert_int_equal(packet_sample_settle(&sample, roles, 10, &err), TR_OK);
	sample.begin_ticks = 0;
	sample.end_ticks = END_TICKS;
	return sample;
}

// Log-likelihood of n packets of so many sources in all, at their own rate.
static double poisson(double n, double sources)
{
	return n * log(n / (sources * END_TICKS)) - n;
}

static double likelihood(const struct packet_sample *sample, enum fit_by by, unsigned *freedom)
{
	const struct family *family = &poisson_process_family;
	struct fit_options options = {.pulse = {.level = 0.99, .ticks_per_s = 1000}, .by = (int)by};
	struct fit_notes notes = {.freedom = 0};
	struct model text = {.name = NULL};
	struct tr_error err = {""};
	double got = 0;

	if (family->fit->fit(family, sample, &options, &text, &notes, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_int_equal(family->fit->log_likelihood(family, &text, sample, &options, &got, &err),
			 TR_OK);
	*freedom = notes.freedom;
	model_clear(&text);
	return got;
}

static void groups_have_their_packets(void **state)
{
	static const struct {
		enum fit_by by;
		size_t groups, with_packets;
	} cases[] = {{FIT_BY_ROLE, 4, 4}, {FIT_BY_ALL, 1, 1},	{FIT_BY_CLASS, 2, 2},
		     {FIT_BY_NODE, 6, 5}, {FIT_BY_PAIR, 18, 6}, {FIT_BY_NETWORK, 2, 2}};
	struct packet_sample sample = make();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct streams_groups groups;
		struct tr_error err = {""};
		size_t packets = 0, filled = 0;

		assert_int_equal(streams_groups_make(&sample, cases[i].by, 0.99, &groups, &err),
				 TR_OK);
		assert_int_equal(groups.count, cases[i].groups);
		for (size_t g = 0; g < groups.count; g++) {
			size_t of_sources = 0;

			for (size_t s = 0; s < groups.list[g].times.count; s++)
				of_sources += groups.list[g].times.each[s].count;
			assert_int_equal(of_sources, groups.list[g].count);
			packets += of_sources;
			filled += of_sources > 0;
		}
		assert_int_equal(packets, sample.count);
		assert_int_equal(filled, cases[i].with_packets);
		streams_groups_clear(&groups);
	}
	packet_sample_clear(&sample);
}

// To six digits of a rate, in which the likelihood is flat.
static void likelihoods_are_those_of_counting(void **state)
{
	struct packet_sample sample = make();
	unsigned freedom;
	double expected;

	(void)state;
	expected = poisson(60, 1) + poisson(30, 1) + poisson(60, 2) + poisson(25, 2);
	assert_true(fabs(likelihood(&sample, FIT_BY_ROLE, &freedom) - expected) < 1e-6);
	assert_int_equal(freedom, 4);
	assert_true(fabs(likelihood(&sample, FIT_BY_ALL, &freedom) - poisson(175, 3)) < 1e-6);
	expected = poisson(60, 1) + poisson(30, 1) + poisson(50, 1) + poisson(10, 1) +
		   poisson(25, 1);
	assert_true(fabs(likelihood(&sample, FIT_BY_NODE, &freedom) - expected) < 1e-6);
	assert_int_equal(freedom, 5);
	// One source of each class, and who sends: the same as by node. Shares are written with six
	// digits.
	assert_true(fabs(likelihood(&sample, FIT_BY_NETWORK, &freedom) - expected) < 1e-3);
	assert_int_equal(freedom, 2);
	packet_sample_clear(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_have_their_packets),
		cmocka_unit_test(likelihoods_are_those_of_counting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
