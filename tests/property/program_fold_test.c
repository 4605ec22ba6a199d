// SPDX-License-Identifier: GPL-3.0-or-later
// Random programs, whose messages this test makes by itself, are folded back to what they were:
// iterations, messages of each, and patterns; whether silences or only periods of sizes separate
// them, with sizes and times that vary, other iterations and small messages among them; and without
// silences where messages are missed or their sizes vary much. What periods fold has all messages.
// FLIT_LONG=1: 20,000 programs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "gen/families/program/program_phases.h"
#include "value/random.h"

#define PHASES_MAX 4u
#define NODES_MAX 8u
#define MESSAGES_MAX (NODES_MAX * NODES_MAX) // of a phase
#define US INT64_C(1000)
#define APART (20000 * US)

enum shape { SCATTER, GATHER, RING, LINEAR, BUTTERFLY, PAIRS, SHAPES };

static const char *const names[] = {"scatter", "gather", "ring", "linear", "butterfly", "pairs"};

struct made {
	uint32_t src, dst, turn;
};

struct phase {
	enum shape shape;
	double bytes;
	struct made messages[MESSAGES_MAX];
	uint32_t count;
};

struct made_program {
	struct tr_random random;
	uint32_t nodes, phase_count, iterations, each;
	uint32_t others; // iterations with another message
	bool silent;
	bool loses;  // a message in one of ten iterations
	bool varies; // sizes by a fourth
	struct phase phases[PHASES_MAX];
	struct program_trace trace;
};

static uint64_t below(struct made_program *made, uint64_t n)
{
	return tr_random_below(&made->random, n);
}

static void put(struct phase *phase, uint32_t src, uint32_t dst, uint32_t turn)
{
	assert_true(phase->count < MESSAGES_MAX);
	phase->messages[phase->count++] = (struct made){src, dst, turn};
}

// What each shape sends, as the manual describes it; pairs: to one rank, but from few of the
// others, or a chain.
static void make_phase(struct made_program *made, struct phase *phase)
{
	const uint32_t n = made->nodes, far = 2 + (uint32_t)below(made, n - 2);

	phase->count = 0;
	for (uint32_t r = 0; r < n; r++)
		switch (phase->shape) {
		case SCATTER:
			if (r > 0)
				put(phase, 0, r, r - 1);
			break;
		case GATHER:
			if (r > 0)
				put(phase, r, 0, r - 1);
			break;
		case RING: put(phase, r, (r + 1) % n, 0); break;
		case LINEAR:
			for (uint32_t i = 1; i < n; i++)
				put(phase, r, (r + i) % n, i - 1);
			break;
		case BUTTERFLY:
			for (uint32_t bit = 1, turn = 0; bit < n; bit *= 2, turn++)
				put(phase, r, r ^ bit, turn);
			break;
		case PAIRS:
			if (r > 0 && r < far)
				put(phase, r, r + 1 < far ? r + 1 : 1, r - 1);
			break;
		case SHAPES: break;
		}
}

static bool fits(const struct made_program *made, enum shape shape)
{
	for (uint32_t p = 0; p < made->phase_count; p++)
		if (made->phases[p].shape == shape)
			return false;
	return shape != BUTTERFLY || (made->nodes & (made->nodes - 1)) == 0;
}

// Sizes of phases differ by more than a factor of four; each size is that of one phase.
static void make_program(struct made_program *made, uint64_t seed)
{
	*made = (struct made_program){.nodes = 0};
	tr_random_open(&made->random, seed, "program");
	made->nodes = 3 + (uint32_t)below(made, NODES_MAX - 2);
	made->iterations = 5 + (uint32_t)below(made, 12);
	made->silent = below(made, 3) > 0;
	for (uint32_t wanted = 1 + (uint32_t)below(made, PHASES_MAX); made->phase_count < wanted;) {
		struct phase *phase = &made->phases[made->phase_count];
		const enum shape shape = (enum shape)below(made, SHAPES);

		if (!fits(made, shape))
			continue;
		phase->shape = shape;
		phase->bytes = 2000.0 * (double)(UINT64_C(1) << 3 * (made->phase_count + 1));
		make_phase(made, phase);
		made->phase_count += phase->count > 0;
	}
	for (uint32_t p = 0; p < made->phase_count; p++)
		made->each += made->phases[p].count;
}

static void send(struct made_program *made, int64_t begin_ticks, int64_t lasts_ticks, uint32_t src,
		 uint32_t dst, double bytes, bool small)
{
	const struct program_found found = {.begin_ticks = begin_ticks,
					    .first_ticks = begin_ticks,
					    .grant_ticks = begin_ticks,
					    .end_ticks = begin_ticks + lasts_ticks,
					    .bytes = (uint64_t)bytes + below(made, small ? 1 : 60),
					    .packets = 2,
					    .src = src,
					    .dst = dst,
					    .small = small};
	struct tr_error err;

	assert_int_equal(program_trace_add(&made->trace, &found, &err), TR_OK);
}

// The messages of all iterations: turns a millisecond apart, sends of a turn in any order within
// half of it. Phases and iterations are far apart, or else some message is always under way. One
// iteration may have another message: of few bytes, so that it is an iteration all the same, or of
// many. Small messages are less than a fifth: more of them, if they come in most iterations as by
// chance they may, are of the program.
static void make_trace(struct made_program *made)
{
	const bool other = made->silent && below(made, 2) > 0;
	const bool few = below(made, 2) > 0;
	double all_B = 0;
	int64_t now = 1000 * US;
	size_t small = 0;

	for (uint32_t p = 0; p < made->phase_count; p++)
		all_B += made->phases[p].count * made->phases[p].bytes;
	made->trace = (struct program_trace){
		.name = "made", .nodes = made->nodes, .ticks_per_s = 1e9};
	for (uint32_t i = 0; i < made->iterations; i++) {
		const bool strange = other && i == made->iterations / 2;
		uint32_t lost = made->loses && below(made, 10) == 0
					? (uint32_t)below(made, made->each)
					: UINT32_MAX;

		for (uint32_t p = 0; p < made->phase_count; p++) {
			const struct phase *phase = &made->phases[p];
			uint32_t turns = 0;

			for (uint32_t m = 0; m < phase->count; m++) {
				const int64_t at = now + 1000 * US * phase->messages[m].turn +
						   (int64_t)below(made, 500 * US);
				const double varied = made->varies
							      ? .75 + .5 * tr_random_unit(
										   &made->random)
							      : 1;

				if (lost-- != 0)
					send(made, at,
					     (made->silent ? 100 : 1500) * US +
						     (int64_t)below(made, 300 * US),
					     phase->messages[m].src, phase->messages[m].dst,
					     varied * phase->bytes, false);
				turns = phase->messages[m].turn > turns ? phase->messages[m].turn
									: turns;
			}
			now += 1000 * US * (turns + 1) + (made->silent ? APART : 0);
		}
		if (strange)
			send(made, now - APART / 2, 100 * US, 1, 2, few ? all_B / 100 : all_B / 10,
			     false);
		made->others += strange && !few;
		if (below(made, 4) == 0 && 5 * (small + 1) < made->trace.count) {
			send(made, now - US, US, 2, 1, 40, true);
			small++;
		}
		now += made->silent ? 20 * APART + (int64_t)below(made, 2 * APART) : 0;
	}
	program_trace_sort(&made->trace);
}

static size_t slots_of(const struct program_fold *fold, uint32_t src, uint32_t dst, double bytes)
{
	size_t count = 0;

	for (uint32_t s = 0; s < fold->slot_count; s++)
		count += fold->slots[s].src == src && fold->slots[s].dst == dst &&
			 fold->slots[s].bytes >= bytes && fold->slots[s].bytes < bytes + 60;
	return count;
}

// Each iteration has its messages once, none of which is another iteration's, and no others.
static void check_fold(const struct made_program *made, const struct program_fold *fold,
		       uint64_t seed)
{
	if (fold->silent != made->silent || fold->iterations != made->iterations - made->others ||
	    fold->slot_count != made->each)
		fail_msg("program %llu, %s: %u iterations of %u messages, found %u of %u",
			 (unsigned long long)seed, made->silent ? "silent" : "busy",
			 made->iterations - made->others, made->each, fold->iterations,
			 fold->slot_count);
	for (uint32_t p = 0; p < made->phase_count; p++)
		for (uint32_t m = 0; m < made->phases[p].count; m++)
			assert_int_equal(slots_of(fold, made->phases[p].messages[m].src,
						  made->phases[p].messages[m].dst,
						  made->phases[p].bytes),
					 1);
	for (uint32_t i = 0; i + 1 < fold->iterations; i++)
		for (uint32_t s = 0; s < fold->slot_count; s++) {
			const struct program_found *found =
				fold->at[(size_t)i * fold->slot_count + s];

			assert_int_equal(found->src, fold->slots[s].src);
			assert_int_equal(found->dst, fold->slots[s].dst);
			for (uint32_t t = 0; t < fold->slot_count; t++)
				assert_true(found->begin_ticks <
					    fold->at[(size_t)(i + 1) * fold->slot_count + t]
						    ->begin_ticks);
		}
}

// Each phase that was made is one that was found, under its name or another one for the same
// messages.
static void check_phases(const struct made_program *made, const struct program_phases *phases,
			 uint64_t seed)
{
	assert_int_equal(phases->count, made->phase_count);
	for (uint32_t p = 0; p < made->phase_count; p++) {
		const struct phase *phase = &made->phases[p];
		const struct program_seen *seen = NULL;
		uint32_t pattern = 0;

		for (uint32_t f = 0; f < phases->count; f++)
			if (phases->seen[f].bytes >= phase->bytes &&
			    phases->seen[f].bytes < phase->bytes + 60)
				seen = &phases->seen[f];
		assert_non_null(seen);
		while (strcmp(program_patterns[pattern]->name, names[phase->shape]) != 0)
			pattern++;
		if (!(seen->patterns >> pattern & 1))
			fail_msg("program %llu, %u nodes: %s found as %s", (unsigned long long)seed,
				 made->nodes, names[phase->shape], seen->shape.pattern->name);
	}
}

static void programs_are_folded_back(void **state)
{
	const uint64_t programs = getenv("FLIT_LONG") ? 20000 : 400;

	(void)state;
	for (uint64_t seed = 1; seed <= programs; seed++) {
		struct program_phases phases = {.seen = NULL};
		struct program_fold fold;
		struct made_program made;
		struct tr_error err = {""};

		make_program(&made, seed);
		make_trace(&made);
		if (program_fold_make(&fold, &made.trace, 0, &err) != TR_OK)
			fail_msg("program %llu: %s", (unsigned long long)seed, err.text);
		check_fold(&made, &fold, seed);
		assert_int_equal(program_phases_find(&phases, &fold, made.nodes, NULL, NULL, &err),
				 TR_OK);
		if (made.silent) // else its messages follow one another too soon to be told apart
			check_phases(&made, &phases, seed);
		program_phases_clear(&phases);
		program_fold_clear(&fold);
		program_trace_clear(&made.trace);
	}
}

// A fold of the same messages, each once.
static bool is_that(const struct made_program *made, const struct program_fold *fold)
{
	bool same = fold->slot_count == made->each;

	for (uint32_t p = 0; same && p < made->phase_count; p++)
		for (uint32_t m = 0; same && m < made->phases[p].count; m++) {
			uint32_t count = 0;

			for (uint32_t s = 0; s < fold->slot_count; s++)
				count += fold->slots[s].src == made->phases[p].messages[m].src &&
					 fold->slots[s].dst == made->phases[p].messages[m].dst &&
					 fold->slots[s].bytes > .7 * made->phases[p].bytes &&
					 fold->slots[s].bytes < 1.3 * made->phases[p].bytes;
			same = count == 1;
		}
	return same;
}

// Without silences, where messages are missed or their sizes vary: nearly all fold, and few to
// something else.
static void programs_with_faults_are_folded_back(void **state)
{
	const uint64_t programs = getenv("FLIT_LONG") ? 5000 : 200;
	uint64_t folded = 0, right = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= programs; seed++) {
		struct program_fold fold;
		struct made_program made;
		struct tr_error err = {""};

		make_program(&made, seed);
		made.silent = false;
		made.iterations += 10;
		made.loses = seed % 3 > 0;
		made.varies = seed % 3 < 2;
		make_trace(&made);
		if (program_fold_make(&fold, &made.trace, 0, &err) == TR_OK) {
			folded++;
			right += is_that(&made, &fold);
		}
		program_fold_clear(&fold);
		program_trace_clear(&made.trace);
	}
	if (folded < programs * 95 / 100 || right < folded * 98 / 100)
		fail_msg("%llu of %llu fold, %llu of them to what they are",
			 (unsigned long long)folded, (unsigned long long)programs,
			 (unsigned long long)right);
}

// Two ranks send the same message to a third, each a number of times that three divides, in random
// order and without silences: where no beat makes iterations, periods keep all messages, but for
// less than an iteration at the end.
static void periods_keep_all_messages(void **state)
{
	const uint64_t programs = getenv("FLIT_LONG") ? 20000 : 400;
	uint64_t by_periods = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= programs; seed++) {
		struct made_program made = {.nodes = 3};
		uint32_t left[2];
		struct program_fold fold;
		struct tr_error err = {""};

		tr_random_open(&made.random, seed, "program");
		for (int pair = 0; pair < 2; pair++)
			left[pair] = 3 * (1 + (uint32_t)below(&made, 6));
		made.trace = (struct program_trace){
			.name = "made", .nodes = made.nodes, .ticks_per_s = 1e9};
		for (int64_t now = 0; left[0] + left[1] > 0; now += 1000 * US) {
			const uint32_t pair = below(&made, left[0] + left[1]) >= left[0];

			send(&made, now, 3000 * US, pair, 2, 16000, false);
			left[pair]--;
		}
		program_trace_sort(&made.trace);
		if (program_fold_make(&fold, &made.trace, 0, &err) == TR_OK && !fold.silent &&
		    !fold.by_beats) {
			by_periods++;
			if (made.trace.count >= (fold.iterations + 1) * fold.slot_count)
				fail_msg("program %llu: %u iterations of %u messages of %zu",
					 (unsigned long long)seed, fold.iterations, fold.slot_count,
					 made.trace.count);
		}
		program_fold_clear(&fold);
		program_trace_clear(&made.trace);
	}
	assert_true(by_periods > programs / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_are_folded_back),
		cmocka_unit_test(programs_with_faults_are_folded_back),
		cmocka_unit_test(periods_keep_all_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
