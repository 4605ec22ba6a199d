// SPDX-License-Identifier: GPL-3.0-or-later
// Messages read from the headers in TCP are those that were sent, however the bytes are cut into
// segments, repeated and put out of order. Where headers are cut off, what is found is a part of
// what was sent. FLIT_LONG: more cases.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "mpi_streams.h"
#include "packet/segments.h"

static uint64_t rounds(void)
{
	return getenv("FLIT_LONG") ? 20000 : 300;
}

// Of a message that is partly unseen, the size may be that of what was seen; if it is that of all,
// tag and communicator may be those of another.
static bool same(const struct stream_message *sent, const struct tr_message *found)
{
	const uint16_t flags = sent->asks ? TR_MESSAGE_RENDEZVOUS : TR_MESSAGE_EAGER;
	const bool partly = found->flags & TR_MESSAGE_PARTLY;

	return (partly ? found->size_bytes <= sent->size_bytes
		       : found->size_bytes == sent->size_bytes) &&
	       ((partly && found->size_bytes == sent->size_bytes) ||
		(found->tag == sent->tag && found->communicator == sent->communicator)) &&
	       (found->flags & ~TR_MESSAGE_PARTLY) == flags &&
	       found->begin_ticks <= found->end_ticks;
}

// The messages of a direction are those sent, in their order; all: none is missing.
static void compare(const struct mpi_streams *streams, const struct stream_results *results,
		    unsigned direction, bool all)
{
	size_t at = 0;

	for (size_t i = 0; i < results->found_count; i++) {
		const struct tr_message *found = &results->found[i];

		if (found->src != direction)
			continue;
		while (at < streams->message_count &&
		       (streams->messages[at].direction != direction ||
			(!all && !same(&streams->messages[at], found))))
			at++;
		assert_true(at < streams->message_count);
		assert_true(same(&streams->messages[at], found));
		assert_int_equal(found->dst, !direction);
		at++;
	}
	while (at < streams->message_count && streams->messages[at].direction != direction)
		at++;
	if (all)
		assert_int_equal(at, streams->message_count);
}

static struct stream_cuts draw_cuts(struct tr_random *random)
{
	return (struct stream_cuts){
		.most_bytes = (uint32_t)(1 + tr_random_below(random, tr_random_below(random, 2)
									     ? 100
									     : 9000)),
		.first = {tr_random_below(random, 2) ? tr_random_u32(random)
						     : 0u - (uint32_t)tr_random_below(random, 5000),
			  tr_random_u32(random)},
		.random_sizes = tr_random_below(random, 2),
		.disturbed = tr_random_below(random, 2),
		.joined = tr_random_below(random, 2),
	};
}

static void test_cuts(void **state)
{
	const uint64_t count = rounds();

	(void)state;
	for (uint64_t round = 0; round < count; round++) {
		struct mpi_streams streams;
		struct stream_results results;
		struct stream_cuts cuts;
		struct tr_random random;

		tr_random_open(&random, round, "cuts");
		mpi_streams_make(&streams, (enum stream_kind)(round % STREAM_KINDS),
				 tr_random_below(&random, 12), &random);
		cuts = draw_cuts(&random);
		stream_results_open(&results, true, SIZE_MAX);
		stream_deliver(&results, &streams, &cuts, &random);
		for (unsigned i = 0; i < 2; i++)
			compare(&streams, &results, i, true);
		for (size_t i = 0; i < results.found_count; i++) {
			assert_int_equal(results.found[i].flags & TR_MESSAGE_PARTLY, 0);
			assert_int_equal(results.found[i].id, i);
			if (round % STREAM_KINDS !=
			    STREAM_UCX) // there the handshake tells the ranks
				assert_int_equal(results.found[i].dst_rank,
						 3 + 2 * results.found[i].dst);
		}
		assert_int_equal(pk_messages_counts(results.messages).losses, 0);
		assert_int_equal(pk_messages_counts(results.messages).missing_bytes, 0);
		stream_results_close(&results);
		mpi_streams_free(&streams);
	}
}

// Of each segment only some bytes are kept, or the capture begins late: what is found was sent.
static void test_unseen(void **state)
{
	const uint64_t count = rounds();
	uint64_t sent = 0, found = 0;

	(void)state;
	for (uint64_t round = 0; round < count; round++) {
		struct mpi_streams streams;
		struct stream_results results;
		struct stream_cuts cuts = {.most_bytes = 1460, .known_bytes = 42};
		struct tr_random random;

		tr_random_open(&random, round, "unseen");
		mpi_streams_make(&streams, (enum stream_kind)(round % STREAM_KINDS), 10, &random);
		cuts.without_opening = tr_random_below(&random, 2);
		cuts.joined = tr_random_below(&random, 2);
		stream_results_open(&results, true, SIZE_MAX);
		stream_deliver(&results, &streams, &cuts, &random);
		for (unsigned i = 0; i < 2; i++)
			compare(&streams, &results, i, false);
		sent += cuts.without_opening || cuts.joined ? 0 : streams.message_count;
		found += cuts.without_opening || cuts.joined ? 0 : results.found_count;
		stream_results_close(&results);
		mpi_streams_free(&streams);
	}
	assert_int_equal(found, sent); // each header begins a segment
}

// ---- segments alone, against a table of which frame carried each byte first

#define SPAN 300u

struct model {
	uint8_t bytes[SPAN]; // '?': cut off
	int64_t times[SPAN]; // 0: in no frame
};

struct passed {
	struct model model;
	uint32_t at;
};

static void take_piece(void *context, const struct pk_piece *piece)
{
	struct passed *passed = context;

	for (uint32_t i = 0; i < piece->bytes; i++, passed->at++) {
		assert_true(passed->at < SPAN);
		if (piece->missing)
			continue;
		passed->model.times[passed->at] = piece->time_ns;
		passed->model.bytes[passed->at] = i < piece->known_bytes ? piece->data[i] : '?';
		assert_true(piece->sent_ns <= piece->time_ns);
	}
}

static void give_segment(struct pk_segments *segments, struct model *model, struct passed *passed,
			 uint32_t first, int64_t time_ns, struct tr_random *random)
{
	uint8_t *bytes;
	const uint32_t from = (uint32_t)tr_random_below(random, SPAN);
	const uint32_t most = SPAN - from < 60 ? SPAN - from : 60;
	const uint32_t count = 1 + (uint32_t)tr_random_below(random, most);
	const uint32_t known = tr_random_below(random, 3)
				       ? count
				       : (uint32_t)tr_random_below(random, count + 1);

	bytes = malloc(known + 1u); // so that a sanitizer sees one too many
	assert_non_null(bytes);
	for (uint32_t i = 0; i < count; i++) {
		if (i < known)
			bytes[i] = (uint8_t)('A' +
					     tr_random_below(
						     random,
						     26)); // another frame says something else
		if (model->times[from + i])
			continue;
		model->times[from + i] = time_ns;
		model->bytes[from + i] = i < known ? bytes[i] : '?';
	}
	pk_segments_add(segments, time_ns, first + from, bytes, known, count, take_piece, passed);
	free(bytes);
}

// Overlaps, repetitions, gaps, wraps and lies: each byte is that of the first frame with it, with
// that frame's time.
static void test_first_frame(void **state)
{
	const uint64_t cases = getenv("FLIT_LONG") ? 1000000 : 30000;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "first frame");
	for (uint64_t i = 0; i < cases; i++) {
		struct pk_segments segments = {0};
		struct model model = {.bytes = {0}};
		struct passed passed = {.at = 0};
		const uint32_t first = tr_random_below(&random, 2) ? tr_random_u32(&random)
								   : 0u - 100u;
		const uint64_t count = tr_random_below(&random, 25);

		pk_segments_begin(&segments, first, take_piece, &passed);
		for (uint64_t s = 0; s < count; s++)
			give_segment(&segments, &model, &passed, first, (int64_t)s + 1, &random);
		pk_segments_finish(&segments, take_piece, &passed);
		assert_memory_equal(&passed.model, &model, sizeof(model));
		assert_int_equal(segments.waiting_bytes, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_unseen),
		cmocka_unit_test(test_first_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
