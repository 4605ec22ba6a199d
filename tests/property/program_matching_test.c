// SPDX-License-Identifier: GPL-3.0-or-later
// Matching of receives and messages compared with the rule on plain lists: the first posted receive
// that fits, the first arrived message. Receives use wildcards for source, tag, both or neither.
// Rank 0 posts them when its second processor has worked long enough; messages arrive at odd
// nanoseconds and receives are posted at even ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "program_bed.h"
#include "value/random.h"

#define SOURCES 3u
#define TAGS 3u
#define EACH_MAX 12u
#define LATENCY_NS 1000

static struct program_bed bed;

struct event {
	int64_t time_ns;
	uint32_t source; // GOAL_ANY in a receive that leaves it open
	uint32_t tag;
	bool post;
	bool used;
};

struct match {
	int64_t time_ns;
	uint32_t source;
	uint32_t tag;
};

struct draw {
	struct event events[(SOURCES + 1) * EACH_MAX];
	size_t count;
};

static uint32_t below(struct tr_random *random, uint32_t n)
{
	return (uint32_t)tr_random_below(random, n);
}

// What a source sends: each message after some work, the first of an odd number of ns, the others
// of even ones.
static void put_source(struct tr_random *random, struct draw *draw, uint32_t source, FILE *out)
{
	uint32_t messages = below(random, EACH_MAX + 1);
	int64_t now_ns = 0;

	fprintf(out, "rank %u {\n", source);
	for (uint32_t i = 0; i < messages; i++) {
		// Sources send at times of their own: no two messages arrive together.
		int64_t work_ns = (i == 0 ? 2 * source + 1 : 0) +
				  2 * SOURCES * (int64_t)(1 + below(random, 100));
		uint32_t tag = below(random, TAGS);

		fprintf(out, "w%u: calc %lld\n", i, (long long)work_ns);
		if (i > 0)
			fprintf(out, "w%u requires w%u\n", i, i - 1);
		fprintf(out, "s%u: send 4b to 0 tag %u\ns%u requires w%u\n", i, tag, i, i);
		now_ns += work_ns;
		draw->events[draw->count++] = (struct event){
			.time_ns = now_ns + LATENCY_NS, .source = source, .tag = tag};
	}
	fprintf(out, "}\n");
}

static void put_receives(struct tr_random *random, struct draw *draw, FILE *out)
{
	uint32_t receives = below(random, EACH_MAX + 1);
	int64_t now_ns = 0;

	fprintf(out, "rank 0 {\n");
	for (uint32_t i = 0; i < receives; i++) {
		int64_t work_ns = 2 + 2 * (int64_t)below(random, 400);
		uint32_t source = below(random, 2) == 0 ? GOAL_ANY : 1 + below(random, SOURCES);
		uint32_t tag = below(random, 2) == 0 ? GOAL_ANY : below(random, TAGS);

		fprintf(out, "w%u: calc %lld cpu 1\n", i, (long long)work_ns);
		if (i > 0)
			fprintf(out, "w%u requires w%u\n", i, i - 1);
		fprintf(out, "r%u: recv 4b from %d tag %d\nr%u requires w%u\n", i, (int)source,
			(int)tag, i, i);
		now_ns += work_ns;
		draw->events[draw->count++] = (struct event){
			.time_ns = now_ns, .source = source, .tag = tag, .post = true};
	}
	fprintf(out, "}\n");
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a;
	const struct event *y = b;

	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

static bool fits(const struct event *recv, const struct event *message)
{
	return (recv->source == GOAL_ANY || recv->source == message->source) &&
	       (recv->tag == GOAL_ANY || recv->tag == message->tag);
}

// In the order of time each event takes the first before it that fits and is not taken.
static size_t match_naively(struct draw *draw, struct match *matches)
{
	size_t count = 0;

	qsort(draw->events, draw->count, sizeof(*draw->events), by_time);
	for (size_t i = 0; i < draw->count; i++) {
		struct event *now = &draw->events[i];

		for (size_t j = 0; j < i && !now->used; j++) {
			struct event *then = &draw->events[j];
			const struct event *message = now->post ? then : now;

			if (then->used || then->post == now->post ||
			    !fits(now->post ? now : then, message))
				continue;
			then->used = true;
			now->used = true;
			matches[count++] = (struct match){now->time_ns, message->source,
							  message->tag};
		}
	}
	return count;
}

static char *make(struct tr_random *random, struct draw *draw)
{
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	*draw = (struct draw){.count = 0};
	fprintf(out, "num_ranks %u\n", SOURCES + 1);
	put_receives(random, draw, out);
	for (uint32_t source = 1; source <= SOURCES; source++)
		put_source(random, draw, source, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void the_oldest_that_fits_is_taken(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= (getenv("FLIT_LONG") ? 50000 : 500); seed++) {
		struct match matches[EACH_MAX];
		struct tr_random random;
		struct draw draw;
		size_t count;
		char *text;

		tr_random_open(&random, seed, "program/matching");
		text = make(&random, &draw);
		count = match_naively(&draw, matches);
		program_bed_open(&bed, text);
		bed.ideal.latency_s = (struct num_ratio){LATENCY_NS, 1000000000};
		if (program_bed_run(&bed, NULL) != TR_OK)
			fail_msg("%s", bed.err.text);
		if (bed.message_count != count)
			fail_msg("seed %llu: %zu messages, not %zu\n%s", (unsigned long long)seed,
				 bed.message_count, count, text);
		for (size_t i = 0; i < count; i++)
			if (bed.messages[i].end_ticks != matches[i].time_ns * BED_NS ||
			    bed.messages[i].src != matches[i].source ||
			    bed.messages[i].tag != (int32_t)matches[i].tag)
				fail_msg("seed %llu: match %zu is another\n%s",
					 (unsigned long long)seed, i, text);
		free(text);
		program_bed_close(&bed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_oldest_that_fits_is_taken)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
