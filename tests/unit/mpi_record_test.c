// SPDX-License-Identifier: GPL-3.0-or-later
// The recorder's files: what the header and the slots say, clocks, waits and communicators as
// events, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "foreign/foreign.h"
#include "foreign/match.h"
#include "foreign/mpi_record.h"
#include "mpi_record_bed.h"

enum { ROOM = 32 };

struct file {
	char header[REC_HEADER_BYTES];
	struct rec_slot slots[ROOM];
	unsigned count;
};

static struct tr_source *source_of(const struct file *file)
{
	struct tr_source *source;
	struct tr_error err;

	assert_int_equal(
		tr_source_open_memory(&source, file,
				      REC_HEADER_BYTES + file->count * sizeof(*file->slots),
				      "run.0", &err),
		TR_OK);
	return source;
}

static void add(struct file *file, struct rec_slot slot)
{
	file->slots[file->count++] = slot;
}

static enum tr_status read_one(const struct file *file, struct mpi_record *record,
			       struct tr_error *err)
{
	struct tr_source *source = source_of(file);
	const enum tr_status status = mpi_record_read(record, source, err);

	tr_source_close(source);
	return status;
}

// Two ranks: the input's context is their files, by the number at the end of the path.
static enum tr_status open_file(void *context, const char *beside, const char *path,
				struct tr_source **out, struct tr_error *err)
{
	(void)beside;
	(void)err;
	*out = source_of((const struct file *)context + (strchr(path, '.')[1] - '0'));
	return TR_OK;
}

static enum tr_status read_two(struct file *files, struct events *events, struct tr_error *err)
{
	const char *path = "run.0";
	const struct foreign_input input = {
		.paths = &path, .count = 1, .open = open_file, .context = files};

	for (unsigned rank = 0; rank < 2; rank++)
		mpi_record_header(files[rank].header, rank, 2);
	return foreign_mpi.read(&input, events, err);
}

static void header_and_end(void **state)
{
	struct file file = {.count = 0};
	struct mpi_record record;
	struct tr_error err;

	(void)state;
	mpi_record_header(file.header, 3, 7);
	add(&file, (struct rec_slot){.kind = REC_SEND, .begin_ns = 5, .sent_bytes = 9});
	add(&file, (struct rec_slot){.kind = REC_EMPTY});
	add(&file, (struct rec_slot){.kind = REC_WAIT, .begin_ns = 6});
	memcpy(file.header + strlen(file.header), "end 1\nlost 4\n", 13);
	assert_int_equal(read_one(&file, &record, &err), TR_OK);
	assert_int_equal(record.rank, 3);
	assert_int_equal(record.ranks, 7);
	assert_int_equal(record.run, 0x0123456789abcdef);
	assert_string_equal(record.host, "h3");
	assert_int_equal(record.operations, 1);
	assert_true(record.ended && record.finalized);
	assert_int_equal(record.lost, 4);
	mpi_record_clear(&record);
	mpi_record_header(file.header, 3, 7); // killed
	assert_int_equal(read_one(&file, &record, &err), TR_OK);
	assert_false(record.ended);
	mpi_record_clear(&record);
}

// A clock that is 1,000 ns behind at its 10,000 and 1,100 behind at its 20,000.
static void clocks(void **state)
{
	struct file file = {.count = 0};
	struct mpi_record record;
	struct tr_error err;

	(void)state;
	mpi_record_header(file.header, 0, 1);
	add(&file,
	    (struct rec_slot){
		    .kind = REC_CLOCK, .begin_ns = 10000, .ended_by = 1000, .sent_bytes = 40});
	add(&file,
	    (struct rec_slot){.kind = REC_CLOCK, .begin_ns = 20000, .ended_by = 1100, .tag = 1});
	assert_int_equal(read_one(&file, &record, &err), TR_OK);
	assert_int_equal(mpi_record_time(&record, 10000), 11000);
	assert_int_equal(mpi_record_time(&record, 15000), 16050);
	assert_int_equal(mpi_record_time(&record, 20000), 21100);
	assert_int_equal(mpi_record_time(&record, 30000), 31200);
	assert_int_equal(record.clock[0].round_ns, 40);
	mpi_record_clear(&record);
	file.count = 1; // no second comparison: no drift
	assert_int_equal(read_one(&file, &record, &err), TR_OK);
	assert_int_equal(mpi_record_time(&record, 30000), 31000);
	mpi_record_clear(&record);
}

// Rank 0 sends and receives in one call, and computes 200 ns in which 50 were spent in probes; rank
// 1 does it with requests.
static void joined_and_waits(void **state)
{
	struct file files[2] = {{.count = 0}};
	struct match_counts counts;
	struct events events;
	struct tr_error err;

	(void)state;
	add(&files[0], (struct rec_slot){.kind = REC_SEND,
					 .state = REC_JOINED | REC_RETURNED | REC_DONE,
					 .begin_ns = 1000,
					 .return_ns = 1500,
					 .sent_bytes = 10,
					 .peer = 1,
					 .tag = 3});
	add(&files[0], (struct rec_slot){.kind = REC_RECV,
					 .state = REC_RETURNED | REC_DONE,
					 .begin_ns = 1000,
					 .return_ns = 1500,
					 .received_bytes = 20,
					 .peer = 1,
					 .tag = 4});
	add(&files[0], (struct rec_slot){.kind = REC_BARRIER,
					 .state = REC_RETURNED,
					 .begin_ns = 1700,
					 .return_ns = 1800,
					 .other_ns = 50,
					 .peer = REC_PEER_NONE});
	add(&files[1], (struct rec_slot){.kind = REC_IRECV,
					 .state = REC_NONBLOCKING | REC_DONE,
					 .begin_ns = 1000,
					 .return_ns = 1010,
					 .ended_by = 2,
					 .received_bytes = 10,
					 .peer = 0,
					 .tag = 3});
	add(&files[1], (struct rec_slot){.kind = REC_ISEND,
					 .state = REC_NONBLOCKING | REC_DONE,
					 .begin_ns = 1020,
					 .return_ns = 1030,
					 .ended_by = 2,
					 .sent_bytes = 20,
					 .peer = 0,
					 .tag = 4});
	add(&files[1], (struct rec_slot){.kind = REC_WAIT, .begin_ns = 1040, .return_ns = 1400});
	add(&files[1], (struct rec_slot){.kind = REC_BARRIER,
					 .state = REC_RETURNED,
					 .begin_ns = 1750,
					 .return_ns = 1800,
					 .peer = REC_PEER_NONE});
	assert_int_equal(read_two(files, &events, &err), TR_OK);
	assert_int_equal(events_match(&events, &counts, &err), TR_OK);
	assert_int_equal(counts.messages, 2);
	assert_int_equal(counts.unsent + counts.unreceived + counts.guessed, 0);
	assert_int_equal(events.by_rank[0].count,
			 6); // isend, irecv, two waits, the probes, the barrier
	assert_int_equal(events.by_rank[0].events[2].kind, EVENT_WAIT);
	assert_int_equal(events.by_rank[0].events[4].kind, EVENT_CALL);
	assert_int_equal(events.by_rank[0].events[4].begin_ticks, 1650);
	assert_int_equal(events.by_rank[0].events[4].end_ticks, 1700);
	assert_int_equal(events.by_rank[1].count, 5);
	assert_int_equal(events.by_rank[1].events[2].link, 0);
	assert_int_equal(events.by_rank[1].events[3].link, 1);
	events_clear(&events);
}

static void add_communicator(struct file *file, uint32_t number, int32_t nth, int32_t first,
			     int32_t second, uint64_t local)
{
	struct rec_slot data = {.kind = REC_DATA};
	const int32_t members[2] = {first, second};

	add(file, (struct rec_slot){.kind = REC_COMMUNICATOR,
				    .communicator = number,
				    .sent_bytes = 2,
				    .received_bytes = local,
				    .tag = nth,
				    .data = 1,
				    .begin_ns = 1});
	memcpy((char *)&data + 8, members, sizeof(members));
	add(file, data);
}

// In the reverse of the world rank 0 is 1; between two groups of one each is the other group's 0.
// Its record is in one file only.
static void communicators(void **state)
{
	struct file files[2] = {{.count = 0}};
	struct match_counts counts;
	struct events events;
	struct tr_error err;

	(void)state;
	add_communicator(&files[0], 77, 0, 1, 0, 0);
	add_communicator(&files[1], 99, 0, 1, 0, 1);
	add(&files[0], (struct rec_slot){.kind = REC_SEND,
					 .state = REC_RETURNED,
					 .communicator = 77,
					 .begin_ns = 10,
					 .return_ns = 11,
					 .peer = 0,
					 .sent_bytes = 5});
	add(&files[1], (struct rec_slot){.kind = REC_RECV,
					 .state = REC_RETURNED,
					 .communicator = 77,
					 .begin_ns = 10,
					 .return_ns = 12,
					 .peer = 1,
					 .received_bytes = 5});
	add(&files[0], (struct rec_slot){.kind = REC_SEND,
					 .state = REC_RETURNED,
					 .communicator = 99,
					 .begin_ns = 20,
					 .return_ns = 21,
					 .peer = 0,
					 .sent_bytes = 6});
	add(&files[1], (struct rec_slot){.kind = REC_RECV,
					 .state = REC_RETURNED,
					 .communicator = 99,
					 .begin_ns = 20,
					 .return_ns = 22,
					 .peer = 0,
					 .received_bytes = 6});
	assert_int_equal(read_two(files, &events, &err), TR_OK);
	assert_int_equal(events_match(&events, &counts, &err), TR_OK);
	assert_int_equal(counts.messages, 2);
	assert_int_equal(counts.unsent + counts.unreceived, 0);
	assert_int_equal(events.by_rank[0].events[0].peer, 1);
	assert_int_equal(events.by_rank[0].events[1].peer, 1);
	events_clear(&events);
}

static void refuse(struct file *file, const char *why)
{
	struct mpi_record record;
	struct tr_error err;

	assert_int_equal(read_one(file, &record, &err), TR_ERROR);
	assert_string_equal(err.text, why);
	mpi_record_clear(&record);
}

static void refused(void **state)
{
	struct file file = {.count = 0}, files[2] = {{.count = 0}};
	struct events events;
	struct tr_error err;

	(void)state;
	memset(file.header, 'x', sizeof(file.header));
	refuse(&file, "run.0: expected an MPI record, version 1, with a header of 4096 bytes; "
		      "found something else");
	mpi_record_header(file.header, 2, 2);
	refuse(&file,
	       "run.0: header: expected slots of 64 bytes and a rank below 2, found 64 and 2");
	mpi_record_header(file.header, 0, 1);
	add(&file, (struct rec_slot){.kind = REC_WAIT});
	add(&file, (struct rec_slot){.kind = 200});
	refuse(&file,
	       "run.0: byte 4160: expected a kind of slot as flit-mpi(5) has them, found another");
	file.slots[1] = (struct rec_slot){.kind = REC_SEND, .begin_ns = -1};
	refuse(&file, "run.0: byte 4160: expected times since the epoch, found a negative one");
	add_communicator(&files[0], 77, 0, 1, 0, 0);
	files[0].slots[0].sent_bytes = 15; // in one data slot
	assert_int_equal(read_two(files, &events, &err), TR_ERROR);
	assert_string_equal(
		err.text,
		"run.0: byte 4096: expected a communicator's members, found fewer or none");
	events_clear(&events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_and_end),   cmocka_unit_test(clocks),
		cmocka_unit_test(joined_and_waits), cmocka_unit_test(communicators),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
