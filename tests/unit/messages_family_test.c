// SPDX-License-Identifier: GPL-3.0-or-later
// Messages by iteration: packets of messages by hand, and a model that comes back from the packets
// that it generates.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/messages/messages_model.h"
#include "model_run.h"

#define HEAD MODEL_FIRST_LINE "\nfamily messages\nsegment 1000 B\nheader 50 B\n"
#define NANOSECONDS UINT64_C(1000000000)
#define PACKETS_MAX 400000

static struct model_run generate(const char *text, uint64_t seed)
{
	const struct generator_settings settings = {.seed = seed, .ticks_per_s = NANOSECONDS};
	const struct model_run run = model_run(text, &settings, 100, PACKETS_MAX);

	for (size_t i = 0; i < run.count; i++) {
		assert_true(i == 0 || run.packets[i].time_ticks >= run.packets[i - 1].time_ticks);
		assert_int_equal(run.packets[i].id, i);
		assert_int_equal(run.packets[i].wire_bytes, run.packets[i].payload_bytes + 50);
	}
	return run;
}

struct expected {
	int64_t time_us;
	uint32_t src, payload_B;
};

// A requested message of three packets, each acknowledged, and a small one the other way.
static void packets_of_two_messages(void **state)
{
	static const struct expected expected[] = {
		{0, 0, 40},  {90, 1, 64},  {100, 0, 1000}, {105, 1, 0},	  {200, 0, 1000},
		{205, 1, 0}, {250, 1, 10}, {255, 0, 0},	   {300, 0, 500}, {305, 1, 0}};
	struct model_run run = generate(
		HEAD
		"nodes 2\nduration 1 ms\nacknowledge 1\nacknowledge-after 5 us\nrequest 40 B\n"
		"answer 64 B\nanswer-before 10 us\n[iteration 1]\nlasts 500 us\nsilence 500 us\n"
		"send 1>0 10 B at 250 us\nsend 0>1 2500 B at 0 s after 100 us for 200 us\n",
		1);

	(void)state;
	assert_int_equal(run.count, sizeof(expected) / sizeof(*expected));
	for (size_t i = 0; i < run.count; i++) {
		assert_int_equal(run.packets[i].time_ticks, 1000 * expected[i].time_us);
		assert_int_equal(run.packets[i].src, expected[i].src);
		assert_int_equal(run.packets[i].dst, 1 - expected[i].src);
		assert_int_equal(run.packets[i].payload_bytes, expected[i].payload_B);
	}
	free(run.packets);
}

// Half of the 7 gaps after the first are short: 3 or 4, never two in a row; the message takes its
// time all the same.
static void pairs_are_spread_and_keep_the_time(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct model_run run = generate(
			HEAD "nodes 2\nduration 1 ms\npairs 50 %\npair-gap 2 us\npace 10 us\n[x]\n"
			     "lasts 1 ms\nsend 0>1 9000 B at 0 s for 800 us\n",
			seed);
		unsigned shorts = 0;

		assert_int_equal(run.count, 9);
		assert_int_equal(run.packets[8].time_ticks, 800000);
		for (size_t i = 1; i < 9; i++) {
			const bool is_short = run.packets[i].time_ticks -
						      run.packets[i - 1].time_ticks ==
					      2000;

			shorts += is_short;
			assert_false(is_short &&
				     (i == 1 || run.packets[i - 1].time_ticks -
								run.packets[i - 2].time_ticks ==
							2000));
		}
		assert_in_range(shorts, 3, 4);
		free(run.packets);
	}
}

// 8 gaps of 10 us and 60 us that are left: two stalls of 30 us make two gaps 40 us long.
static void stalls_take_what_is_left(void **state)
{
	struct model_run run = generate(
		HEAD "nodes 2\nduration 1 ms\npace 10 us\nstall 25 us\n[x]\nlasts 1 ms\n"
		     "send 0>1 9000 B at 0 s for 140 us\n",
		3);
	unsigned longs = 0;

	(void)state;
	assert_int_equal(run.packets[8].time_ticks, 140000);
	for (size_t i = 1; i < 9; i++) {
		const int64_t gap_ticks = run.packets[i].time_ticks - run.packets[i - 1].time_ticks;

		assert_true(gap_ticks == 10000 || gap_ticks == 40000);
		longs += gap_ticks == 40000;
	}
	assert_int_equal(longs, 2);
	free(run.packets);
}

#define TWO \
	HEAD "nodes 3\nduration 20 s\npace 10 us\n[begin]\nlasts 1 ms\nsilence 5 ms\nonce " \
	     "yes\nsend 0>1 70 B at 0 s\n" \
	     "[a]\nlasts 1 ms\nsilence 1 ms\nsend 1>2 3000 B at 100 us\n[b]\nlasts 1 ms\nsilence " \
	     "3 ms\nsend 2>1 10 B at 0 s\n"

// What comes once comes first; then both others in turns of 6 ms, in random order in each: as often
// as one another.
static void iterations_follow_in_random_order(void **state)
{
	struct model_run run = generate(TWO, 5), again = generate(TWO, 5), other = generate(TWO, 6);
	size_t counts[3] = {0};

	(void)state;
	assert_int_equal(run.count, again.count);
	assert_memory_equal(run.packets, again.packets, run.count * sizeof(*run.packets));
	assert_true(run.count != other.count ||
		    memcmp(run.packets, other.packets, run.count * sizeof(*run.packets)) != 0);
	assert_int_equal(run.packets[0].payload_bytes, 70);
	assert_true(run.packets[1].time_ticks == 6000000 || run.packets[1].time_ticks == 6100000);
	for (size_t i = 0; i < run.count; i++) {
		counts[run.packets[i].payload_bytes == 1000 ? 0
		       : run.packets[i].payload_bytes == 10 ? 1
							    : 2]++;
		assert_true(fabs((double)counts[0] / 3 - (double)counts[1]) <= 1);
	}
	assert_int_equal(counts[2], 1);
	// 19.994 s are 3332 turns and 2 ms.
	assert_in_range(counts[0], 3 * 3332, 3 * 3333);
	assert_in_range(counts[1], 3332, 3333);
	free(run.packets);
	free(again.packets);
	free(other.packets);
}

// A short first gap is not followed by another one.
static void packets_come_in_twos(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct model_run run = generate(
			HEAD
			"nodes 2\nduration 1 ms\npairs 40 %\nfirst-pairs 100 %\npair-gap 2 us\n"
			"pace 10 us\n[x]\nlasts 1 ms\nsend 0>1 9000 B at 0 s for 800 us\n",
			seed);

		assert_int_equal(run.packets[1].time_ticks, 2000);
		for (size_t i = 2; i < 9; i++)
			assert_false(
				run.packets[i].time_ticks - run.packets[i - 1].time_ticks == 2000 &&
				run.packets[i - 1].time_ticks - run.packets[i - 2].time_ticks ==
					2000);
		free(run.packets);
	}
}

// Three acknowledgements evenly between 5 and 25 us after the data begin at 7 us; a tail 4 us after
// the packet before.
static void acknowledgements_and_tails_have_their_times(void **state)
{
	static const int64_t data_us[] = {7, 17, 21}, acknowledged_us[] = {12, 22, 32};
	struct model_run run = generate(
		HEAD "nodes 2\nduration 1 ms\npace 10 us\ntail-gap 4 us\nacknowledge 1\n[x]\nlasts "
		     "1 ms\n"
		     "send 0>1 2500 B at 0 s after 7 us for 14 us acked 3 after 5 us for 20 us\n",
		1);
	size_t data = 0, acknowledged = 0;

	(void)state;
	assert_int_equal(run.count, 6);
	for (size_t i = 0; i < run.count; i++)
		assert_int_equal(run.packets[i].time_ticks,
				 1000 * (run.packets[i].payload_bytes > 0
						 ? data_us[data++]
						 : acknowledged_us[acknowledged++]));
	assert_int_equal(data, 3);
	free(run.packets);
}

static void wrong_models_are_refused(void **state)
{
	(void)state;
	model_run_refused(HEAD "nodes 2\n",
			  "t.model: expected at least one section, such as [iteration 1]");
	model_run_refused(HEAD "nodes 2\n[x]\nlasts 1 s\n", "t.model:6: [x] sends nothing");
	model_run_refused(HEAD "nodes 2\n[x]\nlasts 1 s\nsend 0>0 1 B at 0 s\n",
			  "t.model:8: send: node 0 cannot send to itself");
	model_run_refused(HEAD "nodes 2\n[x]\nlasts 1 s\nsend 0>1 1 B\n",
			  "t.model:8: send: the time is missing, such as at 12.3 ms");
	model_run_refused(HEAD "nodes 2\n[x]\nlasts 1 s\nsend 0>1 1 B at 2 s\n",
			  "t.model:8: send: it begins after the iteration, which lasts 1 s");
	model_run_refused(
		HEAD "nodes 2\n[x]\nlasts 1 s\npart 0>1 1001 B at 0 s\n",
		"t.model:8: part: without the time after \"for\" the model needs the key pace");
	model_run_refused(HEAD "nodes 2\n[x]\nlasts 1 s\nsend 0>1 1 B at 0 s acked many\n",
			  "t.model:8: send: 'many' is not a whole number from 0 to 1000000000");
	model_run_refused(HEAD "nodes 2\n[x]\nlasts 0 s\nsend 0>1 1 B at 0 s\n",
			  "t.model: no iteration is repeated, or they take no time");
	model_run_refused(
		HEAD "nodes 2\nacknowledge 0.5\n[x]\nlasts 1 s\nsend 0>1 1 B at 0 s\n",
		"t.model:6: acknowledge: expected 0, or 1 packet or more for each acknowledgement");
}

// A sample of the packets that a model generates.
static void take_sample(struct packet_sample *sample, const struct model_run *run)
{
	static const enum tr_role roles[4] = {TR_ROLE_CONTROLLER, TR_ROLE_WORKER, TR_ROLE_WORKER,
					      TR_ROLE_WORKER};
	struct tr_error err;

	*sample = (struct packet_sample){.ticks_per_s = (double)NANOSECONDS};
	for (size_t i = 0; i < run->count; i++)
		assert_int_equal(packet_sample_add(sample, &run->packets[i], &err), TR_OK);
	assert_int_equal(packet_sample_settle(sample, roles, 4, &err), TR_OK);
}

static void fit_model(const struct packet_sample *sample, struct messages_model *out, char *method)
{
	const struct fit_options options = {.trace = NULL};
	struct model text = {.name = NULL};
	struct fit_notes notes = {.freedom = 0};
	struct tr_error err = {""};

	if (messages_fit.fit(&messages_family, sample, &options, &text, &notes, &err) != TR_OK ||
	    messages_model_get(&text, out, &err) != TR_OK)
		fail_msg("%s", err.text);
	(void)snprintf(method, FIT_NOTE_BYTES, "%s", notes.method);
	model_clear(&text);
}

#define ROUND_TRIP \
	HEAD "nodes 4\nduration 20 s\npace 10 us\nacknowledge 2\nacknowledge-after 3 us\nrequest " \
	     "40 B\nanswer 64 B\nanswer-before 12 us\n" \
	     "[a]\nlasts 30 ms\nsilence 200 ms\nsend 0>1 20056 B at 0 s after 100 us\nsend 0>2 " \
	     "20056 B at 400 us after 60 us for 300 us\n" \
	     "send 1>2 3300 B at 10 ms\nsend 2>3 3300 B at 10 ms\nsend 3>1 3300 B at 10.01 " \
	     "ms\nsend 1>0 20056 B at 29.5 ms after 70 us\n"

// The iterations that are fitted have the model's messages, at their times (to 10 us: the text has
// six digits).
static void a_model_comes_back_from_its_packets(void **state)
{
	struct model_run run = generate(ROUND_TRIP, 7);
	struct messages_model given, fitted;
	struct packet_sample sample;
	struct model text;
	struct tr_error err;
	char method[FIT_NOTE_BYTES];

	(void)state;
	model_of_text(&text, ROUND_TRIP);
	assert_int_equal(messages_model_get(&text, &given, &err), TR_OK);
	take_sample(&sample, &run);
	fit_model(&sample, &fitted, method);
	assert_true(strstr(
		method, "iterations that silences of the network separate, 100 % of them alike"));
	assert_int_equal(fitted.nodes, 4);
	assert_int_equal(fitted.controllers, 1);
	assert_true(fitted.segment_B == 1000 && fitted.header_B == 50 && fitted.request_B == 40 &&
		    fitted.answer_B == 64);
	assert_true(fabs(fitted.pace_s - 10e-6) < 1e-9 && fitted.pairs == 0);
	assert_true(fabs(fitted.acknowledge - 2) < 0.05 &&
		    fabs(fitted.acknowledge_after_s - 3e-6) < 1e-9);
	assert_true(fitted.iteration_count >= 80);
	for (size_t i = 0; i < fitted.iteration_count; i++) {
		const struct messages_iteration *iteration = &fitted.iterations[i];

		assert_int_equal(iteration->end - iteration->first, given.send_count);
		assert_true(iteration->silence_s >
			    0.19); // also after the last one, with which the trace ends
		for (size_t k = 0; k < given.send_count; k++) {
			const struct messages_send *a = &given.sends[k],
						   *b = &fitted.sends[iteration->first + k];

			assert_int_equal(a->src, b->src);
			assert_int_equal(a->dst, b->dst);
			assert_int_equal(a->size_B, b->size_B);
			assert_true(fabs(a->at_s - b->at_s) < 10e-6 &&
				    fabs(a->wait_s - b->wait_s) < 10e-6);
			assert_true(fabs(a->flow_s - b->flow_s) < 10e-6);
			// Every other packet, from a random phase.
			assert_true(fabs((double)b->acknowledged -
					 0.5 * (double)messages_packets(&given, a)) < 1);
		}
	}
	packet_sample_clear(&sample);
	messages_model_clear(&given);
	messages_model_clear(&fitted);
	model_clear(&text);
	free(run.packets);
}

// A message of two packets of 700 B in a network whose largest have 1000 B comes as it was: in two
// parts. All silences together take as long as the trace.
static void packets_keep_their_sizes(void **state)
{
	struct model_run run = generate(
		HEAD "nodes 3\nduration 20 s\npace 10 us\n[a]\nlasts 30 ms\nsilence 200 ms\n"
		     "send 0>1 700 B at 0 s\nsend 0>1 700 B at 20 us\nsend 1>2 5000 B at 10 ms\n",
		1);
	struct messages_model fitted;
	struct packet_sample sample;
	char method[FIT_NOTE_BYTES];
	double lasts_s = 0;
	size_t parts = 0;

	(void)state;
	take_sample(&sample, &run);
	fit_model(&sample, &fitted, method);
	assert_int_equal(fitted.send_count, 3 * fitted.iteration_count);
	for (size_t i = 0; i < fitted.send_count; i++) {
		assert_int_equal(fitted.sends[i].size_B, fitted.sends[i].src == 0 ? 700 : 5000);
		assert_true(fitted.sends[i].acknowledged == 0);
		parts += fitted.sends[i].part;
	}
	assert_int_equal(parts, fitted.iteration_count);
	for (size_t i = 0; i < fitted.iteration_count; i++)
		lasts_s += fitted.iterations[i].lasts_s + fitted.iterations[i].silence_s;
	assert_true(fabs(lasts_s - packet_sample_seconds(&sample)) < 1e-4);
	packet_sample_clear(&sample);
	messages_model_clear(&fitted);
	free(run.packets);
}

// Packets that follow no one another: nothing to fit.
static void lone_packets_are_no_messages(void **state)
{
	struct model_run run = generate(
		HEAD "nodes 4\nduration 1 s\n[x]\nlasts 1 ms\nsilence 9 ms\nsend 0>1 90 B at 0 s\n"
		     "send 1>2 80 B at 1 ms\n",
		1);
	const struct fit_options options = {.trace = NULL};
	struct fit_notes notes = {.freedom = 0};
	struct model text = {.name = NULL};
	struct packet_sample sample;
	struct tr_error err;

	(void)state;
	take_sample(&sample, &run);
	assert_int_equal(messages_fit.fit(&messages_family, &sample, &options, &text, &notes, &err),
			 TR_ERROR);
	assert_string_equal(err.text,
			    "no messages: only 0 % of the bytes are in trains of packets");
	packet_sample_clear(&sample);
	model_clear(&text);
	free(run.packets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_of_two_messages),
		cmocka_unit_test(pairs_are_spread_and_keep_the_time),
		cmocka_unit_test(stalls_take_what_is_left),
		cmocka_unit_test(iterations_follow_in_random_order),
		cmocka_unit_test(wrong_models_are_refused),
		cmocka_unit_test(a_model_comes_back_from_its_packets),
		cmocka_unit_test(packets_keep_their_sizes),
		cmocka_unit_test(lone_packets_are_no_messages),
		cmocka_unit_test(packets_come_in_twos),
		cmocka_unit_test(acknowledgements_and_tails_have_their_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
