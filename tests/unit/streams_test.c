// SPDX-License-Identifier: GPL-3.0-or-later
// What arrival processes share: who sends to whom, rejected models, text round trips, times without
// drift.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/streams_model.h"
#include "model_run.h"

#define HEAD MODEL_FIRST_LINE "\nfamily poisson\nnodes 6\nduration 100 s\n"
#define BODY "gap 10 ms\nsize 64 B\n"
#define PACKETS_MAX (1u << 18)

static struct model_run generate(const char *text, uint32_t nodes, uint64_t ticks_per_s,
				 size_t batch)
{
	const struct generator_settings settings = {
		.seed = 5, .ticks_per_s = ticks_per_s, .nodes = nodes};

	return model_run(text, &settings, batch, PACKETS_MAX);
}

static double count_of(const struct model_run *run, uint32_t src, uint32_t dst)
{
	double count = 0;

	for (size_t i = 0; i < run->count; i++)
		count += run->packets[i].src == src &&
			 (dst == UINT32_MAX || run->packets[i].dst == dst);
	return count;
}

// Within 4.5 standard deviations of a Poisson count.
static void expect_count(double found, double mean)
{
	assert_true(fabs(found - mean) < 4.5 * sqrt(mean));
}

// The nearest section speaks; pairs and the network come on top.
static void sections_speak_for_their_nodes(void **state)
{
	struct model_run run = generate(
		HEAD "destinations by-role\n[controller data]\ngap 1 ms\nsize 1 B\n"
		     "[worker data]\n" BODY "to-controller 100 %\n"
		     "[node 2 data]\ngap 5 ms\nsize 2 B\nto 4 30 %\nto 5 10 %\n"
		     "[node overhead]\ngap 20 ms\nsize 3 B\n"
		     "[pair 5 1 data]\ngap 4 ms\nsize 4 B\n"
		     "[network data]\ngap 2 ms\nsize 5 B\nfrom 0 20 %\nfrom 1 60 %\n",
		0, 1000000000, 512);
	double by_size[6][6] = {{0}};

	(void)state;
	for (size_t i = 0; i < run.count; i++) {
		const struct tr_packet *p = &run.packets[i];

		assert_true(p->src != p->dst && p->src < 6 && p->dst < 6);
		assert_true(i == 0 || p->time_ticks >= p[-1].time_ticks);
		assert_int_equal(p->id, i);
		assert_int_equal(p->class,
				 p->payload_bytes == 3 ? TR_CLASS_OVERHEAD : TR_CLASS_DATA);
		if (p->payload_bytes < 6)
			by_size[p->payload_bytes][p->src]++;
		if (p->payload_bytes == 64)
			assert_int_equal(p->dst, 0);
	}
	expect_count(by_size[1][0], 100000);
	expect_count(by_size[2][2], 20000);
	for (unsigned node = 0; node < 6; node++)
		expect_count(by_size[3][node], 5000);
	expect_count(by_size[4][5], 25000);
	expect_count(by_size[5][0], 12500);
	expect_count(by_size[5][1], 37500);
	expect_count(count_of(&run, 2, 4), 15000 + 5000 / 5.0);
	free(run.packets);
}

// A source's packets are the same whatever others there are, and in whatever batches they are
// fetched.
static void a_new_source_changes_no_other(void **state)
{
	struct model_run few = generate(HEAD "[node data]\n" BODY, 3, 1000000000, 512);
	struct model_run many = generate(HEAD "[network data]\n" BODY "[node data]\n" BODY
					      "[pair 1 2 data]\n" BODY,
					 9, 1000000000, 1);
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i < few.count; i++) {
		while (at < many.count &&
		       !(many.packets[at].time_ticks == few.packets[i].time_ticks &&
			 many.packets[at].src == few.packets[i].src))
			at++;
		assert_true(at < many.count);
	}
	assert_true(few.count > 20000);
	free(few.packets);
	free(many.packets);
}

// At one tick a second and a thousand gaps in it, as many packets come as at a nanosecond.
static void times_do_not_drift(void **state)
{
	struct model_run coarse = generate(HEAD "[pair 0 1 data]\ngap 1 ms\nsize 1 B\n", 0, 1, 512);
	struct model_run fine = generate(HEAD "[pair 0 1 data]\ngap 1 ms\nsize 1 B\n", 0,
					 1000000000, 512);

	(void)state;
	assert_true(fine.count > 90000);
	assert_int_equal(coarse.count, fine.count);
	for (size_t i = 0; i < fine.count; i++)
		assert_int_equal(coarse.packets[i].time_ticks,
				 fine.packets[i].time_ticks / 1000000000);
	free(coarse.packets);
	free(fine.packets);
}

// A pattern by hand: where node i of 16 goes.
struct pattern_case {
	const char *keys;
	uint32_t to[16];
};

// Whatever the process, and whoever is its source, packets go where the pattern leads them, and a
// node that is led to itself sends none: not even the network's.
static void any_process_goes_with_any_pattern(void **state)
{
	static const struct {
		const char *family, *section;
	} processes[] = {
		{"family poisson\n", "[node data]\ngap 10 ms\nsize 1 B\n"},
		{"family batch-poisson\n", "[worker overhead]\ngap 10 ms\nbatch 3\nsize 1 B\n"},
		{"family mmpp\n", "[network data]\nstate 3000 packets/s for 1 s\nstate 10 "
				  "packets/s for 1 s\nsize 1 B\n"},
		{"family renewal\n", "[network data]\ngap 1 ms\nfrom 1 10 %\nfrom 6 20 %\nfrom 7 "
				     "20 %\nfrom 9 50 %\nsize 1 B\n"},
	};
	static const struct pattern_case cases[] = {
		{"destinations transpose\n",
		 {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}},
		{"destinations bit-reversal\n",
		 {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}},
		{"destinations tornado\nshape 4x4\n",
		 {5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0}},
		{"destinations shift\nshift 15\n",
		 {15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
		{"destinations permutation\nto 1 0 2 3 5 4 6 8\nto 7 9 10 11 12 13 15 14\n",
		 {1, 0, 2, 3, 5, 4, 6, 8, 7, 9, 10, 11, 12, 13, 15, 14}},
	};
	char text[600];

	(void)state;
	for (size_t p = 0; p < sizeof(processes) / sizeof(*processes); p++)
		for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
			bool sends[16] = {false};
			struct model_run run;

			(void)snprintf(text, sizeof(text),
				       MODEL_FIRST_LINE "\nnodes 16\nduration 10 s\n%s%s%s",
				       processes[p].family, cases[c].keys, processes[p].section);
			run = generate(text, 0, 1000000000, 512);
			assert_true(run.count > 1000);
			for (size_t i = 0; i < run.count; i++) {
				assert_int_equal(run.packets[i].dst,
						 cases[c].to[run.packets[i].src]);
				sends[run.packets[i].src] = true;
			}
			for (uint32_t i = 0; i < 16 && p < 3; i++)
				assert_int_equal(sends[i], cases[c].to[i] != i);
			free(run.packets);
		}
}

// Shares of the hot spot, from a node and from the network; pairs and shares of a section's own go
// before the pattern.
static void hot_spots_take_their_share(void **state)
{
	struct model_run run = generate(
		HEAD "destinations hot-spot\nhot-node 4\nhot-share 30 %\n[node data]\n" BODY
		     "[node 2 data]\n" BODY "to 3 100 %\n[pair 1 0 overhead]\n" BODY,
		0, 1000000000, 512);
	double hot = count_of(&run, 0, 4), cold = count_of(&run, 0, 5);

	(void)state;
	expect_count(hot, 10000 * (0.3 + 0.7 / 5));
	expect_count(cold, 10000 * 0.7 / 5);
	expect_count(count_of(&run, 4, 0), 10000 / 5.0);
	expect_count(count_of(&run, 2, 3), 10000);
	assert_true(count_of(&run, 2, UINT32_MAX) == count_of(&run, 2, 3));
	expect_count(count_of(&run, 1, 0), 10000 + 10000 * 0.7 / 5);
	free(run.packets);
}

static void silence_is_no_error(void **state)
{
	struct model_run run = generate(
		HEAD "destinations permutation\nto 0 1 2 3 4 5\n[node data]\n" BODY
		     "[network overhead]\n" BODY "from 3 1 %\n",
		0, 1000000000, 512);

	(void)state;
	assert_int_equal(run.count, 0);
	free(run.packets);
	model_run_refused(HEAD "destinations transpose\n[node data]\n" BODY,
			  "t.model:5: destinations transpose: 6 nodes are not a square");
	model_run_refused(
		HEAD "destinations permutation\nto 1 0\n[node data]\n" BODY,
		"t.model:5: destinations permutation: the permutation has 2 nodes, not 6");
}

static void refuse(const char *text, const char *why)
{
	struct streams_model model;
	struct tr_error err = {""};
	struct model read;

	model_of_text(&read, text);
	assert_int_equal(streams_model_get(&read, &model, &err), TR_ERROR);
	if (!strstr(err.text, why))
		fail_msg("\"%s\" does not say \"%s\"", err.text, why);
	assert_null(model.sections);
	model_clear(&read);
}

static void nonsense_is_refused(void **state)
{
	(void)state;
	refuse(HEAD, "expected at least one section");
	refuse(HEAD "[server data]\n" BODY, "t.model:5: unknown section [server data]");
	refuse(HEAD "[worker]\n" BODY, "t.model:5: unknown section [worker]");
	refuse(HEAD "[node 1 2 3 data]\n" BODY, "t.model:5: unknown section");
	refuse(HEAD "[node 6 data]\n" BODY, "t.model:5: ");
	refuse(HEAD "[pair 0 6 data]\n" BODY, "t.model:5: ");
	refuse(HEAD "[pair 3 3 data]\n" BODY, "t.model:5: a pair needs two different nodes");
	refuse(HEAD "[node 1 data]\n" BODY "[node 01 data]\n" BODY, "t.model:8: ");
	refuse(HEAD "[node data]\n" BODY "bin 3 x 5 B\n",
	       "t.model:7: size and bin cannot be combined");
	refuse(HEAD "[node data]\ngap 1 s\n", "t.model:5: expected a size, or bins of sizes");
	refuse(HEAD "[node data]\nsize 1 B\n", "t.model:5: in [node data] the key gap is missing");
	refuse(HEAD "[node data]\n" BODY "rate 5\n", "t.model:8: unknown key \"rate\"");
	refuse(HEAD "[node data]\n" BODY "from 1 5 %\n",
	       "t.model:8: from: only in [network data] and [network overhead]");
	refuse(HEAD "[pair 1 2 data]\n" BODY "to 1 5 %\n", "t.model:8: to: ");
	refuse(HEAD "[network data]\n" BODY "from 6 5 %\n", "t.model:8: from: ");
	refuse(HEAD "[network data]\n" BODY "from 1 0 %\n",
	       "t.model: [network data]: all shares of from are zero");
	refuse(HEAD "[node data]\n" BODY "to 1 5\n", "t.model:8: to: ");
	refuse(HEAD "[node data]\n" BODY "to 1 5 %\nto 1 6 %\n",
	       "t.model:9: to: node 1 is given twice");
	refuse(HEAD "[node data]\n" BODY "to 1 5 %\n",
	       "t.model: [node data]: the packets of a node have no destination");
	refuse(HEAD "[node data]\ngap 0 s\nsize 1 B\n", "t.model:6: gap: 0 s is outside");
	refuse(HEAD "destinations hot\n[node data]\n" BODY,
	       "t.model:5: destinations: unknown pattern \"hot\"; expected one of uniform, "
	       "hot-spot, ");
	refuse(HEAD "destinations hot\n[node data]\n" BODY, ", permutation, by-distance, by-role");
	refuse(HEAD "destinations uniform\ndestinations by-role\n[node data]\n" BODY,
	       "t.model:6: destinations ");
	refuse(HEAD "to 1 1 0\n[node data]\n" BODY, "t.model:5: to: node 1 is given twice");
	refuse(HEAD "shape 3x\n[node data]\n" BODY, "t.model:5: shape: ");
}

static char *write_text(const struct streams_model *model, const struct streams_notes *notes)
{
	struct model text = {.name = NULL};
	struct tr_error err = {""};
	char *written = NULL;
	size_t bytes;
	FILE *out = open_memstream(&written, &bytes);

	assert_non_null(out);
	streams_model_put(&text, model, notes);
	assert_int_equal(model_write(&text, out, &err), TR_OK);
	assert_int_equal(fclose(out), 0);
	model_clear(&text);
	return written;
}

// As it is written, and as what is written is written again.
static void expect_text(const char *text, const char *part)
{
	struct streams_model model, again;
	struct tr_error err = {""};
	char *written, *rewritten;
	struct model read;

	model_of_text(&read, text);
	assert_int_equal(streams_model_get(&read, &model, &err), TR_OK);
	model_clear(&read);
	written = write_text(&model, NULL);
	if (!strstr(written, part))
		fail_msg("not \"%s\" in \"%s\"", part, written);
	model_of_text(&read, written);
	assert_int_equal(streams_model_get(&read, &again, &err), TR_OK);
	model_clear(&read);
	rewritten = write_text(&again, NULL);
	assert_string_equal(written, rewritten);
	free(written);
	free(rewritten);
	streams_model_clear(&model);
	streams_model_clear(&again);
}

static void patterns_come_back(void **state)
{
	(void)state;
	expect_text(HEAD "[node data]\n" BODY,
		    "duration 100 s\ndestinations uniform\n\n[node data]\n");
	expect_text(HEAD "destinations by-role\n[node data]\n" BODY,
		    "\ndestinations by-role\n\n[node data]\n");
	expect_text(HEAD "hot-share 25 %\nhot-node 3\ndestinations hot-spot\n[node data]\n" BODY,
		    "\ndestinations hot-spot\nhot-node 3\nhot-share 25 %\n\n[");
	expect_text(HEAD "destinations shift\nshift 5\n[node data]\n" BODY,
		    "\ndestinations shift\nshift 5\n\n[");
	expect_text(HEAD "destinations tornado\nshape 3x2\n[node data]\n" BODY,
		    "\ndestinations tornado\nshape 3x2\n\n[");
	expect_text(MODEL_FIRST_LINE
		    "\nfamily poisson\nnodes 18\ndestinations permutation\nto 1 0 3\nto 2 5 4 7 6 "
		    "9 8 11 10 13 12 15 14 17 16\n[node data]\n" BODY,
		    "\nto 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14\nto 17 16\n\n[");
}

// What is written is read as the same, with notes beside it or without.
static void parameters_come_back(void **state)
{
	static const char text[] = HEAD
		"destinations by-role\n[worker overhead]\ngap 12.3456 us\n"
		"bin 3 x 5 B\nbin 1 x 7 B .. 9 B\nheader 40 B\nto-controller 12.5 %\n"
		"[network data]\ngap 2 ms\nsize 1 B .. 9 B\nfrom 5 0.1 %\nfrom 2 30 %\nto 3 50 "
		"%\nto 1 1 %\n";
	struct streams_notes notes[2] = {{.section = "first", .times = {.method = "by likelihood"}},
					 {.times = {.field = {"1.9 ms .. 2.1 ms at 99 %"}}}};
	struct streams_model model, again;
	struct tr_error err = {""};
	char *written, *rewritten;
	struct model read;

	(void)state;
	model_of_text(&read, text);
	assert_int_equal(streams_model_get(&read, &model, &err), TR_OK);
	model_clear(&read);
	streams_model_settle(&model, 6);
	written = write_text(&model, notes);
	assert_non_null(strstr(
		written,
		"[worker overhead]  # first\n# by likelihood\ngap 12.3456 us\nbin 3 x 5 B\n"));
	assert_non_null(strstr(written, "gap 2 ms  # 1.9 ms .. 2.1 ms at 99 %\nsize 1 B .. 9 B\n"));
	assert_non_null(strstr(written, "from 5 0.1 %\nfrom 2 30 %\nto 3 50 %\nto 1 1 %\n"));
	model_of_text(&read, written);
	if (streams_model_get(&read, &again, &err) != TR_OK)
		fail_msg("%s", err.text);
	model_clear(&read);
	assert_int_equal(again.count, 2);
	free(written);
	written = write_text(&model, NULL);
	rewritten = write_text(&again, NULL);
	assert_string_equal(written, rewritten);
	free(written);
	free(rewritten);
	streams_model_clear(&model);
	streams_model_clear(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_speak_for_their_nodes),
		cmocka_unit_test(a_new_source_changes_no_other),
		cmocka_unit_test(times_do_not_drift),
		cmocka_unit_test(any_process_goes_with_any_pattern),
		cmocka_unit_test(hot_spots_take_their_share),
		cmocka_unit_test(silence_is_no_error),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(patterns_come_back),
		cmocka_unit_test(parameters_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
