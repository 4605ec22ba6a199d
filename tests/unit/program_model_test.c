// SPDX-License-Identifier: GPL-3.0-or-later
// The family program: times of messages computed by hand, patterns by their pairs, and its text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "gen/families/program/program_times.h"
#include "model_run.h"
#include "value/memstream.h"

// A full packet takes 10 us of a port; a message of 2000 B is two of them.
#define HEAD \
	MODEL_FIRST_LINE "\nfamily program\nnodes 4\niterations 2\nsegment 1000 B\nheader 0 " \
			 "B\npace 10 us\n"
#define SCATTER "[scatter]\npattern scatter\nbytes 2000 B\nafter begin\n"
#define US_PER_S 1000000.0

static struct program_model model_from(const char *text)
{
	struct program_model parameters;
	struct model model;
	struct tr_error err = {""};

	model_of_text(&model, text);
	if (program_model_get(&model, &parameters, &err) != TR_OK)
		fail_msg("%s", err.text);
	model_clear(&model);
	return parameters;
}

static void open_times(struct program_times *times, struct program_model *parameters,
		       const char *text, uint32_t nodes)
{
	struct tr_error err = {""};

	*parameters = model_from(text);
	if (program_times_open(times, parameters, nodes, US_PER_S, 1, &err) != TR_OK)
		fail_msg("%s", err.text);
}

static void close_times(struct program_times *times, struct program_model *parameters)
{
	program_times_close(times);
	program_model_clear(parameters);
}

// begin and end in us, message by message.
static void check_times(const struct program_times *times, uint32_t first, uint32_t count,
			const int64_t expected[][2])
{
	for (uint32_t m = 0; m < count; m++) {
		assert_int_equal(times->sent[first + m].begin_ticks, expected[m][0]);
		assert_int_equal(times->sent[first + m].end_ticks, expected[m][1]);
	}
}

// The controller's port sends one message after the other; a worker answers 100 us after its
// message, and the controller's port takes the answers one by one: the second and third are ready
// just when the one before has passed.
static void ports_serialise(void **state)
{
	static const int64_t there[][2] = {{0, 10}, {20, 30}, {40, 50}};
	static const int64_t back[][2] = {{110, 120}, {130, 140}, {150, 160}};
	static const int64_t again[][2] = {{1160, 1170}, {1180, 1190}, {1200, 1210}};
	struct program_model parameters;
	struct program_times times;

	(void)state;
	open_times(&times, &parameters,
		   HEAD "silence 1 ms\n" SCATTER
			"[gather]\npattern gather\nbytes 2000 B\nafter all\ncompute 100 us\n",
		   4);
	assert_int_equal(times.plan.list.count, 6);
	assert_int_equal(program_times_next(&times), TR_OK);
	check_times(&times, 0, 3, there);
	check_times(&times, 3, 3, back);
	assert_int_equal(program_times_next(&times), TR_OK);
	check_times(&times, 0, 3, again);
	close_times(&times, &parameters);
}

// A request, its grant 5 us later, the first packet 5 us after that; the next request when the
// message has passed.
static void rendezvous_waits_for_grants(void **state)
{
	static const int64_t expected[][2] = {{10, 20}, {30, 40}, {50, 60}};
	struct program_model parameters;
	struct program_times times;

	(void)state;
	open_times(&times, &parameters,
		   HEAD "eager 2000 B\nrequest 40 B\ngrant 64 B\nturn 5 us\n" SCATTER, 4);
	assert_int_equal(program_times_next(&times), TR_OK);
	check_times(&times, 0, 3, expected);
	for (uint32_t m = 0; m < 3; m++) {
		assert_int_equal(times.sent[m].request_ticks, 20 * m);
		assert_int_equal(times.sent[m].grant_ticks, 20 * m + 5);
	}
	close_times(&times, &parameters);
}

// A bucket of two packets: an idle port sends two 1 us apart; then, filled by a packet in 10 us,
// one each. After 100 us the workers' ports are idle as well.
static void idle_ports_burst(void **state)
{
	static const int64_t expected[][2] = {{0, 1},	  {10, 20},   {30, 40},
					      {101, 102}, {120, 121}, {140, 141}};
	struct program_model parameters;
	struct program_times times;

	(void)state;
	open_times(&times, &parameters,
		   HEAD "burst 2000 B\npair-gap 1 us\n" SCATTER
			"[gather]\npattern gather\nbytes 2000 B\nafter all\ncompute 100 us\n",
		   4);
	assert_int_equal(program_times_next(&times), TR_OK);
	check_times(&times, 0, 6, expected);
	close_times(&times, &parameters);
}

// The receiver grants its first request after a turn of 5 us, each later one 20 us after the
// message before; and goes on 3 us after the last one, which ends at 90 us.
static void receivers_take_messages(void **state)
{
	static const int64_t expected[][2] = {{10, 20}, {45, 55}, {80, 90}, {93, 93}};
	struct program_model parameters;
	struct program_times times;

	(void)state;
	open_times(&times, &parameters,
		   HEAD "eager 2000 B\nrequest 40 B\ngrant 64 B\nturn 5 us\ntake 20 us\nlag 3 us\n"
			"[gather]\npattern gather\nbytes 2000 B\nafter begin\n"
			"[next]\npattern pairs\npair 0 1\nbytes 10 B\n",
		   4);
	assert_int_equal(program_times_next(&times), TR_OK);
	check_times(&times, 0, 4, expected);
	close_times(&times, &parameters);
}

// In turns, what is after an exchange waits for both of its messages, but a message without a grant
// is out of its sender's hands at once and waits for its ports alone. Rank 3 sends 0 a message of
// 5000 B (0 .. 40 us) before.
static void turns_wait_for_partners(void **state)
{
	// Turn 1: 0 sends to 1 when it has its message; 1 to 0 at once, but that port takes until
	// 40 us; 2 to 3 at once; 3 to 2 when its port is free. Turn 2: 0 to 2 and 2 to 0 after what
	// came at 60 us; 1 to 3 after 50 us and 3 to 1 after 10 us, but their ports are busy until
	// 60 us.
	static const int64_t expected[][2] = {{40, 50}, {50, 60}, {0, 10},  {50, 60},
					      {70, 80}, {70, 80}, {70, 80}, {70, 80}};
	struct program_model parameters;
	struct program_times times;

	(void)state;
	open_times(&times, &parameters,
		   HEAD "[first]\npattern pairs\npair 3 0\nbytes 5000 B\n[exchange]\npattern "
			"butterfly\nbytes 2000 B\n",
		   4);
	assert_int_equal(program_times_next(&times), TR_OK);
	assert_int_equal(times.sent[0].end_ticks, 40);
	check_times(&times, 1, 8, expected);
	close_times(&times, &parameters);
}

// What is after peer waits for that peer alone, what is after send for the sender's last message
// alone.
static void causes_are_told_apart(void **state)
{
	static const int64_t peer[][2] = {{17, 27}, {37, 47}, {57, 67}}, send[][2] = {{17, 27}};
	struct program_model parameters;
	struct program_times times;

	(void)state;
	open_times(&times, &parameters,
		   HEAD SCATTER "[back]\npattern gather\nbytes 2000 B\nafter peer\ncompute 7 us\n",
		   4);
	assert_int_equal(program_times_next(&times), TR_OK);
	check_times(&times, 3, 3, peer);
	close_times(&times, &parameters);
	// 1 receives from 0 until 90 us, but that does not delay what it sends after its own
	// message.
	open_times(&times, &parameters,
		   HEAD "[a]\npattern pairs\npair 0 1\nbytes 10000 B\n[b]\npattern pairs\npair 1 "
			"2\nbytes 10 B\nafter peer\n"
			"[c]\npattern pairs\npair 1 3\nbytes 2000 B\nafter send\ncompute 17 us\n",
		   4);
	assert_int_equal(program_times_next(&times), TR_OK);
	assert_int_equal(times.sent[0].end_ticks, 90);
	check_times(&times, 2, 1,
		    (const int64_t(*)[2])(const int64_t[][2]){
			    {times.sent[1].begin_ticks + send[0][0],
			     times.sent[1].begin_ticks + send[0][1]}});
	close_times(&times, &parameters);
}

// Number of messages of a pattern, and that none is sent twice in a turn.
static uint32_t count_messages(const char *lines, uint32_t nodes)
{
	struct program_model parameters;
	struct program_list list;
	struct tr_error err = {""};
	char text[400];
	uint32_t count;

	(void)snprintf(text, sizeof(text), HEAD "[x]\nbytes 1 B\n%s", lines);
	parameters = model_from(text);
	if (program_list_make(&list, &parameters, nodes, &err) != TR_OK)
		fail_msg("%s", err.text);
	for (uint32_t m = 0; m < list.count; m++) {
		assert_true(list.messages[m].src != list.messages[m].dst);
		assert_true(list.messages[m].src < nodes && list.messages[m].dst < nodes);
		for (uint32_t n = 0; n < m; n++)
			assert_false(list.messages[m].turn == list.messages[n].turn &&
				     list.messages[m].src == list.messages[n].src);
	}
	count = list.count;
	program_list_clear(&list);
	program_model_clear(&parameters);
	return count;
}

static void patterns_have_their_messages(void **state)
{
	(void)state;
	assert_int_equal(count_messages("pattern scatter\n", 7), 6);
	assert_int_equal(count_messages("pattern gather\n", 7), 6);
	assert_int_equal(count_messages("pattern broadcast\n", 7), 6);
	assert_int_equal(count_messages("pattern reduce\n", 7), 6);
	assert_int_equal(count_messages("pattern pairwise\n", 8), 56);
	assert_int_equal(count_messages("pattern pairwise\ndirection down\n", 8), 56);
	assert_int_equal(count_messages("pattern linear\n", 7), 42);
	assert_int_equal(count_messages("pattern butterfly\n", 8), 24);
	assert_int_equal(count_messages("pattern ring\nrounds p-1\n", 5), 20);
	assert_int_equal(count_messages("pattern halo\n", 12), 48);
	assert_int_equal(count_messages("pattern halo\nedges open\ngrid 3x4\n", 12),
			 34); // 2 (2 x 4 + 3 x 3)
	assert_int_equal(count_messages("pattern halo\nedges open\ngrid 3x4\nalong rows\n", 12),
			 18); // 2 x 3 x 3
	assert_int_equal(count_messages("pattern halo\nalong columns\n", 12), 24);
	assert_int_equal(count_messages("pattern pairs\npair 0 2\npair 2 1\n", 3), 2);
}

// A broadcast reaches everybody after ceil(log2 p) turns, and only who has the data sends.
static void broadcast_spreads(void **state)
{
	(void)state;
	for (uint32_t nodes = 2; nodes < 20; nodes++) {
		struct program_model parameters = model_from(HEAD
							     "[x]\nbytes 1 B\npattern broadcast\n");
		bool has[20] = {true};
		struct program_list list;
		struct tr_error err = {""};

		assert_int_equal(program_list_make(&list, &parameters, nodes, &err), TR_OK);
		for (uint32_t m = 0; m < list.count; m++) {
			assert_true(has[list.messages[m].src]);
			assert_false(has[list.messages[m].dst]);
			has[list.messages[m].dst] = true;
		}
		assert_int_equal(list.count, nodes - 1);
		program_list_clear(&list);
		program_model_clear(&parameters);
	}
}

static char *text_of(const struct model *model)
{
	char *text = NULL;
	size_t bytes;
	struct tr_error err;
	FILE *out = tr_memstream_open(&text, &bytes);

	assert_non_null(out);
	assert_int_equal(model_write(model, out, &err), TR_OK);
	assert_true(tr_memstream_close(out));
	return text;
}

// Written and read again, a model is the same.
static void text_is_read_back(void **state)
{
	struct program_model a = model_from(
		HEAD "problem 256\nsilence 1 ms\nsilence-law gamma 2\nburst 2000 B\npairs 30 "
		     "%\npair-gap 1 "
		     "us\nstalls 5 %\nstall 2 ms\nacks 0.5\nack-delay 3 us\n"
		     "envelope 22 B\nback-to-back joined\n"
		     "eager 64 KiB\nrequest 40 B\ngrant 64 B\nend 34 B\nturn 9 "
		     "us\ntake 7 us\nlag 3 us\n" SCATTER
		     "[x]\npattern halo\ngrid 2x2\nedges open\nbytes 8 B N^2 "
		     "p^-1.5\nafter peer\norder in-turn\n"
		     "compute 3 ms p\nbetween 1 ms\nbetween-law lognormal 1.2\n[y]\npattern "
		     "ring\nrounds p-1\ndirection down\n"
		     "bytes 8 B\nafter send\n[z]\npattern pairs\npair 0 1\nbytes 0 B\n");
	struct model first = {.name = NULL}, second = {.name = NULL};
	struct program_model b;
	char *x, *y;

	(void)state;
	assert_true(program_phase_bytes(&a, &a.phases[1], 4) == 65536); // 8 x 65536 / 8
	program_model_put(&first, &a, NULL);
	x = text_of(&first);
	b = model_from(x);
	program_model_put(&second, &b, NULL);
	y = text_of(&second);
	assert_string_equal(x, y);
	free(x);
	free(y);
	model_clear(&first);
	model_clear(&second);
	program_model_clear(&a);
	program_model_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ports_serialise),
		cmocka_unit_test(rendezvous_waits_for_grants),
		cmocka_unit_test(idle_ports_burst),
		cmocka_unit_test(receivers_take_messages),
		cmocka_unit_test(turns_wait_for_partners),
		cmocka_unit_test(causes_are_told_apart),
		cmocka_unit_test(patterns_have_their_messages),
		cmocka_unit_test(broadcast_spreads),
		cmocka_unit_test(text_is_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
