// SPDX-License-Identifier: GPL-3.0-or-later
// A trace of a known family is recognised: it is ranked first, or equal to a first one that
// contains it or is contained in it. FLIT_CASES seeds, or 4 if FLIT_LONG is in the environment,
// also of independent generators (known_truths.h); without either one seed, of half of the
// independent generators, and of our own where there is none of these, and chains whose fits take
// as long as all others (is_rival) do not stand against what they cannot stand for. An argument
// selects one family.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/family.h"
#include "gen/judge/ranking.h"
#include "known_truths.h"
#include "model_run.h"

#define TICKS_PER_S 1000000000u
#define BATCH 512
#define RUNS 8
#define HEAD(family, duration) \
	"flitline-model 1\nfamily " family "\nnodes 4\nduration " duration "\n"
#define TRAIN(silence, pulses, gap) \
	"[worker data]\nsilence " silence "\npulses " pulses "\ninter-pulse " gap \
	"\nsize-mean 1000 B\nsize-variance 0 B^2\n"

// A truth, and which families may stand first in its place.
struct truth {
	const char *family;
	const char *firsts; // words
	const char *text;
};

static const struct truth truths[] = {
	// All contain the Poisson process, and none has fewer parameters.
	{"poisson", "poisson", HEAD("poisson", "100 s") "[worker data]\ngap 20 ms\nsize 1000 B\n"},
	// A renewal process of hyperexponential gaps; a Markov-modulated Poisson process that is
	// silent in one of two states is the same.
	{"pulse-train", "pulse-train mmpp map map-moments renewal",
	 HEAD("pulse-train", "200 s") "mtu 1500 B\n" TRAIN("400 ms", "20", "4 ms")},
	// A Markovian arrival process of two states is this one where its moves send nothing.
	{"mmpp", "mmpp map map-moments",
	 HEAD("mmpp", "200 s") "[worker data]\nstate 200 packets/s for 100 ms\nstate 20 packets/s "
			       "for 400 ms\nsize 1000 B\n"},
	// Short and long gaps by turns: no modulated Poisson process has gaps whose correlation is
	// negative.
	{"map", "map er-hmm map-moments",
	 HEAD("map", "200 s") "[worker data]\nd0 - 0 /s\nd0 0 - /s\nd1 10 190 /s\nd1 19 1 /s\nsize "
			      "1000 B\n"},
	// Nothing else has correlations that do not die out.
	{"fractional-noise", "fractional-noise",
	 HEAD("fractional-noise",
	      "60 s") "counts-every 10 ms\npackets 10\ndispersion 5\nhurst 0.85\nsize 1000 B\n"},
	// Of one deviation of the logarithm: no mixture of two exponentials.
	{"renewal", "renewal",
	 HEAD("renewal", "100 s") "[worker data]\ngap 10 ms\ngap-law lognormal 1.2\nsize 1000 B\n"},
	// Only batches make packets of one tick.
	{"batch-poisson", "batch-poisson",
	 HEAD("batch-poisson",
	      "20 s") "[worker data]\ngap 20 ms\nbatch 5\nbatch-law uniform\nsize 1000 B\n"},
	// Chains of many states and a cascade come as near over the scales that a trace has.
	{"m-g-infinity", "m-g-infinity mmpp map cascade fractional-rate",
	 HEAD("m-g-infinity",
	      "20 s") "[worker data]\nsession-gap 50 ms\nsession 200 ms\ninter-packet 5 "
		      "ms\nsession-law pareto 1.5\nsize 1000 B\n"},
	{"cascade", "cascade",
	 HEAD("cascade", "20 s") "[worker data]\nfinest 1 ms\npackets 1\nspread 0.1\nsplit "
				 "12\nsplit 9\nsplit 7\nsplit 5\nsplit 4\nsplit 3\nsplit 2\n"
				 "split 1.5\nsplit 1\nsize 1000 B\n"},
	// Sessions of a heavy tail have the same correlations.
	{"fractional-rate", "fractional-rate m-g-infinity cascade",
	 HEAD("fractional-rate", "100 s") "[worker data]\ngap 5 ms\nrate-every 20 ms\nhurst "
					  "0.85\nsigma 0.6\nsize 1000 B\n"},
	// Bursts at a fixed time, all nodes at once.
	{"periodic", "periodic",
	 HEAD("periodic", "60 s") "[worker data]\nperiod 50 ms\njitter 2 ms\npackets "
				  "3\ninter-packet 1 ms\nphase 0 s\nsize 1000 B\n"},
	// Packets at a beat while on, of one source a node.
	{"on-off", "on-off",
	 HEAD("on-off", "200 s") "sources 1\non 100 ms\non-shape 1.4\noff 400 ms\ninter-packet 5 "
				 "ms\nsize 1000 B\n"},
};

static const size_t truth_count = sizeof(truths) / sizeof(*truths);

static int by_time(const void *left, const void *right)
{
	const struct tr_packet *a = left, *b = right;

	if (a->time_ticks != b->time_ticks)
		return a->time_ticks < b->time_ticks ? -1 : 1;
	return (a->src > b->src) - (a->src < b->src);
}

// Four nodes that send to the next.
static void draw_known(const struct known_truth *known, uint64_t seed, struct packet_sample *sample)
{
	const enum tr_role roles[4] = {TR_ROLE_WORKER, TR_ROLE_WORKER, TR_ROLE_WORKER,
				       TR_ROLE_WORKER};
	double *times_s = calloc(KNOWN_PACKETS_MAX, sizeof(*times_s));
	struct tr_packet *packets = calloc(4 * KNOWN_PACKETS_MAX, sizeof(*packets));
	struct tr_random random;
	struct tr_error err = {""};
	size_t all = 0;

	assert_true(times_s && packets);
	*sample = (struct packet_sample){.ticks_per_s = TICKS_PER_S};
	tr_random_open(&random, seed, known->family);
	for (uint32_t node = 0; node < 4; node++) {
		const size_t count = known->draw(&random, known->length_s, times_s);

		for (size_t i = 0; i < count; i++)
			packets[all++] = (struct tr_packet){
				.time_ticks = (int64_t)(times_s[i] * TICKS_PER_S),
				.src = node,
				.dst = (node + 1) % 4,
				.payload_bytes = 1000,
				.wire_bytes = 1000,
				.class = TR_CLASS_DATA};
	}
	qsort(packets, all, sizeof(*packets), by_time);
	for (size_t i = 0; i < all; i++)
		assert_int_equal(packet_sample_add(sample, &packets[i], &err), TR_OK);
	free(times_s);
	free(packets);
	assert_int_equal(packet_sample_settle(sample, roles, 4, &err), TR_OK);
}

static void generate(const struct truth *truth, uint64_t seed, struct packet_sample *sample)
{
	const enum tr_role roles[4] = {TR_ROLE_WORKER, TR_ROLE_WORKER, TR_ROLE_WORKER,
				       TR_ROLE_WORKER};
	const struct generator_settings settings = {.seed = seed, .ticks_per_s = TICKS_PER_S};
	struct tr_packet packets[BATCH];
	struct model text = {.name = NULL};
	struct generator generator;
	struct tr_error err = {""};
	size_t count;

	*sample = (struct packet_sample){.ticks_per_s = TICKS_PER_S};
	model_of_text(&text, truth->text);
	if (generator_open(&generator, &text, &settings, &err) != TR_OK)
		fail_msg("%s", err.text);
	while (generator_next(&generator, packets, BATCH, &count, &err) == TR_OK)
		for (size_t i = 0; i < count; i++)
			assert_int_equal(packet_sample_add(sample, &packets[i], &err), TR_OK);
	generator_close(&generator);
	model_clear(&text);
	assert_int_equal(packet_sample_settle(sample, roles, 4, &err), TR_OK);
}

static size_t rank(const struct packet_sample *sample, const struct family *const *families,
		   size_t count, struct judged *list)
{
	int64_t middle = packet_sample_middle(sample);
	const struct packet_sample fitted = packet_sample_part(sample, sample->begin_ticks, middle);
	const struct packet_sample held_out = packet_sample_part(sample, middle, sample->end_ticks);
	const struct fit_options options = {.pulse = {.level = 0.99, .ticks_per_s = TICKS_PER_S},
					    .by = FIT_BY_ROLE};
	const struct judge_request request = {&fitted, &held_out, &options, RUNS, 1, NULL, NULL};
	struct judge_panel panel;
	struct tr_error err = {""};

	assert_int_equal(judge_panel_open(&panel, &held_out, &fitted, &err), TR_OK);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(
			judge_family(&request, &panel, families[i], FIT_BY_ROLE, &list[i], &err),
			TR_OK);
	judge_rank(&panel, list, count);
	judge_panel_clear(&panel);
	return count;
}

static bool is_word_of(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += length)
		if ((at == words || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
			return true;
	return false;
}

// Whether the truth is first, or equal to a first that may stand there.
static bool recognised(const struct truth *truth, const struct judged *list, size_t count,
		       bool *first)
{
	*first = !list[0].failed && strcmp(list[0].family->name, truth->family) == 0;
	if (list[0].failed || !is_word_of(truth->firsts, list[0].family->name))
		return false;
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].family->name, truth->family) == 0)
			return i == 0 || list[i].equal;
	return false;
}

// Whether a family is fitted to this truth.
static bool is_rival(const struct truth *truth, const char *family)
{
	return getenv("FLIT_CASES") || getenv("FLIT_LONG") || is_word_of(truth->firsts, family) ||
	       (strcmp(family, "map") != 0 && strcmp(family, "er-hmm") != 0);
}

static void tell(const struct truth *truth, uint64_t seed, const struct judged *list, size_t count)
{
	print_message("%s, seed %llu, is not recognised:\n", truth->family,
		      (unsigned long long)seed);
	for (size_t i = 0; i < count; i++)
		print_message("  %-16s %6.3f (%6.3f .. %6.3f) bic %.6g free %u%s: %s\n",
			      list[i].family->name, list[i].result.score, list[i].result.low,
			      list[i].result.high, list[i].bic, list[i].notes.freedom,
			      list[i].equal ? " equal" : "", list[i].reason);
}

// known: that makes the packets, instead of the truth's text; NULL: none.
static unsigned count_misses(const struct truth *truth, const struct known_truth *known,
			     unsigned seeds)
{
	const struct family *families[FAMILIES_MAX];
	const size_t all = families_fitted(families);
	unsigned misses = 0, firsts = 0;
	size_t count = 0;

	for (size_t i = 0; i < all; i++)
		if (is_rival(truth, families[i]->name))
			families[count++] = families[i];

	for (uint64_t seed = 1; seed <= seeds; seed++) {
		struct judged list[FAMILIES_MAX];
		struct packet_sample sample;
		bool first;

		if (known)
			draw_known(known, seed, &sample);
		else
			generate(truth, seed, &sample);
		rank(&sample, families, count, list);
		if (!recognised(truth, list, count, &first)) {
			misses++;
			tell(truth, seed, list, count);
		}
		firsts += first;
		for (size_t i = 0; i < count; i++)
			judged_clear(&list[i]);
		packet_sample_clear(&sample);
	}
	print_message("%s: of %u seeds recognised %u, first %u, of %zu of %zu families\n",
		      truth->family, seeds, seeds - misses, firsts, count, all);
	return misses;
}

// Whether one seed of an independent generator of the family is enough.
static bool is_short_known(const char *family)
{
	for (size_t t = 1; t < KNOWN_TRUTHS; t += 2)
		if (strcmp(known_truths[t].family, family) == 0)
			return !getenv("FLIT_CASES") && !getenv("FLIT_LONG");
	return false;
}

// One seed in twenty may miss: intervals over five runs do not hold what the two halves differ by
// chance. With this share two of four miss once in 70 times, so one of few seeds may.
static unsigned misses_most(unsigned seeds)
{
	return seeds > 1 && seeds < 20 ? 1 : seeds / 20;
}

static void families_are_recognised(void **state)
{
	const char *cases = getenv("FLIT_CASES");
	const unsigned seeds = cases		     ? (unsigned)strtoul(cases, NULL, 10)
			       : getenv("FLIT_LONG") ? 4
						     : 1;
	const char *only = *state;
	unsigned bad = 0, tried = 0;

	for (size_t t = 0; t < truth_count; t++)
		if (!only || strcmp(only, truths[t].family) == 0) {
			tried++;
			if (!is_short_known(truths[t].family))
				bad += count_misses(&truths[t], NULL, seeds) > misses_most(seeds);
		}
	assert_int_equal(tried, only ? 1 : truth_count);
	assert_int_equal(bad, 0);
}

static void known_truths_are_recognised(void **state)
{
	const char *cases = getenv("FLIT_CASES"), *only = *state;
	const bool all = cases || getenv("FLIT_LONG");
	const unsigned seeds = cases		     ? (unsigned)strtoul(cases, NULL, 10)
			       : getenv("FLIT_LONG") ? 4
						     : 1;
	unsigned bad = 0;

	for (size_t t = 0; t < KNOWN_TRUTHS; t++) {
		const struct truth truth = {known_truths[t].family, known_truths[t].firsts, NULL};

		if ((all || t % 2 == 1) && (!only || strcmp(only, truth.family) == 0))
			bad += count_misses(&truth, &known_truths[t], seeds) > misses_most(seeds);
	}
	assert_int_equal(bad, 0);
}

int main(int argc, char **argv)
{
	char *only = argc > 1 ? argv[1] : NULL;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(families_are_recognised, only),
		cmocka_unit_test_prestate(known_truths_are_recognised, only)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
