// SPDX-License-Identifier: GPL-3.0-or-later
// Clients and servers: the traffic matrix compared with the shares of Qiao 1997, think times,
// replies.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/client_server/client_server.h"
#include "model_run.h"

#define HEAD MODEL_FIRST_LINE "\nfamily client-server\nrate 8 Mb/s\nsize 1000 B\nheader 10 B\n"
// Chapter 3: 75 nodes, 4 servers, a client sends half of its packets to them; chapter 4: three
// quarters.
#define GLOBAL(share, rest) \
	HEAD "load 1 %\nduration 4000 s\n[servers]\nnodes 4\nto all 100 %\n[clients]\nnodes " \
	     "71\nto servers " share "\nto own " rest "\n"
#define NANOSECONDS UINT64_C(1000000000)
#define PACKETS_MAX 2000000

static struct model_run generate(const char *text, uint64_t seed, uint32_t nodes, size_t max)
{
	const struct generator_settings settings = {
		.seed = seed, .ticks_per_s = NANOSECONDS, .nodes = nodes};
	const struct model_run run = model_run(text, &settings, 100, max);

	for (size_t i = 0; i < run.count; i++) {
		assert_true(i == 0 || run.packets[i].time_ticks >= run.packets[i - 1].time_ticks);
		assert_int_equal(run.packets[i].id, i);
		assert_int_not_equal(run.packets[i].src, run.packets[i].dst);
	}
	return run;
}

// Each node's share of another's packets, by hand: p / servers, the rest / (clients - 1), 1 /
// (nodes - 1).
static void check_shares(const char *text, double to_server, double to_client)
{
	struct client_server parameters;
	struct model model;
	struct tr_error err = {""};

	model_of_text(&model, text);
	if (client_server_get(&model, &parameters, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_true(fabs(client_server_share(&parameters, 1, 0) - to_server) < 1e-12);
	assert_true(fabs(client_server_share(&parameters, 1, 1) - to_client) < 1e-12);
	assert_true(fabs(client_server_share(&parameters, 0, 1) -
			 1 / ((double)parameters.nodes - 1)) < 1e-12);
	assert_true(fabs(client_server_share(&parameters, 0, 0) -
			 1 / ((double)parameters.nodes - 1)) < 1e-12);
	client_server_clear(&parameters);
	model_clear(&model);
}

// Sections 3.1, 4.7.1 and 5.6 of the thesis.
static void shares_are_those_of_the_thesis(void **state)
{
	(void)state;
	check_shares(GLOBAL("50 %", "50 %"), 0.5 / 4, 0.5 / 70);
	check_shares(GLOBAL("75 %", "25 %"), 0.75 / 4, 0.25 / 70);
	check_shares(HEAD "load 1 %\n[servers]\nnodes 2\nto all 100 %\n[clients]\nnodes 68\nto "
			  "servers 200/3 %\nto own 100/3 %\n",
		     2.0 / 3 / 2, 1.0 / 3 / 67);
}

// Where a client's packets go, against these shares: chi-square over the 74 others, above 116.1 (73
// degrees of freedom) in one of a thousand; and where a server's do.
static void packets_go_by_the_shares(void **state)
{
	struct model_run run = generate(GLOBAL("75 %", "25 %"), 4, 0, PACKETS_MAX);
	double count[2][75] = {{0}}, all[2] = {0}, chi[2] = {0};

	(void)state;
	for (size_t i = 0; i < run.count; i++)
		if (run.packets[i].src == 20 || run.packets[i].src == 2) {
			const int server = run.packets[i].src == 2;

			count[server][run.packets[i].dst]++;
			all[server]++;
		}
	assert_true(all[0] > 10000 && all[1] > 10000);
	for (int node = 0; node < 75; node++) {
		const double client = all[0] * (node < 4 ? 0.75 / 4 : 0.25 / 70),
			     server = all[1] / 74;

		chi[0] += node == 20 ? 0 : pow(count[0][node] - client, 2) / client;
		chi[1] += node == 2 ? 0 : pow(count[1][node] - server, 2) / server;
	}
	assert_true(chi[0] < 116.1);
	assert_true(chi[1] < 116.1);
	free(run.packets);
}

// Nobody waits: a packet of 1010 bytes at 1 byte/us and 500 us on average: 1510 us. Gaps less 1010
// us are exponential: their mean and deviation are 500 us, within four of their own deviations (of
// 60,000 gaps).
static void clients_think_after_a_message_has_left(void **state)
{
	struct model_run run = generate(
		HEAD "think 500 us\nduration 100 s\n[a]\nnodes 3\nto own 100 %\n", 8, 0,
		PACKETS_MAX);
	double sum = 0, squares = 0, n = 0;
	int64_t last = -1;

	(void)state;
	for (size_t i = 0; i < run.count; i++) {
		if (run.packets[i].src != 1)
			continue;
		if (last >= 0) {
			const double gap_us = (double)(run.packets[i].time_ticks - last) / 1000;

			assert_true(gap_us > 1009.99);
			sum += gap_us - 1010;
			squares += (gap_us - 1010) * (gap_us - 1010);
			n++;
		}
		last = run.packets[i].time_ticks;
	}
	assert_true(n > 60000);
	assert_true(fabs(sum / n - 500) < 4 * 500 / sqrt(n));
	assert_true(fabs(sqrt(squares / n) - sqrt(2) * 500) < 4 * 700 / sqrt(n));
	free(run.packets);
}

// One client and one server without think time: a cycle is request, service, answer, all of them
// constant but the service: 1010 us + 2 ms + 2010 us on average; answers follow their requests and
// are of their own size.
static void answers_follow_requests(void **state)
{
	struct model_run run = generate(HEAD
					"think 0 s\nduration 100 s\n[client]\nto server 100 %\n"
					"[server]\nload 0 %\nreply 2000 B\nservice 2 ms\n",
					8, 0, PACKETS_MAX);

	(void)state;
	assert_true(fabs((double)run.count - 2 * 100 / 5.02e-3) < 4 * sqrt(2 * 100 / 5.02e-3));
	for (size_t i = 0; i < run.count; i++) {
		const struct tr_packet *p = &run.packets[i];

		assert_int_equal(p->src, i % 2);
		assert_int_equal(p->payload_bytes, i % 2 ? 2000 : 1000);
		assert_true(i == 0 ||
			    p->time_ticks - p[-1].time_ticks >= (i % 2 ? 1010 : 2010) * 1000 - 1);
	}
	free(run.packets);
}

// A server answers one after the other: asked half as often as it can answer, a request waits as in
// an M/G/1 queue (Pollaczek and Khinchin): rate E S^2 / (2 (1 - rate E S)), with S the exponential
// service of 1 ms and the answer's 1.01 ms on the link. Answers leave in the order of the requests,
// a request's 11 us and its wait and service after it; the mean of 400,000 is within 3 %.
static void servers_queue(void **state)
{
	struct model_run run = generate(
		HEAD "duration 2000 s\n[clients]\nnodes 20\nload 99.502487562 b/s\nsize 1 B\n"
		     "to server 100 %\n[server]\nload 0 %\nreply 1000 B\nservice 1 ms\n",
		8, 0, PACKETS_MAX);
	const double mean_s = 2.01e-3, square = 2e-6 + 2 * 1e-3 * 1.01e-3 + 1.01e-3 * 1.01e-3;
	const double expected_s = 11e-6 + 1 / (2 * mean_s) * square / (2 * (1 - 0.5)) + 1e-3;
	double sum_s = 0;
	size_t asked = 0, answered = 0;

	(void)state;
	for (;; answered++, asked++) {
		while (asked < run.count && run.packets[asked].src == 20)
			asked++;
		while (answered < run.count && run.packets[answered].src != 20)
			answered++;
		if (answered >= run.count)
			break;
		assert_int_equal(run.packets[asked].src, run.packets[answered].dst);
		assert_true(run.packets[asked].time_ticks < run.packets[answered].time_ticks);
		sum_s += (double)(run.packets[answered].time_ticks -
				  run.packets[asked].time_ticks) /
			 1e9;
	}
	assert_true(run.count > 900000);
	assert_true(fabs(sum_s / ((double)run.count / 2) / expected_s - 1) < 0.03);
	free(run.packets);
}

// Adding nodes to a class changes no other node's times and sizes.
static void streams_belong_to_their_node(void **state)
{
	const char *text = MODEL_FIRST_LINE "\nfamily client-server\nrate 8 Mb/s\nsize 1 B .. 1000 "
					    "B\nload 5 %\n[a]\nnodes 4\nto all 100 %\n";
	struct model_run few = generate(text, 3, 4, PACKETS_MAX),
			 many = generate(text, 3, 9, PACKETS_MAX);
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i < many.count; i++)
		if (many.packets[i].src < 4) {
			assert_int_equal(many.packets[i].time_ticks, few.packets[at].time_ticks);
			assert_int_equal(many.packets[i].payload_bytes,
					 few.packets[at].payload_bytes);
			at++;
		}
	assert_int_equal(at, few.count);
	free(few.packets);
	free(many.packets);
}

// Section 5.5: 5 servers and groups of 50, 35, 25, 45 and 40 are 200; at 105 nodes the groups have
// half of 195 less 5.
static void classes_scale(void **state)
{
	struct client_server parameters;
	struct model model;
	struct tr_error err = {""};
	uint32_t class_of_node[103];

	(void)state;
	model_of_text(&model, HEAD "load 1 %\n[server]\nto all 100 %\n[a]\nnodes 50\nto all 100 "
				   "%\n[b]\nnodes 35\nto all 100 %\n"
				   "[c]\nnodes 25\nto all 100 %\n[d]\nnodes 45\nto all 100 "
				   "%\n[e]\nnodes 40\nto all 100 %\n");
	assert_int_equal(client_server_get(&model, &parameters, &err), TR_OK);
	assert_int_equal(parameters.nodes, 196);
	assert_int_equal(client_server_scale(&parameters, 103, &err),
			 TR_OK); // 102 of 195: 26.15 18.31 13.08 23.54 20.92
	const uint64_t expected[] = {1, 26, 18, 13, 24, 21};

	for (uint32_t c = 0; c < 6; c++)
		assert_int_equal(parameters.classes[c].nodes, expected[c]);
	client_server_place(&parameters, class_of_node);
	assert_int_equal(class_of_node[0], 0);
	assert_int_equal(class_of_node[1], 1);
	assert_int_equal(class_of_node[26], 1);
	assert_int_equal(class_of_node[27], 2);
	assert_int_equal(class_of_node[102], 5);
	assert_int_equal(client_server_scale(&parameters, 2, &err), TR_ERROR);
	client_server_clear(&parameters);
	model_clear(&model);
}

static void nodes_stand_where_they_are_put(void **state)
{
	struct client_server parameters;
	struct model model;
	struct tr_error err = {""};
	uint32_t class_of_node[8];
	const uint32_t expected[] = {0, 0, 1, 1, 1, 0, 1, 0};

	(void)state;
	model_of_text(&model, HEAD
		      "load 1 %\n[a]\nnodes 4\nto all 100 %\n[b]\nat 6 2 .. 4\nto all 100 %\n");
	assert_int_equal(client_server_get(&model, &parameters, &err), TR_OK);
	client_server_place(&parameters, class_of_node);
	assert_memory_equal(class_of_node, expected, sizeof(expected));
	assert_int_equal(client_server_scale(&parameters, 9, &err), TR_ERROR);
	client_server_clear(&parameters);
	model_clear(&model);
}

static void wrong_models_are_refused(void **state)
{
	(void)state;
	model_run_refused(HEAD "load 1 %\n", "t.model: expected at least one section");
	model_run_refused(HEAD "[a]\nnodes 2\nto own 100 %\n",
			  "t.model:6: [a]: expected load or think");
	model_run_refused(HEAD "load 1 %\nthink 1 s\n[a]\nnodes 2\nto own 100 %\n",
			  "t.model:6: load and think cannot be combined");
	model_run_refused(HEAD "load 1 %\n[a]\nnodes 2\nto own 30 %\nto all 60 %\n",
			  "t.model:7: [a]: the shares sum to 90 %, not 100 %");
	model_run_refused(HEAD "load 1 %\n[a]\nnodes 2\nto b 100 %\n",
			  "t.model:9: to: unknown section [b]");
	model_run_refused(HEAD "load 1 %\n[a]\nnodes 2\nto all\n",
			  "t.model:9: to: expected a section's name and a share such as 30 %");
	model_run_refused(
		HEAD "load 1 %\n[a]\nnodes 2\nto all much\n",
		"t.model:9: to: expected a share of 0 % to 100 % after \"all\", found \"much\"");
	model_run_refused(HEAD "load 1 %\n[a]\nto own 100 %\n[b]\nto all 100 %\n",
			  "t.model:8: [a] has one node, which cannot send to itself");
	model_run_refused(HEAD "load 1 %\n[all]\nto own 100 %\n",
			  "t.model:7: the name [all] is reserved");
	model_run_refused(HEAD "load 1 %\n[a]\nat 0 1 1\nto own 100 %\n",
			  "t.model:8: at: node 1 is given twice");
	model_run_refused(HEAD "load 1 %\n[a]\nat 0 .. 3 5\nto own 100 %\n",
			  "t.model:8: at: node 5 exceeds the number of nodes");
	model_run_refused(HEAD "load 1 %\n[a]\nat 0 ..\nto own 100 %\n",
			  "t.model:8: at: expected the end of the range");
	model_run_refused(HEAD "load 1 %\n[a]\nat 1 0 ..  0\nto own 100 %\n",
			  "t.model:8: at: expected nodes such as 3 8 20 .. 29: '0' is not a whole "
			  "number from 1 to 1048575");
	model_run_refused(HEAD "load 1 %\n[a]\nnodes 2\nat 0 1\nto own 100 %\n",
			  "t.model:8: nodes and at cannot be combined");
	model_run_refused(HEAD "load 60 %\n[a]\nto b 100 %\n[b]\nload 0 %\nreply 2 kB\n",
			  "a node of [b] gets 1.206 times the load that it can answer");
}

// Against sorting.
static void replies_leave_in_order(void **state)
{
	struct reply_queue queue = {.replies = NULL};
	struct tr_random random;
	struct tr_error err;

	(void)state;
	tr_random_open(&random, 1, "queue");
	for (int round = 0; round < 200; round++) {
		struct reply last = {.ticks = -1};

		for (uint64_t i = tr_random_below(&random, 50); i > 0; i--) {
			struct reply reply = {.ticks = (int64_t)tr_random_below(&random, 20)};

			assert_int_equal(reply_queue_put(&queue, reply, &err), TR_OK);
		}
		while (queue.count > 0) {
			struct reply reply = reply_queue_take(&queue);

			assert_true(reply.ticks > last.ticks ||
				    (reply.ticks == last.ticks && reply.number > last.number));
			last = reply;
		}
	}
	reply_queue_clear(&queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_those_of_the_thesis),
		cmocka_unit_test(packets_go_by_the_shares),
		cmocka_unit_test(clients_think_after_a_message_has_left),
		cmocka_unit_test(answers_follow_requests),
		cmocka_unit_test(servers_queue),
		cmocka_unit_test(streams_belong_to_their_node),
		cmocka_unit_test(classes_scale),
		cmocka_unit_test(nodes_stand_where_they_are_put),
		cmocka_unit_test(wrong_models_are_refused),
		cmocka_unit_test(replies_leave_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
