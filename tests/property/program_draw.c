// SPDX-License-Identifier: GPL-3.0-or-later
#include "program_draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "text/goal.h"

struct rank_text {
	char *text;
	size_t bytes;
	FILE *out;
	struct goal_writer writer;
};

// The operation depends on some earlier ones of its rank, except the last few.
static void put(struct tr_random *random, const struct program_draw *draw, struct rank_text *rank,
		struct goal_op op, uint32_t but)
{
	uint32_t number;

	op.cpu = (uint8_t)tr_random_below(random, draw->cpus);
	op.nic = op.kind == GOAL_CALC ? 0 : (uint8_t)tr_random_below(random, draw->nics);
	number = goal_write_op(&rank->writer, &op);
	for (uint32_t needs = (uint32_t)tr_random_below(random, 3); needs > 0 && number > but;
	     needs--) {
		uint32_t near = number - but < 4 ? number - but : 4;

		goal_write_need(&rank->writer, number,
				number - but - 1 - (uint32_t)tr_random_below(random, near),
				tr_random_below(random, 5) == 0);
	}
}

// A message, and maybe a computation before it. Nobody waits for the send of a message to himself
// before he receives it.
static void put_step(struct tr_random *random, const struct program_draw *draw,
		     struct rank_text *ranks, uint32_t tag)
{
	uint32_t source = (uint32_t)tr_random_below(random, draw->ranks);
	uint32_t destination = (uint32_t)tr_random_below(random, draw->ranks);
	uint64_t size = tr_random_below(random, (uint64_t)draw->size_max + 1);

	if (source == destination && !draw->own)
		destination = (source + 1) % draw->ranks;
	if (tr_random_below(random, 3) == 0)
		put(random, draw, &ranks[source],
		    (struct goal_op){.kind = GOAL_CALC, .size = tr_random_below(random, 5000)}, 0);
	put(random, draw, &ranks[source],
	    (struct goal_op){.kind = GOAL_SEND, .size = size, .peer = destination, .tag = tag}, 0);
	put(random, draw, &ranks[destination],
	    (struct goal_op){.kind = GOAL_RECV, .size = size, .peer = source, .tag = tag},
	    source == destination);
}

char *program_draw(struct tr_random *random, const struct program_draw *draw)
{
	struct rank_text *ranks = calloc(draw->ranks, sizeof(*ranks));
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(ranks);
	assert_non_null(out);
	for (uint32_t rank = 0; rank < draw->ranks; rank++) {
		ranks[rank].out = open_memstream(&ranks[rank].text, &ranks[rank].bytes);
		assert_non_null(ranks[rank].out);
		ranks[rank].writer.out = ranks[rank].out;
	}
	for (uint32_t tag = 0; tag < draw->messages; tag++)
		put_step(random, draw, ranks, tag);
	fprintf(out, "num_ranks %u\n", draw->ranks);
	for (uint32_t rank = 0; rank < draw->ranks; rank++) {
		assert_int_equal(fclose(ranks[rank].out), 0);
		fprintf(out, "rank %u {\n%s}\n", rank, ranks[rank].text);
		free(ranks[rank].text);
	}
	assert_int_equal(fclose(out), 0);
	free(ranks);
	return text;
}
