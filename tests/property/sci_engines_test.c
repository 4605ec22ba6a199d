// SPDX-License-Identifier: GPL-3.0-or-later
// On random rings, tori and traffic, with and without go bits, the engine of packets does what the
// one of symbols does, in any order within a phase. FLIT_LONG=1 tries many more; FLIT_CASES so many
// from FLIT_FIRST on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sci_bed.h"
#include "setting.h"
#include "value/num.h"
#include "value/random.h"

static const char *const networks[] = {"ring:2",      "ring:3",	      "ring:5",	   "ring:12",
				       "torus:2x2",   "torus:3x3",    "torus:4x3", "torus:2x2x2",
				       "torus:3x2x4", "torus:2x2x2x2"};

static struct num_ratio nanoseconds(struct tr_random *random, uint64_t least, uint64_t most)
{
	return (struct num_ratio){(int64_t)(least + tr_random_below(random, most - least + 1)), NS};
}

static void draw_messages(struct bed *bed, struct tr_random *random)
{
	static const uint64_t spans[] = {1, 400, 5000, 50000};
	static const uint32_t sizes[] = {1, 16, 17, 64, 65, 80, 128, 300};
	const uint64_t span = spans[tr_random_below(random, 4)];
	const bool hot = tr_random_below(random, 4) == 0;

	bed->count = 1 + (uint32_t)tr_random_below(random, 120);
	for (uint32_t i = 0; i < bed->count; i++) {
		struct message *message = &bed->messages[i];

		*message = (struct message){
			(int64_t)tr_random_below(random, span),
			(uint32_t)tr_random_below(random, bed->rings.nodes),
			hot ? 0 : (uint32_t)tr_random_below(random, bed->rings.nodes),
			sizes[tr_random_below(random, 8)]};
		for (uint32_t k = i;
		     k > 0 && bed->messages[k].time_ticks < bed->messages[k - 1].time_ticks; k--) {
			const struct message swapped = bed->messages[k];

			bed->messages[k] = bed->messages[k - 1];
			bed->messages[k - 1] = swapped;
		}
	}
}

static void draw(struct bed *bed, uint64_t number)
{
	struct tr_random random;

	tr_random_open(&random, number, "sci");
	sci_bed_open(bed, networks[tr_random_below(&random, sizeof(networks) / sizeof(*networks))]);
	bed->ticks_per_s = NS;
	bed->params.propagation_s = nanoseconds(&random, 1, 30);
	bed->params.forwarding_s = nanoseconds(&random, 0, 100);
	bed->params.switching_s = nanoseconds(&random, 0, tr_random_below(&random, 2) ? 700 : 60);
	bed->params.overhead_s = nanoseconds(&random, 0, tr_random_below(&random, 2) ? 300 : 0);
	bed->params.overhead_B_s = nanoseconds(&random, 0, 3);
	bed->params.symbol_s = nanoseconds(&random, 1, 7);
	bed->params.cut_through = tr_random_below(&random, 2);
	bed->params.transactions = tr_random_below(&random, 2);
	bed->params.go_bits = number % 2;
	draw_messages(bed, &random);
	if (tr_random_below(&random, 4) == 0)
		bed->stop_ticks = (int64_t)tr_random_below(&random, 10000);
	if (tr_random_below(&random, 4) == 0)
		bed->width_ticks = 500 + (int64_t)tr_random_below(&random, 5000);
	bed->params.both = tr_random_below(&random, 3) == 0;
	bed->params.reads = tr_random_below(&random, 3) == 0 ? tr_random_below(&random, 101) : 0;
}

static void expect_same(uint64_t number, const struct bed *bed, const struct fate *expected)
{
	for (uint32_t i = 0; i < bed->count; i++) {
		const struct fate *a = &expected[i], *b = &bed->fates[i];

		if (memcmp(a, b, sizeof(*a)) != 0)
			fail_msg("case %llu, message %u (%u > %u, %u B at %lld): status %u %u, at "
				 "%lld %lld, injected %lld %lld, "
				 "head %lld %lld, received %lld %lld, turn %u %u",
				 (unsigned long long)number, i, bed->messages[i].source,
				 bed->messages[i].destination, bed->messages[i].size_bytes,
				 (long long)bed->messages[i].time_ticks, a->status, b->status,
				 (long long)a->ticks, (long long)b->ticks,
				 (long long)a->injected_ticks, (long long)b->injected_ticks,
				 (long long)a->head_ticks, (long long)b->head_ticks,
				 (long long)a->received_ticks, (long long)b->received_ticks,
				 a->turn, b->turn);
	}
}

// Each request goes once round each of its rings with its echo, each response likewise: hops of all
// that was sent, once all of it has been. Where a run ends some is on its way.
static void check_hops(const struct bed *bed, const struct net_totals *totals)
{
	uint64_t sends = 0;

	for (uint32_t i = 0; i < bed->count; i++) {
		const struct message *message = &bed->messages[i];

		for (uint32_t d = 0; d < bed->rings.dimensions; d++)
			if (sci_rings_hops(&bed->rings, message->source, message->destination, d) >
			    0)
				sends += ((message->size_bytes - 1) / SCI_PACKET_B + 1) *
					 (uint64_t)bed->rings.sizes[d];
	}
	assert_true(totals->own[SCI_SEND_HOPS] + totals->own[SCI_ECHO_HOPS] <= 2 * sends);
	if (bed->params.both)
		return; // the shorter ways are not the same rings
	assert_true(totals->own[SCI_SEND_HOPS] <= sends && totals->own[SCI_ECHO_HOPS] <= sends);
	if (bed->params.transactions && totals->delivered == bed->count)
		assert_int_equal(totals->own[SCI_SEND_HOPS], sends);
}

static void packets_do_what_symbols_do(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 1),
		       cases = setting("FLIT_CASES", getenv("FLIT_LONG") ? 4000 : 300);
	struct fate *expected = calloc(MESSAGES, sizeof(*expected));
	struct tr_link *samples = malloc(SAMPLES * sizeof(*samples));
	uint64_t waited = 0, cut = 0;
	uint32_t sample_count;

	(void)state;
	assert_true(expected && samples);
	for (uint64_t number = first; number < first + cases; number++) {
		struct net_totals plain, fast;
		struct bed bed;

		draw(&bed, number);
		plain = sci_bed_run(&bed, &sci_reference, 0);
		memcpy(expected, bed.fates, MESSAGES * sizeof(*expected));
		sample_count = bed.sample_count;
		memcpy(samples, bed.samples, sample_count * sizeof(*samples));
		check_hops(&bed, &plain);
		assert_true(plain.in_flight == 0 || bed.stop_ticks < INT64_MAX);
		for (uint64_t shuffle = 0; shuffle <= number; shuffle += number) {
			fast = sci_bed_run(&bed, &sci_fast, shuffle);
			expect_same(number, &bed, expected);
			assert_int_equal(plain.end_ticks, fast.end_ticks);
			assert_memory_equal(plain.own, fast.own, sizeof(plain.own));
			assert_int_equal(bed.sample_count, sample_count);
			assert_memory_equal(bed.samples, samples, sample_count * sizeof(*samples));
		}
		sci_bed_run(&bed, &sci_reference, number);
		expect_same(number, &bed, expected);
		cut += plain.in_flight > 0;
		for (uint32_t i = 0; i < bed.count; i++)
			waited += expected[i].status == TR_DELIVERED &&
				  bed.messages[i].source != bed.messages[i].destination &&
				  (double)(expected[i].ticks - expected[i].created_ticks) >
					  sci_bed_closed_ns(&bed, &bed.messages[i],
							    bed.params.transactions) +
						  45;
		sci_bed_close(&bed);
	}
	if (cases >= 300)
		assert_true(waited > 10 * cases && cut > cases / 20);
	free(expected);
	free(samples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(packets_do_what_symbols_do)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
