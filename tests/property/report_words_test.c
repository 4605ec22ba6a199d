// SPDX-License-Identifier: GPL-3.0-or-later
// The report's first paragraph says nothing wrong of Poisson traffic and of exact fractional Gaussian noise: seeds 1 to 20 of each.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fgn.h"
#include "report/hurst_words.h"
#include "trace/record.h"

#define SEEDS 20
#define BINS ((size_t)1 << 18) // of 0.1 ms: 26 s
#define BIN_TICKS 1000         // of 100 ns
#define PER_BIN 6.0

struct stretch {
	struct counts counts;
	struct tr_packet packet;
};

static void open_stretch(struct stretch *s)
{
	const struct tr_header header = {.ticks_per_s = 10 * 1000 * 1000, .kind = TR_PACKET};
	struct tr_error err;

	memset(s, 0, sizeof *s);
	assert_int_equal(counts_open(&s->counts, &header, &err), TR_OK);
	assert_true(s->counts.open);
}

static void add(struct stretch *s, int64_t ticks)
{
	struct tr_error err;

	s->packet.time_ticks = ticks;
	assert_int_equal(counts_add(&s->counts, &s->packet, sizeof s->packet, 1, &err), TR_OK);
}

static void words_of(struct stretch *s, struct hurst *hurst, char text[HURST_WORDS])
{
	struct tr_error err;

	assert_int_equal(counts_finish(&s->counts, &err), TR_OK);
	assert_int_equal(hurst_make(hurst, &s->counts, 0.95, &err), TR_OK);
	assert_true(hurst_say(hurst, text, HURST_WORDS) > 0);
	assert_true(strlen(text) < HURST_WORDS - 1);
	counts_close(&s->counts);
}

static void poisson_words(uint64_t seed, struct hurst *hurst, char text[HURST_WORDS])
{
	static struct stretch s;
	struct tr_random random;
	double at = 0;

	open_stretch(&s);
	tr_random_open(&random, seed, "poisson");
	while (at < (double)BINS * BIN_TICKS) {
		add(&s, (int64_t)at);
		at -= log(tr_random_unit(&random)) * BIN_TICKS / PER_BIN;
	}
	words_of(&s, hurst, text);
}

// Whole numbers of packets a bin, whose mean is four deviations.
static void noise_words(uint64_t seed, struct fgn *fgn, struct hurst *hurst, char text[HURST_WORDS])
{
	static struct stretch s;
	static double x[BINS];
	struct tr_random random;

	open_stretch(&s);
	tr_random_open(&random, seed, "noise");
	fgn_draw(fgn, &random, x);
	for (size_t i = 0; i < BINS; i++) {
		const long packets = lround(fmax(0, PER_BIN + PER_BIN / 4 * x[i]));

		for (long k = 0; k < packets; k++)
			add(&s, (int64_t)i * BIN_TICKS + k * (BIN_TICKS / 20));
	}
	words_of(&s, hurst, text);
}

static void nothing_wrong_of_poisson(void **state)
{
	static struct hurst hurst;
	char text[HURST_WORDS];
	int held = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		poisson_words(seed, &hurst, text);
		assert_null(strstr(text, "contradict"));
		assert_null(strstr(text, "curved"));
		assert_null(strstr(text, "lie above 0.5"));
		assert_non_null(strstr(text, "falls with a slope of -"));
		assert_non_null(strstr(text, "95 % interval"));
		held += strstr(text, "hold 0.5") != NULL;
	}
	assert_true(held >= 5); // else the sentence is of no use
}

static void nothing_wrong_of_noise(void **state)
{
	struct fgn *fgn = fgn_open(BINS, 0.8);
	static struct hurst hurst;
	char text[HURST_WORDS];
	int above = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		noise_words(seed, fgn, &hurst, text);
		assert_null(strstr(text, "contradict"));
		assert_null(strstr(text, "curved"));
		assert_null(strstr(text, "hold 0.5"));
		above += strstr(text, "lie above 0.5") != NULL;
	}
	assert_true(above >= 5);
	fgn_close(fgn);
}

// Trains of 40 packets, at random: dependence on short scales only, so that the plot falls at first slowly and then by 1.
static void a_curved_plot_gets_no_h(void **state)
{
	static struct stretch s;
	static struct hurst hurst;
	struct tr_random random;
	char text[HURST_WORDS];
	double at = 0;

	(void)state;
	open_stretch(&s);
	tr_random_open(&random, 1, "trains");
	while (at < (double)BINS * BIN_TICKS) {
		for (int i = 0; i < 40; i++)
			add(&s, (int64_t)at + i * BIN_TICKS / 2);
		at += 20 * BIN_TICKS - log(tr_random_unit(&random)) * 200 * BIN_TICKS;
	}
	words_of(&s, &hurst, text);
	assert_true(hurst.slope.curved);
	assert_non_null(strstr(text, "It is curved"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_wrong_of_poisson),
		cmocka_unit_test(nothing_wrong_of_noise),
		cmocka_unit_test(a_curved_plot_gets_no_h),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
