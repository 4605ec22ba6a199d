// SPDX-License-Identifier: GPL-3.0-or-later
// Messages in TCP connections: by bytes that Open MPI and UCX wrote, and what becomes of them where
// frames are missing.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "mpi_streams.h"
#include "packet/segments.h"

#define PSH 8u
#define ACK 16u
#define SYN 2u
#define FIN 1u

static size_t bytes_of(const char *hex, uint8_t *out)
{
	size_t count = 0;

	for (; hex[0]; hex++) {
		const char *digits = "0123456789abcdef";
		const char *at = strchr(digits, hex[0]);

		if (!at)
			continue;
		out[count / 2] = (uint8_t)(count % 2 ? out[count / 2] | (at - digits)
						     : (at - digits) << 4);
		count++;
	}
	return count / 2;
}

static void give_hex(struct stream_results *results, unsigned direction, uint32_t *sequence,
		     const char *hex)
{
	uint8_t bytes[256];
	const uint32_t count = (uint32_t)bytes_of(hex, bytes);

	stream_segment(results, direction, *sequence, 0, ACK, bytes, count, count);
	*sequence += count;
}

static void give_zeros(struct stream_results *results, unsigned direction, uint32_t *sequence,
		       uint32_t count)
{
	stream_segment(results, direction, *sequence, 0, ACK, NULL, 0, count);
	*sequence += count;
}

static void finish(struct stream_results *results)
{
	struct tr_error err;

	assert_int_equal(pk_messages_finish(results->messages, &err), TR_OK);
}

static void check(const struct tr_message *found, uint64_t size_bytes, int32_t tag, uint32_t rank,
		  uint16_t flags)
{
	assert_int_equal(found->size_bytes, size_bytes);
	assert_int_equal(found->tag, tag);
	assert_int_equal(found->src_rank, rank);
	assert_int_equal(found->flags, flags);
	assert_int_equal(found->operation, TR_OP_SEND);
}

// Headers of Open MPI 4.1.4, as tcpdump printed them: a request for 131072 B with tag 1, its
// answer, the data and their end; then an eager message of 32768 B with tag 2 and sequence number 1
// the other way.
static void test_openmpi(void **state)
{
	struct stream_results results;
	uint32_t sequences[2] = {1000, 4294967290u};

	(void)state;
	stream_results_open(&results, true, SIZE_MAX);
	stream_segment(&results, 0, 999, 0, SYN, NULL, 0, 0);
	stream_segment(&results, 1, 4294967289u, 1000, SYN | ACK, NULL, 0, 0);
	give_hex(&results, 0, &sequences[0], "0100b778 00000000 4f50414c2d5443502d42544c 00000000");
	give_hex(&results, 1, &sequences[1], "0100b778 01000000 4f50414c2d5443502d42544c 00000000");
	give_hex(&results, 0, &sequences[0],
		 "4201000020000000 422c0000000000000100000001000000 0000020000000000 "
		 "4052d65dc7550000");
	give_hex(&results, 1, &sequences[1],
		 "4801000038000000 4844000000000000 4052d65dc7550000 401d5c9d0b560000 "
		 "404b5c9d0b560000 0000000000000000"
		 "00006059fa7f0000 0000020000000000");
	give_hex(&results, 0, &sequences[0], "2002010000000200 00006059fa7f0000 0000020000000000");
	give_zeros(&results, 0, &sequences[0], 100000);
	give_zeros(&results, 0, &sequences[0], 131072 - 100000);
	give_hex(&results, 0, &sequences[0],
		 "4901000018000000 4900000000000000 0000020000000000 401d5c9d0b560000");
	give_hex(&results, 1, &sequences[1], "410100000e800000 41000000010000000200000001 00");
	give_zeros(&results, 1, &sequences[1], 32768);
	finish(&results);
	assert_int_equal(results.found_count, 2);
	check(&results.found[0], 131072, 1, 0, TR_MESSAGE_RENDEZVOUS);
	assert_int_equal(results.found[0].dst_rank, 1);
	assert_int_equal(results.found[0].begin_ticks,
			 5000); // the fifth segment; the data end with the ninth
	assert_int_equal(results.found[0].end_ticks, 9000);
	check(&results.found[1], 32768, 2, 1, TR_MESSAGE_EAGER);
	assert_int_equal(results.segments, 0);
	stream_results_close(&results);
}

// Headers of MPICH 4.0.2 over UCX 1.13.1, likewise; the request's tag is 2, its source rank 1.
static void test_ucx(void **state)
{
	struct stream_results results;
	uint32_t sequences[2] = {1, 1};

	(void)state;
	stream_results_open(&results, true, SIZE_MAX);
	stream_segment(&results, 0, 0, 0, SYN, NULL, 0, 0);
	stream_segment(&results, 1, 0, 1, SYN | ACK, NULL, 0, 0);
	give_hex(&results, 0, &sequences[0],
		 "78563412bebafeca 20 1d000000 01000000000000000000000000000200 "
		 "83930a4d000100000000000000");
	give_hex(&results, 1, &sequences[1], "20 04000000 03000000");
	give_hex(&results, 0, &sequences[0],
		 "09 33000000 0200000001000000 5800780a217f0000 80cf0c8075550000 808e048075550000 "
		 "0080000000000000 01 000000000000000000 00");
	give_hex(&results, 1, &sequences[1],
		 "0b 32000000 80cf0c8075550000 80bbf91367550000 e0fef11367550000 0080000000000000 "
		 "0000000000000000 00000000000000000000");
	give_hex(&results, 0, &sequences[0],
		 "21 14000000 e0fef11367550000 0080000000000000 00000000");
	give_zeros(&results, 0, &sequences[0], 32768);
	give_hex(&results, 1, &sequences[1], "22 04000000 00000000");
	give_hex(&results, 0, &sequences[0], "10 11000000 80bbf91367550000 00 0080000000000000");
	finish(&results);
	assert_int_equal(results.found_count, 1);
	check(&results.found[0], 32768, 2, 1, TR_MESSAGE_RENDEZVOUS);
	assert_int_equal(results.found[0].dst_rank, TR_RANK_NONE);
	stream_results_close(&results);
}

static const char eager_of_100[] = "4101000072000000 4100000003000000070000000100";

// An eager message of 100 B with this sequence number.
static void give_eager(struct stream_results *results, uint32_t *sequence, uint8_t number)
{
	uint8_t bytes[122] = {0};

	(void)bytes_of(eager_of_100, bytes);
	bytes[20] = number;
	stream_segment(results, 0, *sequence, 0, ACK, bytes, sizeof(bytes), sizeof(bytes));
	*sequence += sizeof(bytes);
}

// Numbers 2 and 3 are in a frame that was lost, so are bytes of 5: these are partly unseen. The
// frame had just the bytes of two messages such as 1 and 4.
static void test_lost(void **state)
{
	struct stream_results results;
	uint32_t sequence = 1;

	(void)state;
	stream_results_open(&results, true, SIZE_MAX);
	give_eager(&results, &sequence, 1);
	sequence += 2 * 122;
	give_eager(&results, &sequence, 4);
	give_hex(&results, 0, &sequence, "4101000072000000 4100000003000000070000000500");
	sequence += 40;
	give_zeros(&results, 0, &sequence, 60);
	give_eager(&results, &sequence, 6);
	finish(&results);
	assert_int_equal(results.found_count, 6);
	for (size_t i = 0; i < 6; i++)
		check(&results.found[i], 100, 7, 3,
		      i == 1 || i == 2 || i == 4 ? TR_MESSAGE_EAGER | TR_MESSAGE_PARTLY
						 : TR_MESSAGE_EAGER);
	assert_int_equal(pk_messages_counts(results.messages).unseen, 0);
	assert_int_equal(pk_messages_counts(results.messages).losses, 1);
	assert_int_equal(pk_messages_counts(results.messages).missing_bytes, 2 * 122 + 40);
	stream_results_close(&results);
}

// Two messages in one frame of which 42 bytes of payload were kept: the second's header is unseen,
// the next frame is in step. It is found if the bytes are just those of its like.
static void test_cut(void **state)
{
	(void)state;
	for (uint32_t more = 0; more < 2; more++) {
		struct stream_results results;
		uint8_t bytes[42] = {0};
		uint32_t sequence = 1;

		stream_results_open(&results, true, SIZE_MAX);
		(void)bytes_of(eager_of_100, bytes);
		stream_segment(&results, 0, sequence, 0, ACK, bytes, sizeof(bytes), 2 * 122 + more);
		sequence += 2 * 122 + more;
		give_eager(&results, &sequence, 3);
		finish(&results);
		assert_int_equal(results.found_count, 3 - more);
		if (!more)
			check(&results.found[1], 100, 7, 3, TR_MESSAGE_EAGER | TR_MESSAGE_PARTLY);
		assert_int_equal(pk_messages_counts(results.messages).unseen, more);
		stream_results_close(&results);
	}
}

// Frames of which 10 bytes of payload were kept have the sizes of their messages, but no numbers.
static void test_cut_in_headers(void **state)
{
	struct stream_results results;
	uint8_t bytes[10] = {0};
	uint32_t sequence = 1;

	(void)state;
	stream_results_open(&results, true, SIZE_MAX);
	(void)bytes_of("4101000072000000 4100", bytes);
	for (unsigned i = 0; i < 3; i++, sequence += 122)
		stream_segment(&results, 0, sequence, 0, ACK, bytes, sizeof(bytes), 122);
	finish(&results);
	assert_int_equal(results.found_count, 3);
	for (size_t i = 0; i < 3; i++)
		check(&results.found[i], 100, 0, TR_RANK_NONE,
		      TR_MESSAGE_EAGER | TR_MESSAGE_PARTLY);
	stream_results_close(&results);
}

static double likely_unseen(const struct stream_results *results)
{
	return pk_messages_counts(results->messages).unseen_likely;
}

// The last frame has two messages and their numbers end with it: as many are likely in it as the
// numbers told of in the frames before.
static void test_cut_at_end(void **state)
{
	struct stream_results results;
	uint8_t bytes[42] = {0};
	uint32_t sequence = 1;

	(void)state;
	stream_results_open(&results, true, SIZE_MAX);
	(void)bytes_of(eager_of_100, bytes);
	for (uint8_t frame = 0; frame < 4; frame++) {
		bytes[20] = (uint8_t)(1 + 3 * frame);
		stream_segment(&results, 0, sequence, 0, ACK, bytes, sizeof(bytes), 3 * 122);
		sequence += 3 * 122;
	}
	finish(&results);
	assert_int_equal(results.found_count, 10);
	assert_int_equal(pk_messages_counts(results.messages).unseen, 0);
	assert_true(likely_unseen(&results) > 1.99 && likely_unseen(&results) < 2.01);
	stream_results_close(&results);
}

// UCX numbers no messages: where frames have five of equal size and only the first one's header is
// kept, four are likely unseen.
static void test_cut_ucx(void **state)
{
	static const char eager[] = "02 6c000000 07000000000000 00";
	struct stream_results results;
	uint8_t bytes[256] = {0};
	const uint32_t message = 5 + 0x6c;
	uint32_t sequence = 1;

	(void)state;
	stream_results_open(&results, true, SIZE_MAX);
	stream_segment(&results, 0, 0, 0, SYN, NULL, 0, 0);
	give_hex(&results, 0, &sequence, "78563412bebafeca");
	(void)bytes_of(eager, bytes);
	for (unsigned frame = 0; frame < 10; frame++) {
		stream_segment(&results, 0, sequence, 0, ACK, bytes, 42, 5 * message);
		sequence += 5 * message;
	}
	finish(&results);
	assert_int_equal(results.found_count, 10);
	assert_int_equal(pk_messages_counts(results.messages).unseen, 0);
	assert_true(likely_unseen(&results) > 39.99 && likely_unseen(&results) < 40.01);
	stream_results_close(&results);
}

// PSH on all segments of the largest size: they end what was written; not where some have none, nor
// with a larger one.
static void test_pushed(void **state)
{
	struct stream_results results;
	uint32_t sequence = 1;

	(void)state;
	stream_results_open(&results, false, SIZE_MAX);
	for (unsigned i = 0; i < 16; i++, sequence += 500) {
		assert_false(results.written);
		stream_segment(&results, 0, sequence, 0, ACK | PSH, NULL, 0, 500);
	}
	assert_true(results.written);
	stream_segment(&results, 0, sequence, 0, ACK, NULL, 0, 500);
	assert_false(results.written);
	stream_results_close(&results);
}

// A second program uses the same ports: its handshake begins the connection again.
static void test_again(void **state)
{
	struct stream_results results;

	(void)state;
	stream_results_open(&results, true, SIZE_MAX);
	for (uint32_t round = 0; round < 2; round++) {
		uint32_t sequence = 77 + round * 5000;

		stream_segment(&results, 0, sequence - 1, 0, SYN, NULL, 0, 0);
		give_hex(&results, 0, &sequence,
			 "0100b778 03000000 4f50414c2d5443502d42544c 00000000");
		give_eager(&results, &sequence, 1);
		stream_segment(&results, 0, sequence, 0, FIN | ACK, NULL, 0, 0);
		stream_segment(&results, 1, 1, sequence + 1, FIN | ACK, NULL, 0, 0);
		give_eager(&results, &sequence, 2); // after its end
	}
	finish(&results);
	assert_int_equal(results.found_count, 2);
	stream_results_close(&results);
}

// Without headers, or if they are not to be read, the segments are passed on, in order and once.
static void test_segments(void **state)
{
	struct stream_results results;
	uint32_t sequence = 1;

	(void)state;
	stream_results_open(&results, false, SIZE_MAX);
	give_eager(&results, &sequence, 1);
	sequence = 1;
	give_eager(&results, &sequence, 1);
	stream_segment(&results, 0, sequence + 10, 0, ACK, NULL, 0, 10);
	stream_segment(&results, 0, sequence, 0, ACK, NULL, 0, 10);
	finish(&results);
	assert_int_equal(results.found_count, 0);
	assert_int_equal(results.segments, 3);
	assert_int_equal(results.segment_bytes, 142);
	stream_results_close(&results);
}

// ---- segments alone

struct order {
	uint8_t bytes[64];
	int64_t times[64];
	size_t count;
	size_t missing;
};

static void take_piece(void *context, const struct pk_piece *piece)
{
	struct order *order = context;

	for (uint32_t i = 0; i < piece->bytes && !piece->missing; i++) {
		assert_true(order->count < sizeof(order->bytes));
		order->times[order->count] = piece->time_ns;
		order->bytes[order->count++] = i < piece->known_bytes ? piece->data[i] : '?';
	}
	order->missing += piece->missing ? piece->bytes : 0;
}

// The sequence numbers wrap within; the first frame with a byte counts.
static void test_order(void **state)
{
	static const struct {
		uint32_t at;
		const char *bytes;
	} given[] = {{0, "abc"}, {6, "GHI"}, {1, "XXd"},    {5, "fgh"},
		     {8, "zj"},	 {4, "e"},   {4, "efghij"}, {12, "m"}};
	const uint32_t first = 0xfffffffe;
	struct pk_segments segments = {0};
	struct order order = {.count = 0};

	(void)state;
	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		const uint32_t length = (uint32_t)strlen(given[i].bytes);

		pk_segments_add(&segments, (int64_t)i, first + given[i].at,
				(const uint8_t *)given[i].bytes, length, length, take_piece,
				&order);
	}
	assert_memory_equal(order.bytes, "abcdefGHIj", 10);
	assert_int_equal(order.count, 10);
	assert_int_equal(order.times[9], 4);
	assert_int_equal(order.times[5], 3);
	assert_int_equal(segments.count, 1);
	pk_segments_acknowledged(&segments, 100, first + 12, take_piece,
				 &order); // not yet beyond the gap's end
	assert_int_equal(order.missing, 0);
	pk_segments_acknowledged(&segments, 100, first + 13, take_piece,
				 &order); // the capture may be out of order
	assert_int_equal(order.missing, 0);
	pk_segments_acknowledged(&segments, 2000000, first + 13, take_piece, &order);
	assert_int_equal(order.missing, 2);
	assert_int_equal(order.bytes[10], 'm');
	pk_segments_finish(&segments, take_piece, &order);
}

// A connection that is given up after each of its messages: they are found all the same, with the
// ranks that its begin showed.
static void test_given_up(void **state)
{
	struct stream_results results[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		uint32_t sequences[2] = {1000, 2000};

		stream_results_open(&results[i], true, i ? 1000 : SIZE_MAX);
		stream_segment(&results[i], 0, 999, 0, SYN, NULL, 0, 0);
		stream_segment(&results[i], 1, 1999, 1000, SYN | ACK, NULL, 0, 0);
		give_hex(&results[i], 0, &sequences[0],
			 "0100b778 00000000 4f50414c2d5443502d42544c 00000000");
		give_hex(&results[i], 1, &sequences[1],
			 "0100b778 01000000 4f50414c2d5443502d42544c 00000000");
		for (uint8_t number = 1; number <= 4; number++)
			give_eager(&results[i], &sequences[0], number);
		finish(&results[i]);
		assert_int_equal(results[i].found_count, 4);
		assert_int_equal(pk_messages_counts(results[i].messages).given_up, i ? 4 : 0);
	}
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(results[1].found[i].dst_rank, 1);
		assert_memory_equal(&results[0].found[i], &results[1].found[i],
				    sizeof(results[0].found[i]));
	}
	stream_results_close(&results[0]);
	stream_results_close(&results[1]);
}

// Segments beyond a gap are bounded.
static void test_bound(void **state)
{
	struct pk_segments segments = {0};
	struct order order = {.count = 0};
	uint8_t byte = 'x';

	(void)state;
	pk_segments_begin(&segments, 0, take_piece, &order);
	for (uint32_t i = 0; i < PK_WAITING_MAX; i++)
		pk_segments_add(&segments, 0, 10 + 2 * i, &byte, 1, 1, take_piece, &order);
	assert_int_equal(order.missing, 0);
	pk_segments_add(&segments, 0, 9, &byte, 1, 1, take_piece, &order);
	assert_int_equal(order.missing, 9);
	assert_true(segments.count <= PK_WAITING_MAX);
	pk_segments_clear(&segments);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_openmpi),	       cmocka_unit_test(test_ucx),
		cmocka_unit_test(test_lost),	       cmocka_unit_test(test_cut),
		cmocka_unit_test(test_cut_in_headers), cmocka_unit_test(test_cut_at_end),
		cmocka_unit_test(test_cut_ucx),	       cmocka_unit_test(test_pushed),
		cmocka_unit_test(test_again),	       cmocka_unit_test(test_segments),
		cmocka_unit_test(test_order),	       cmocka_unit_test(test_bound),
		cmocka_unit_test(test_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
