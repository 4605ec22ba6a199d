// SPDX-License-Identifier: GPL-3.0-or-later
// Messages on SCI networks whose times are known, in both engines. A message that is alone takes
// what the closed forms say, to the nanosecond, for every pair of rings and tori of up to four
// dimensions, with and without go bits; a few that meet, by hand.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sci_bed.h"

// All pairs, or those of some sources, 100 us apart.
static void fill_pairs(struct bed *bed, uint32_t sources, uint32_t size_bytes)
{
	bed->count = 0;
	for (uint32_t i = 0; i < sources; i++)
		for (uint32_t to = 0; to < bed->rings.nodes; to++) {
			const uint32_t from = (uint32_t)((uint64_t)i * bed->rings.nodes / sources);

			if (from == to)
				continue;
			assert_true(bed->count < MESSAGES);
			bed->messages[bed->count] = (struct message){
				bed->count * (int64_t)(bed->ticks_per_s / 10000), from, to,
				size_bytes};
			bed->count++;
		}
}

static void check_alone(struct bed *bed, bool transaction)
{
	for (uint32_t i = 0; i < bed->count; i++) {
		const struct fate *fate = &bed->fates[i];
		const int64_t ticks_per_ns = (int64_t)bed->ticks_per_s / NS;
		const double ns = sci_bed_closed_ns(bed, &bed->messages[i], transaction);

		assert_int_equal(fate->status, TR_DELIVERED);
		// Times are whole tenths of a nanosecond, and the ticks hold them exactly.
		assert_true((fate->ticks - fate->created_ticks) * 10 ==
			    (int64_t)round(ns * 10) * ticks_per_ns);
	}
}

static void alone_in(const char *network, uint32_t sources, bool cut_through, bool transaction,
		     bool both)
{
	struct bed bed;
	struct tr_error err = {""};

	sci_bed_open(&bed, network);
	bed.params.cut_through = cut_through;
	bed.params.transactions = transaction;
	bed.params.both = both;
	assert_int_equal(sci_clock(&bed.params, NS, &bed.ticks_per_s, &err), TR_OK);
	fill_pairs(&bed, sources, 64);
	for (int i = 0; i < 4; i++) {
		bed.params.go_bits = i / 2;
		sci_bed_run(&bed, sci_engines[i % 2], 0);
		check_alone(&bed, transaction);
	}
	sci_bed_close(&bed);
}

static void alone(const char *network, uint32_t sources, bool cut_through, bool transaction)
{
	for (int both = 0; both < 2; both++)
		alone_in(network, sources, cut_through, transaction, both);
}

static void alone_it_takes_what_the_closed_forms_say(void **state)
{
	const bool all = getenv("FLIT_LONG") != NULL;

	(void)state;
	for (int transaction = 0; transaction < 2; transaction++) {
		alone("ring:2", 2, false, transaction);
		alone("ring:9", 9, false, transaction);
		alone("torus:3x3", 9, true, transaction);
		alone("torus:2x5", 10, false, transaction);
		alone("torus:4x4x4", all ? 64 : 8, false, transaction);
		alone("torus:2x3x2x4", all ? 48 : 6, true, transaction);
		alone("torus:3x3x3x3", all ? 81 : 3, false, transaction);
	}
}

// A message of several packets takes as long, unless an echo or a response of its own gets in the
// way of a packet: that costs each packet an echo and its idle symbol, or a response's, at most at
// each node.
static void alone_it_takes_little_more_in_packets(void **state)
{
	static const uint32_t sizes[] = {1, 16, 17, 64, 65, 80, 128, 1000};
	struct bed bed;
	struct tr_error err = {""};

	(void)state;
	sci_bed_open(&bed, "torus:3x4");
	assert_int_equal(sci_clock(&bed.params, NS, &bed.ticks_per_s, &err), TR_OK);
	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
		fill_pairs(&bed, 12, sizes[k]);
		for (int i = 0; i < 4; i++) {
			bed.params.go_bits = i / 2;
			sci_bed_run(&bed, sci_engines[i % 2], 0);
			for (uint32_t m = 0; m < bed.count; m++) {
				const double ns = (double)(bed.fates[m].ticks -
							   bed.fates[m].created_ticks) *
						  NS / (double)bed.ticks_per_s;
				const double least_ns = sci_bed_closed_ns(&bed, &bed.messages[m],
									  false);

				assert_true(ns >= least_ns - 1e-6 &&
					    ns <= least_ns + (sizes[k] > 64 ? 45 * 5 : 1e-6));
			}
		}
	}
	sci_bed_close(&bed);
}

// By hand from eqs. 8 and 9 with the components of Table 1: a message of m bytes has the overhead
// o(m) = 2085 + 11.6 (m - 64) ns twice, the response to its last packet that of 64 bytes twice. A
// link takes 7 ns, a node 60, an agent 670. On a ring of nine, to the next node, the request takes
// 7 and the response 8 x 7 + 7 x 60 ns; across a 3 x 3 torus they take 4 x 7 + 2 x 60 + 670 and 2 x
// 7 + 670. Nothing is in the way: a response is ready o(64) later, its packet's echo is past by
// then.
static void a_transaction_of_packets_ends_with_the_last_response(void **state)
{
	static const struct {
		const char *network;
		uint32_t destination;
		uint32_t size_bytes;
		int64_t tenths_ns;
	} cases[] = {
		{"ring:9", 1, 64, 2 * 20850 + 70 + 2 * 20850 + 4760},
		{"ring:9", 1, 128, 2 * 28274 + 70 + 2 * 20850 + 4760},
		{"ring:9", 1, 300, 2 * 48226 + 70 + 2 * 20850 + 4760},
		{"torus:3x3", 8, 128, 2 * 28274 + 8180 + 2 * 20850 + 6840},
		{"torus:3x3", 8, 300, 2 * 48226 + 8180 + 2 * 20850 + 6840},
	};

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		struct bed bed;

		sci_bed_open(&bed, cases[k].network);
		bed.ticks_per_s = 10 * NS;
		bed.params.transactions = true;
		bed.messages[0] = (struct message){0, 0, cases[k].destination, cases[k].size_bytes};
		bed.count = 1;
		for (int i = 0; i < 4; i++) {
			bed.params.go_bits = i / 2;
			sci_bed_run(&bed, sci_engines[i % 2], 0);
			assert_int_equal(bed.fates[0].ticks, cases[k].tenths_ns);
		}
		sci_bed_close(&bed);
	}
}

// A ring by hand, in nanoseconds: links and nodes of 10 ns.
static void open_by_hand(struct bed *bed, int64_t symbol_ns, int64_t overhead_ns,
			 int64_t overhead_B_ns)
{
	sci_bed_open(bed, "ring:3");
	bed->ticks_per_s = NS;
	bed->params.overhead_s = (struct num_ratio){overhead_ns, NS};
	bed->params.overhead_B_s = (struct num_ratio){overhead_B_ns, NS};
	bed->params.propagation_s = bed->params.forwarding_s = (struct num_ratio){10, NS};
	bed->params.symbol_s = (struct num_ratio){symbol_ns, NS};
}

// By hand on a ring of three, no overheads, a symbol 2 ns, links and nodes of 10 ns. Node 0 sends
// to 1: 80 ns on link 6. The response starts at 90 on link 8, the echo behind it at 108; on link 10
// they start at 110 and 128. The response's echo is on link 6 at 138. Then nothing happens until
// 1000, which is one sample of each link behind a first, and node 0 sends again.
static void samples_count_symbols(void **state)
{
	static const struct {
		int64_t start_ticks;
		uint32_t link;
		int64_t busy_ticks;
		uint64_t symbols;
	} expected[] = {
		{0, 6, 25, 13},	 {25, 6, 25, 12},   {50, 6, 25, 13},  {75, 6, 5, 2},
		{75, 8, 10, 5},	 {100, 8, 14, 7},   {100, 10, 15, 8}, {125, 6, 8, 4},
		{125, 10, 9, 4}, {1000, 6, 20, 10},
	};
	static const uint32_t links[] = {6, 8, 10}; // of the ring, of the topology's twelve
	const uint32_t count = sizeof(links) / sizeof(*links);
	struct bed bed;

	(void)state;
	open_by_hand(&bed, 2, 0, 0);
	bed.messages[0] = (struct message){0, 0, 1, 64};
	bed.messages[1] = (struct message){1005, 0, 1, 64};
	bed.count = 2;
	bed.width_ticks = 25;
	bed.stop_ticks = 1025;
	for (int i = 0; i < 2; i++) {
		uint32_t found = 0;

		sci_bed_run(&bed, sci_engines[i], 0);
		assert_int_equal(bed.sample_count, 9 * count);
		for (uint32_t k = 0; k < bed.sample_count; k++) {
			const struct tr_link *sample = &bed.samples[k];

			assert_int_equal(sample->link, links[k % count]);
			assert_int_equal(sample->width_ticks, k / count == 7 ? 825 : 25);
			if (sample->busy_ticks == 0 && sample->characters == 0)
				continue;
			assert_int_equal(sample->start_ticks, expected[found].start_ticks);
			assert_int_equal(sample->link, expected[found].link);
			assert_int_equal(sample->busy_ticks, expected[found].busy_ticks);
			assert_int_equal(sample->characters, expected[found].symbols);
			found++;
		}
		assert_int_equal(found, sizeof(expected) / sizeof(*expected));
	}
	sci_bed_close(&bed);
}

// Agents that store wait for the last symbol where switching is faster than that; those that cut
// through do not.
static void agents_store_whole_packets(void **state)
{
	struct bed bed;

	(void)state;
	sci_bed_open(&bed, "torus:2x2");
	bed.ticks_per_s = NS;
	bed.params.overhead_B_s = (struct num_ratio){0, 1};
	bed.params.switching_s = (struct num_ratio){50, NS};
	bed.messages[0] = (struct message){0, 0, 3, 64};
	bed.count = 1;
	for (int cut_through = 0; cut_through < 2; cut_through++)
		for (int i = 0; i < 2; i++) {
			bed.params.cut_through = cut_through;
			sci_bed_run(&bed, sci_engines[i], 0);
			assert_int_equal(bed.fates[0].ticks,
					 2 * 2085 + 2 * 7 + (cut_through ? 50 : 200));
		}
	sci_bed_close(&bed);
}

// By hand on a ring of three, no overheads, a symbol a nanosecond, links and nodes of 10 ns. Node 0
// sends to 2 and node 1 to 2, at 20 ns, as the head of the other is at its output: what passes goes
// first, and 41 symbols later node 1 has its turn. Had it come a nanosecond earlier, the other
// would have waited in the bypass buffer.
static void what_passes_goes_first(void **state)
{
	struct bed bed;

	(void)state;
	open_by_hand(&bed, 1, 0, 0);
	bed.messages[0] = (struct message){0, 0, 2, 64};
	bed.messages[1] = (struct message){20, 1, 2, 64};
	bed.count = 2;
	for (int i = 0; i < 2; i++) {
		bed.messages[1].time_ticks = 20;
		sci_bed_run(&bed, sci_engines[i], 0);
		assert_int_equal(bed.fates[0].ticks, 20 + 10 + 40);
		assert_int_equal(bed.fates[1].injected_ticks, 20 + 41);
		assert_int_equal(bed.fates[1].ticks, 20 + 41 + 10 + 40);
		bed.messages[1].time_ticks = 19;
		sci_bed_run(&bed, sci_engines[i], 0);
		assert_int_equal(bed.fates[1].ticks, 19 + 10 + 40);
		assert_int_equal(bed.fates[0].ticks, 19 + 41 + 10 + 40);
	}
	sci_bed_close(&bed);
}

// By hand on a ring of three, with times counted from the end of the overheads of 1 us. Node 0
// sends two packets, A and B, to node 2, and node 1 two, C and D, just after A has begun to pass.
// Without go bits B is behind A as the output is free, and C and D follow. With them the idle
// symbol between A and B, at 60, says go, and C is first. B has waited for it, so the idle symbol
// behind C says stop, and that behind B, at 142, says go again; then comes D. At node 2 the echo of
// C is followed by stop from 121 on, so what node 2 has at 125 waits until the idle symbol behind
// the echo of B, at 162, says go.
static void go_bits_let_others_in(void **state)
{
	struct bed bed;

	(void)state;
	open_by_hand(&bed, 1, 1000, 0);
	bed.messages[0] = (struct message){0, 0, 2, 128};
	bed.messages[1] = (struct message){21, 1, 2, 128};
	bed.messages[2] = (struct message){125, 2, 0, 64};
	bed.count = 3;
	for (int i = 0; i < 4; i++) {
		const bool go = bed.params.go_bits = i / 2;

		sci_bed_run(&bed, sci_engines[i % 2], 0);
		assert_int_equal(bed.fates[0].injected_ticks, 1000);
		assert_int_equal(bed.fates[1].injected_ticks, 1000 + (go ? 61 : 102));
		assert_int_equal(bed.fates[2].injected_ticks, 1000 + (go ? 163 : 125));
		assert_int_equal(bed.fates[0].ticks, 2000 + (go ? 102 : 61) + 10);
		assert_int_equal(bed.fates[1].ticks, 2000 + 143 + 10);
	}
	sci_bed_close(&bed);
}

// By hand, likewise. Node 2 sends E and, 128 ns later, F to node 0. E's echo comes to node 1's
// output at 76, while that sends C to node 2, and waits until 111, so the idle symbol behind C says
// stop, and that behind the echo, at 115, go. At node 2 the echo of C is sent from 126 to 130 and
// stop follows; the other echo is taken off the ring; go comes at 135, and a symbol later F follows
// it.
static void a_packet_follows_a_whole_go(void **state)
{
	struct bed bed;

	(void)state;
	open_by_hand(&bed, 1, 1000, 2);
	bed.messages[0] = (struct message){0, 2, 0, 128};
	bed.messages[1] = (struct message){70, 1, 2, 64};
	bed.count = 2;
	for (int i = 0; i < 4; i++) {
		bed.params.go_bits = i / 2;
		sci_bed_run(&bed, sci_engines[i % 2], 0);
		assert_int_equal(bed.fates[0].ticks,
				 1000 + (bed.params.go_bits ? 136 : 131) + 10 + 1128);
	}
	sci_bed_close(&bed);
}

// On a ring of four, nodes 1 to 3 always send to each other, and node 0 to all. Returns the
// messages delivered by 50 us, and those from node 0.
static uint32_t send_past_node_0(struct bed *bed, const struct net_engine *engine, bool go_bits,
				 uint32_t *from_0)
{
	uint32_t all = 0;

	bed->params.go_bits = go_bits;
	sci_bed_run(bed, engine, 0);
	*from_0 = 0;
	for (uint32_t i = 0; i < bed->count; i++) {
		all += bed->fates[i].status == TR_DELIVERED;
		*from_0 += bed->fates[i].status == TR_DELIVERED && bed->messages[i].source == 0;
	}
	return all;
}

// What goes past node 0 never ends, so it sends nothing; with go bits it sends at least half as
// much as the mean node. That costs the ring part of its throughput.
static void go_bits_prevent_starvation(void **state)
{
	struct bed bed;

	(void)state;
	sci_bed_open(&bed, "ring:4");
	bed.ticks_per_s = NS;
	bed.params.overhead_s = bed.params.overhead_B_s = (struct num_ratio){0, 1};
	bed.stop_ticks = 50000;
	for (bed.count = 0; bed.count < 6000; bed.count++) {
		const uint32_t from = bed.count % 4, other = 1 + bed.count / 4 % 3;

		bed.messages[bed.count] = (struct message){
			0, from, from == other ? 1 + other % 3 : other, 64};
	}
	for (int i = 0; i < 2; i++) {
		uint32_t from_0;
		const uint32_t without = send_past_node_0(&bed, sci_engines[i], false, &from_0);
		uint32_t with;

		assert_true(from_0 <= 1);
		with = send_past_node_0(&bed, sci_engines[i], true, &from_0);
		assert_true(from_0 * 8 >= with);
		assert_true(with < without && with * 10 > without * 7);
	}
	sci_bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alone_it_takes_what_the_closed_forms_say),
		cmocka_unit_test(alone_it_takes_little_more_in_packets),
		cmocka_unit_test(a_transaction_of_packets_ends_with_the_last_response),
		cmocka_unit_test(samples_count_symbols),
		cmocka_unit_test(agents_store_whole_packets),
		cmocka_unit_test(what_passes_goes_first),
		cmocka_unit_test(go_bits_let_others_in),
		cmocka_unit_test(a_packet_follows_a_whole_go),
		cmocka_unit_test(go_bits_prevent_starvation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
