// SPDX-License-Identifier: GPL-3.0-or-later
// TCP, and RDMA, that send again, on random programs: where nothing is lost and its window is large
// it changes nothing; where packets of any kind are lost at random, all messages arrive once, and
// those of a pair of ranks in order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program_bed.h"
#include "program_draw.h"
#include "value/random.h"

static struct program_bed bed;
static struct program_bed other;

static uint64_t cases(uint64_t usual, uint64_t many)
{
	return getenv("FLIT_LONG") ? many : usual;
}

static int64_t below(struct tr_random *random, uint64_t n)
{
	return (int64_t)tr_random_below(random, n);
}

static struct program_mpi draw_mpi(struct tr_random *random)
{
	struct program_mpi mpi = {.on = true,
				  .connects_first = below(random, 2),
				  .asks = below(random, 4) == 0,
				  .envelope_apart = below(random, 2),
				  .header_bytes = 40,
				  .envelope_bytes = 48,
				  .ack_every = 1 + (uint32_t)below(random, 4),
				  .ack_delay_ticks = (1 + below(random, 5000)) * BED_NS,
				  .window_packets = 1 + (uint32_t)below(random, 40),
				  .initial_packets = 1 + (uint32_t)below(random, 10),
				  .rto_least_ticks = (1 + below(random, 100000)) * BED_NS,
				  .seed = (uint64_t)below(random, 100)};

	if (below(random, 2)) {
		mpi.ack.count = mpi.receive.count = 2;
		mpi.ack.ticks[1] = below(random, 3000) * BED_NS;
		mpi.receive.ticks[1] = below(random, 3000) * BED_NS;
	}
	return mpi;
}

static void open_bed(struct program_bed *of, const char *text, const struct program_mpi *mpi)
{
	program_bed_open(of, text);
	of->params.mpi = *mpi;
	of->params.mtu_bytes = 140;
	of->params.eager_bytes = 1000;
}

static char *draw_program(struct tr_random *random)
{
	const struct program_draw draw = {.ranks = 2 + (uint32_t)below(random, 5),
					  .messages = (uint32_t)below(random, 40),
					  .size_max = 3000,
					  .cpus = 1,
					  .nics = 1};

	return program_draw(random, &draw);
}

static void nothing_changes_without_losses(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= cases(500, 20000); seed++) {
		struct tr_random random;
		struct program_mpi mpi;
		char *text;

		tr_random_open(&random, seed, "program/tcp");
		text = draw_program(&random);
		mpi = draw_mpi(&random);
		mpi.asks = false; // acknowledgements then count for themselves
		mpi.ack.count = 0;
		open_bed(&bed, text, &mpi);
		mpi.resends = true;
		mpi.sacks = below(&random, 2);
		mpi.initial_packets = 1u << 20;
		mpi.rto_least_ticks = INT64_C(1000000000) * BED_NS;
		open_bed(&other, text, &mpi);
		if (program_bed_run(&bed, NULL) != TR_OK || program_bed_run(&other, NULL) != TR_OK)
			fail_msg("%s%s", bed.err.text, other.err.text);
		assert_int_equal(bed.delivery_count, other.delivery_count);
		if (memcmp(bed.deliveries, other.deliveries,
			   (bed.delivery_count < BED_RECORDS ? bed.delivery_count : BED_RECORDS) *
				   sizeof(*bed.deliveries)) != 0 ||
		    memcmp(bed.messages, other.messages,
			   (bed.message_count < BED_RECORDS ? bed.message_count : BED_RECORDS) *
				   sizeof(*bed.messages)) != 0)
			fail_msg("seed %llu: deliveries or messages differ\n%s",
				 (unsigned long long)seed, text);
		assert_int_equal(bed.totals.finish_ticks, other.totals.finish_ticks);
		free(text);
		program_bed_close(&bed);
		program_bed_close(&other);
	}
}

struct random_losses {
	struct tr_random random;
	uint64_t percent;
	uint64_t lost;
};

static bool is_unlucky(void *context, const struct net_offer *offer)
{
	struct random_losses *losses = context;
	const bool lost = tr_random_below(&losses->random, 100) < losses->percent;

	(void)offer;
	losses->lost += lost;
	return lost;
}

// Messages of one source, destination and tag are received in the order in which they were sent.
static void check_order(const struct program_bed *of, const char *text, uint64_t seed)
{
	for (size_t i = 0; i < of->message_count && i < BED_RECORDS; i++)
		for (size_t j = 0; j < i; j++) {
			const struct tr_message *a = &of->messages[j], *b = &of->messages[i];

			if (a->src == b->src && a->dst == b->dst && a->tag == b->tag &&
			    a->begin_ticks > b->begin_ticks && a->end_ticks < b->end_ticks)
				fail_msg("seed %llu: messages overtake\n%s",
					 (unsigned long long)seed, text);
			assert_int_not_equal(a->id, b->id);
		}
}

// RDMA: with hosts that wait until a packet has left, or not, and with rates or not.
static void draw_rdma(struct tr_random *random, struct program_mpi *mpi)
{
	static struct net_wire wires[8];

	mpi->asks = false;
	mpi->connected = below(random, 2);
	if (mpi->connected)
		mpi->connects_first = false;
	mpi->rdma = (struct program_rdma){.on = true,
					  .timeout_ticks = (10000 + below(random, 50000)) * BED_NS,
					  .ticks_per_s = UINT64_C(1000000000) * BED_NS};
	if (below(random, 2) == 0)
		return;
	for (size_t i = 0; i < sizeof(wires) / sizeof(*wires); i++)
		wires[i] = (struct net_wire){
			.byte_ticks = 1 + below(random, 40), .least_B = 46, .around_B = 38};
	mpi->rdma.wires = wires;
	mpi->rdma.dcqcn = (struct dcqcn_params){.on = below(random, 2),
						.gain = DCQCN_ONE / 256,
						.alpha_ticks = 55000 * BED_NS,
						.increase_ticks = 55000 * BED_NS,
						.increase_bytes = 10000,
						.step_bps = 40000000,
						.fast_step_bps = 400000000,
						.least_bps = 10000000,
						.notice_ticks = 50000 * BED_NS};
}

static void all_arrives_once_and_in_order(void **state)
{
	const bool rdma = *state != NULL;
	uint64_t lost = 0, resent = 0;

	for (uint64_t seed = 1; seed <= cases(500, 20000); seed++) {
		struct random_losses losses = {.lost = 0};
		struct tr_random random;
		struct program_mpi mpi;
		char *text;

		tr_random_open(&random, seed, "program/tcp/losses");
		tr_random_open(&losses.random, seed, "losses");
		losses.percent = 1 + (uint64_t)below(&random, rdma ? 6 : 15);
		text = draw_program(&random);
		mpi = draw_mpi(&random);
		mpi.resends = true;
		mpi.sacks = below(&random, 2) && !rdma;
		if (rdma)
			draw_rdma(&random, &mpi);
		open_bed(&bed, text, &mpi);
		bed.loses = is_unlucky;
		bed.loses_context = &losses;
		if (program_bed_run(&bed, NULL) != TR_OK)
			fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, bed.err.text, text);
		if (bed.totals.ended != bed.totals.operations ||
		    bed.totals.messages != bed.totals.sent)
			fail_msg("seed %llu: of %llu operations %llu ended\n%s",
				 (unsigned long long)seed,
				 (unsigned long long)bed.totals.operations,
				 (unsigned long long)bed.totals.ended, text);
		assert_int_equal(bed.net.offered, bed.net.delivered + bed.net.dropped);
		assert_int_equal(bed.net.dropped, bed.totals.lost_worms);
		check_order(&bed, text, seed);
		lost += losses.lost;
		resent += bed.totals.parts[PROGRAM_RESENT].packets;
		free(text);
		program_bed_close(&bed);
	}
	assert_true(lost > cases(500, 20000) && resent > cases(200, 5000));
}

// Packets that are acknowledged are longer than a header, unless MPI asks.
static bool is_unlucky_and_acknowledged(void *context, const struct net_offer *offer)
{
	return offer->size_bytes > 40 && is_unlucky(context, offer);
}

static void run_losses(struct program_bed *of, const char *text, const struct program_mpi *mpi,
		       struct random_losses *losses)
{
	open_bed(of, text, mpi);
	of->loses = is_unlucky_and_acknowledged;
	of->loses_context = losses;
	if (program_bed_run(of, NULL) != TR_OK)
		fail_msg("%s\n%s", of->err.text, text);
	assert_int_equal(of->totals.ended, of->totals.operations);
}

// What was lost was sent again, and where the network keeps the order and no timer can have run
// off, within 2 ms, nothing else. The same losses give the same run.
static void sack_sends_again_what_was_lost(void **state)
{
	uint64_t quick = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= cases(2000, 40000); seed++) {
		struct random_losses losses = {.lost = 0}, same;
		struct tr_random random;
		struct program_mpi mpi;
		uint64_t resent;
		char *text;

		tr_random_open(&random, seed, "program/tcp/sack");
		tr_random_open(&losses.random, seed, "losses");
		losses.percent = 1 + (uint64_t)below(&random, 15);
		text = draw_program(&random);
		mpi = draw_mpi(&random);
		mpi.asks = false;
		mpi.resends = mpi.sacks = true;
		mpi.rto_least_ticks = INT64_C(1000000000) * BED_NS;
		same = losses;
		run_losses(&bed, text, &mpi, &losses);
		run_losses(&other, text, &mpi, &same);
		resent = bed.totals.parts[PROGRAM_RESENT].packets;
		assert_true(resent >= losses.lost);
		if (bed.net.end_ticks < 2000000 * BED_NS) {
			assert_int_equal(resent, losses.lost);
			quick += losses.lost > 0;
		}
		assert_int_equal(bed.delivery_count, other.delivery_count);
		assert_memory_equal(
			bed.deliveries, other.deliveries,
			(bed.delivery_count < BED_RECORDS ? bed.delivery_count : BED_RECORDS) *
				sizeof(*bed.deliveries));
		free(text);
		program_bed_close(&bed);
		program_bed_close(&other);
	}
	print_message("losses repaired within 2 ms: %llu runs\n", (unsigned long long)quick);
	assert_true(quick > cases(20, 400));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_changes_without_losses),
					   cmocka_unit_test(all_arrives_once_and_in_order),
					   {.name = "rdma: all arrives once and in order",
					    .test_func = all_arrives_once_and_in_order,
					    .initial_state = &bed},
					   cmocka_unit_test(sack_sends_again_what_was_lost)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
