// SPDX-License-Identifier: GPL-3.0-or-later
// The reference engine and the local one on the same random cases: their results on the network
// must be equal bit by bit. A difference is shrunk and printed as a case.
//    myrinet_engines_test [FILE ...]   without files: the kept cases and FLIT_CASES random ones
// FLIT_CASES  random cases (1,000; 4,500 if FLIT_LONG is in the environment)
// FLIT_SEED   of the random cases (1)
// FLIT_FIRST  number of the first of them (0)
// FLIT_GO_ON  set: prints a line for each difference and continues; a line every 1000 cases, from
//            which an interrupted run can continue; the test still fails
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engines_compare.h"
#include "engines_draw.h"
#include "engines_shrink.h"
#include "fabric_bed.h"
#include "setting.h"

#define LIMIT_S 60
#define SHRINK_LIMIT_S 2
#define SHRINK_TRIES 6000
#define FIRST "reference"

// How many of the random cases were of a kind.
struct tally {
	unsigned long failed, deadlocked, dropped, stopped, waited, refused;
	unsigned long dead, damaged, undetected, misrouted, late, links_lost, reacted, answered,
		copied, finite, cut, ranks;
	unsigned long differ;
	uint64_t characters;
};

static const char *second_engine(void)
{
	const char *name = getenv("FLIT_ENGINE");

	return name ? name : "local";
}

// An engine compared with itself would pass every case.
static bool second_is_another(void)
{
	const struct net_engine *first = engine_called(FIRST),
				*second = engine_called(second_engine());

	return first && second && first->run != second->run;
}

static bool still_differs(void *context, const struct engines_case *item)
{
	struct engines_story *story = context;

	// A smaller case that does not end (worms are sent again for ever) is another trouble.
	return engines_compare_apart(item, FIRST, second_engine(), SHRINK_LIMIT_S, story) ==
		       ENGINES_DIFFER &&
	       strcmp(story->why, ENGINES_ENDLESS) != 0;
}

static void report(struct engines_case *item, const struct engines_story *story, const char *name)
{
	struct engines_story smaller;
	struct engines_fault fault = {still_differs, &smaller, SHRINK_TRIES};

	engines_shrink(item, &fault);
	fprintf(stderr, "# %s: engines differ: %s\n", name, story->why);
	still_differs(&smaller, item);
	fprintf(stderr, "# shrunk with %u tries: %s\n", SHRINK_TRIES - fault.tries, smaller.why);
	engines_case_write(item, stderr);
}

static enum engines_verdict load_and_compare(const char *path, struct engines_case *item,
					     struct engines_story *story)
{
	struct tr_error err = {{0}};
	FILE *in = fopen(path, "r");
	enum tr_status status = in ? engines_case_read(item, in, &err) : TR_ERROR;

	if (!in)
		engines_case_open(item);
	else
		fclose(in);
	if (status == TR_OK)
		return engines_compare_apart(item, FIRST, second_engine(), LIMIT_S, story);
	snprintf(story->why, sizeof(story->why), "%.200s", in ? err.text : "cannot be opened");
	return ENGINES_NO_CASE;
}

static void kept_cases_agree(void **state)
{
	struct engines_story story;
	struct engines_case item;
	glob_t found;

	(void)state;
	assert_int_equal(glob("tests/property/cases/*.case", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		enum engines_verdict verdict = load_and_compare(found.gl_pathv[i], &item, &story);

		if (verdict != ENGINES_EQUAL)
			fail_msg("%s: %s", found.gl_pathv[i], story.why);
		engines_case_clear(&item);
	}
	globfree(&found);
}

static void count(struct tally *tally, const struct engines_story *story)
{
	tally->failed += story->failed;
	tally->deadlocked += story->deadlocked;
	tally->dropped += story->dropped;
	tally->stopped += story->stopped;
	tally->waited += story->waited_memory;
	tally->dead += story->dead;
	tally->damaged += story->damaged;
	tally->undetected += story->undetected;
	tally->misrouted += story->misrouted;
	tally->late += story->late;
	tally->links_lost += story->links_lost;
	tally->reacted += story->reacted;
	tally->copied += story->copied;
	tally->finite += story->finite;
	tally->cut += story->regions > 1;
	tally->ranks += story->ranks;
	tally->answered += story->answered;
	tally->characters += story->characters;
}

// Whether the cases reached what they are for.
static void check_tally(const struct tally *tally, uint64_t cases)
{
	print_message("%llu cases, %llu characters: %lu end in an error, %lu deadlock, %lu drop, "
		      "%lu stop links, %lu wait for memory; %lu refused by %s\n",
		      (unsigned long long)cases, (unsigned long long)tally->characters,
		      tally->failed, tally->deadlocked, tally->dropped, tally->stopped,
		      tally->waited, tally->refused, second_engine());
	print_message("they lose worms to faults in %lu, of which BEATs tell in %lu, to bit errors "
		      "in %lu "
		      "(undetected in %lu), to wrong routes in %lu, to timeouts in %lu; %lu react, "
		      "%lu have replies, %lu multicasts, %lu finite sources; %lu in regions\n",
		      tally->dead, tally->links_lost, tally->damaged, tally->undetected,
		      tally->misrouted, tally->late, tally->reacted, tally->answered, tally->copied,
		      tally->finite, tally->cut);
	if (cases < 500)
		return;
	assert_true(tally->dead > 0 && tally->links_lost > 0 && tally->damaged > 0 &&
		    tally->undetected > 0 && tally->misrouted > 0 && tally->late > 0 &&
		    tally->reacted > cases / 20 && tally->answered > cases / 20 &&
		    tally->copied > 0 && tally->finite > cases / 20);
	assert_true(tally->failed > 0 && tally->failed < cases / 4);
	assert_true(tally->deadlocked > 0 && tally->deadlocked < cases / 4);
	assert_true(tally->dropped > 0 && tally->stopped > cases / 10 && tally->waited > 0);
	assert_true(tally->refused < cases / 3);
}

static void check_case(struct engines_case *item, const char *name, struct tally *tally)
{
	struct engines_story story;
	const enum engines_verdict verdict = engines_compare_apart(item, FIRST, second_engine(),
								   LIMIT_S, &story);

	if (verdict == ENGINES_DIFFER && getenv("FLIT_GO_ON")) {
		print_message("%s: %s\n", name, story.why);
		tally->differ++;
		return;
	}
	if (verdict == ENGINES_DIFFER)
		report(item, &story, name);
	if (verdict == ENGINES_DIFFER || verdict == ENGINES_NO_CASE)
		fail_msg("%s: %s", name, story.why);
	tally->refused += verdict == ENGINES_REFUSED;
	count(tally, &story);
}

// Draws this many cases, each changed by a function (NULL: not), and compares the engines.
static void check_cases(uint64_t cases, const char *kind,
			void (*change)(struct engines_case *item, uint64_t number),
			struct tally *tally)
{
	const uint64_t seed = setting("FLIT_SEED", 1), first = setting("FLIT_FIRST", 0);
	struct engines_case item;
	char name[64];

	for (uint64_t i = first; i < first + cases; i++) {
		if (getenv("FLIT_GO_ON") && i > first && i % 1000 == 0)
			print_message("at %s %llu\n", kind, (unsigned long long)i);
		snprintf(name, sizeof(name), "%s %llu of seed %llu", kind, (unsigned long long)i,
			 (unsigned long long)seed);
		engines_draw(&item, seed, i);
		if (change)
			change(&item, i);
		check_case(&item, name, tally);
		engines_case_clear(&item);
	}
}

static void random_cases_agree(void **state)
{
	const uint64_t cases = setting("FLIT_CASES", getenv("FLIT_LONG") ? 4500 : 800);
	struct tally tally = {0};

	(void)state;
	check_cases(cases, "case", NULL, &tally);
	check_tally(&tally, cases);
	assert_int_equal(tally.differ, 0);
}

// Nor what ranks refuse: links are not sampled, and in most cases no queue is ever full.
static void calm_for_ranks(struct engines_case *item)
{
	item->sampling.width_ticks = 0;
	if (item->shuffle % 16 != 0)
		item->params.adapter.queue_worms = (uint32_t)item->packet_count + 1;
}

// Without what keeps a network whole, so that the second engine moves it in regions.
static void calm(struct engines_case *item, uint64_t number)
{
	item->params.finite = false;
	item->params.loss = myr_params_yates.loss;
	item->params.layer = myr_params_yates.layer;
	item->params.multicast = myr_params_yates.multicast;
	item->params.format.gap_after = false;
	item->fault_count = 0;
	item->reaction.rounds = 0;
	item->enough = 0;
	item->shuffle = 1 + number;
	for (size_t i = 0; i < item->packet_count; i++)
		item->packets[i].route_count = ENGINES_USUAL_ROUTE;
	if (item->shuffle % 2 == 0)
		calm_for_ranks(item);
}

static void regions_agree(void **state)
{
	const uint64_t cases = setting("FLIT_CASES", getenv("FLIT_LONG") ? 20000 : 250);
	struct tally tally = {0};

	(void)state;
	check_cases(cases, "calm case", calm, &tally);
	print_message("%llu cases, %lu in regions, %lu by ranks: %lu end in an error, %lu "
		      "deadlock, %lu drop\n",
		      (unsigned long long)cases, tally.cut, tally.ranks, tally.failed,
		      tally.deadlocked, tally.dropped);
	assert_true(cases < 100 || (tally.cut > cases / 2 && tally.ranks > cases / 5));
	assert_int_equal(tally.differ, 0);
}

// Runs the named files; the exit status is 1 where one differs, 2 where one is no case.
static int replay(int count_of_files, char **files)
{
	static const char *const names[] = {"equal", "differ", "refused", "no case"};
	int status = 0;

	for (int i = 0; i < count_of_files; i++) {
		struct engines_story story = {.why = ""};
		struct engines_case item;
		enum engines_verdict verdict = load_and_compare(files[i], &item, &story);
		int bad = verdict == ENGINES_DIFFER ? 1 : verdict == ENGINES_NO_CASE ? 2 : 0;

		printf("%s: %s %s\n", files[i], names[verdict], story.why);
		status = bad > status ? bad : status;
		engines_case_clear(&item);
	}
	return status;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_cases_agree),
		cmocka_unit_test(random_cases_agree),
		cmocka_unit_test(regions_agree),
	};

	if (!second_is_another()) {
		fprintf(stderr, "%s is not an engine other than %s\n", second_engine(), FIRST);
		return 2;
	}
	if (argc > 1)
		return replay(argc - 1, argv + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
