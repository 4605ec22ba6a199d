// SPDX-License-Identifier: GPL-3.0-or-later
// DUMPI's binary form, written here as each version wrote it: what differs between versions is read
// alike, and a file that is cut anywhere is refused with its offset. Expectations follow from the
// calls written.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "foreign/dumpi.h"
#include "foreign/match.h"

#define MAGIC UINT64_C(0xffaadd44554d5049)
#define FILE_BYTES 4096u

struct file {
	uint8_t bytes[FILE_BYTES];
	size_t size;
	unsigned version; // as 609 for 0.6.9
	unsigned offsets; // of the index
	bool statuses;
};

static void put(struct file *file, unsigned bytes, uint64_t value)
{
	while (bytes-- > 0)
		file->bytes[file->size++] = (uint8_t)(value >> 8 * bytes);
}

// A number of letters b, h, i, q gives its size.
static void put_all(struct file *file, const char *sizes, ...)
{
	va_list values;

	va_start(values, sizes);
	for (; *sizes; sizes++)
		put(file, *sizes == 'b' ? 1 : *sizes == 'h' ? 2 : 4, (uint64_t)va_arg(values, int));
	va_end(values);
}

static void put_call(struct file *file, const char *name, unsigned ns)
{
	put(file, 2, (uint64_t)(dumpi_find(name) - dumpi_functions));
	put(file, 1, 8 | 64 | (file->statuses ? 3 : 0));
	put_all(file, "hhihi", 0, 1, (int)ns, 1, (int)ns + 5);
}

// The last call and the file's end.
static void put_end(struct file *file, size_t body)
{
	size_t header;

	put_call(file, "Finalize", 90);
	put(file, 2, DUMPI_FUNCTIONS + 3);
	header = file->size;
	put_all(file, "bbb", (int)(file->version / 10000), (int)(file->version / 100 % 100),
		(int)(file->version % 100));
	put(file, 8, MAGIC);
	for (unsigned i = file->offsets; i > 0; i--)
		put(file, 8, i == 4 ? header : i == 3 ? body : 0);
}

// Rank 0 alone: a message to itself through a duplicate of the world, which MPI_ANY_SOURCE gets; a
// struct of two ints and a double, a gather of one of it.
static void write_file(struct file *file)
{
	size_t body;

	file->size = 0;
	put(file, 8, MAGIC);
	body = file->size;
	put_all(file, "ii", 0, 1000000000);
	put_call(file, "Init", 0);
	put_all(file, "i", 1);
	if (file->version < 602)
		put_all(file, "i", 1); // by mistake
	put_all(file, "ibbb", 3, 'a', '.', 'b');
	put_call(file, "Comm_dup", 10);
	put_all(file, "hh", 2, 4);
	put_call(file, "Irecv", 20);
	put_all(file, "ihiihi", 4, 9, -1, -1, 4, 2);
	put_call(file, "Send", 30);
	put_all(file, "ihiih", 2, 9, 0, 3, 4);
	put_call(file, "Wait", 40);
	put_all(file, "i", 2);
	if (file->statuses)
		put_all(file, file->version < 603 ? "iiibb" : "iiibbi", 1, 8, 0, 0, 0, 3);
	put_call(file, "Type_struct", 50);
	put_all(file, "iiii", 2, 2, 2, 1);
	if (file->version < 609)
		put_all(file, "i", 0);
	else
		put_all(file, "iii", 2, 0, 8);
	put_all(file, "ihhh", 2, 9, 14, 28);
	put_call(file, "Gatherv", 60);
	put_all(file, "iiihihiiiih", 0, 1, 1, 28, 0, 2, 1, 1, 1, 0, 28);
	put_end(file, body);
}

#define RANKS 4u

// Each of four ranks: a group of two ranges, a communicator of it, a broadcast there, and an
// all-to-all in place, whose counts and types sent mean nothing.
static void write_group(struct file *file)
{
	size_t body;

	file->size = 0;
	put(file, 8, MAGIC);
	body = file->size;
	put_all(file, "ii", 0, 1000000000);
	put_call(file, "Comm_group", 10);
	put_all(file, "hh", 2, 3);
	put_call(file, "Group_range_incl", 20);
	put_all(file, "hiiiiiiiiiih", 3, 2, 2, 3, 3, 2, -1, 3, 0, 1, 1, 4);
	put_call(file, "Comm_create", 30);
	put_all(file, "hhh", 2, 4, 5);
	put_call(file, "Bcast", 40);
	put_all(file, "ihih", 3, 9, 0, 5);
	put_call(file, "Alltoallw", 50);
	put_all(file, "iiiiii", 4, 4, 7, 7, 7, 7);
	put_all(file, "iiiii", 4, 0, 0, 0, 0);
	put_all(file, "ihhhh", 4, 1, 1, 1, 1);
	put_all(file, "iiiii", 4, 1, 2, 3, 4);
	put_all(file, "iiiii", 4, 0, 0, 0, 0);
	put_all(file, "ihhhhh", 4, 9, 14, 9, 14, 2);
	put_end(file, body);
}

static enum tr_status open_bytes(void *context, const char *beside, const char *path,
				 struct tr_source **out, struct tr_error *err)
{
	const struct file *file = context;

	(void)beside;
	return tr_source_open_memory(out, file->bytes, file->size, path, err);
}

static enum tr_status read_file(struct file *file, struct events *events, struct tr_error *err)
{
	static const char *const paths[] = {"t"};
	const struct foreign_input input = {
		.paths = paths, .count = 1, .open = open_bytes, .context = file};

	return foreign_dumpi.read(&input, events, err);
}

static void check_events(const struct events *events, bool tag_is_known)
{
	const struct event *event = events->by_rank[0].events;

	assert_int_equal(events->ranks, 1);
	assert_int_equal(events->origin_s, 1000000001);
	assert_int_equal(events->by_rank[0].count, 7);
	assert_int_equal(event[0].kind, EVENT_CALL);
	assert_int_equal(event[2].kind, EVENT_IRECV);
	assert_int_equal(event[2].begin_ticks, 20);
	assert_int_equal(event[2].end_ticks, 25);
	assert_int_equal(event[2].peer, 0);
	assert_int_equal(event[2].tag, tag_is_known ? 3 : EVENT_ANY_TAG);
	assert_int_equal(event[2].bytes, 8);
	assert_int_equal(event[2].link, 3);
	assert_int_equal(event[3].kind, EVENT_SEND);
	assert_int_equal(event[3].bytes, 8);
	assert_int_equal(event[4].kind, EVENT_WAIT);
	assert_int_equal(event[4].link, 2);
	assert_int_equal(event[5].kind, EVENT_COLLECTIVE);
	assert_int_equal(event[5].collective, COLLECTIVE_GATHER);
	assert_int_equal(event[5].bytes, 16);
}

static void every_version_is_read(void **state)
{
	static const struct {
		unsigned version, offsets;
	} versions[] = {{0, 4},	  {601, 5}, {602, 6},	{603, 6},
			{608, 7}, {609, 7}, {10000, 7}, {80100, 7}};

	(void)state;
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		struct file file = {.version = versions[i].version,
				    .offsets = versions[i].offsets,
				    .statuses = true};
		struct match_counts counts;
		struct events events;
		struct tr_error err = {""};

		write_file(&file);
		if (read_file(&file, &events, &err) != TR_OK ||
		    events_match(&events, &counts, &err) != TR_OK)
			fail_msg("version %u: %s", file.version, err.text);
		check_events(&events, file.version >= 603);
		assert_int_equal(counts.messages, 1);
		assert_int_equal(counts.guessed, file.version < 603); // its tag was not kept
		events_clear(&events);
	}
}

static void without_a_status_the_message_is_guessed(void **state)
{
	struct file file = {.version = 10000, .offsets = 7};
	struct match_counts counts;
	struct events events;
	struct tr_error err = {""};

	(void)state;
	write_file(&file);
	assert_int_equal(read_file(&file, &events, &err), TR_OK);
	assert_int_equal(events_match(&events, &counts, &err), TR_OK);
	assert_int_equal(counts.guessed, 1);
	assert_int_equal(events.by_rank[0].events[2].bytes, 16); // the room
	events_clear(&events);
}

static void groups_and_lists_are_read(void **state)
{
	static const char *const paths[RANKS] = {"0", "1", "2", "3"};
	static const uint32_t members[RANKS] = {3, 2, 0, 1};
	struct file file = {.version = 10000, .offsets = 7};
	const struct foreign_input input = {
		.paths = paths, .count = RANKS, .open = open_bytes, .context = &file};
	struct events events;
	struct tr_error err = {""};

	(void)state;
	write_group(&file);
	if (foreign_dumpi.read(&input, &events, &err) != TR_OK)
		fail_msg("%s", err.text);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		const struct event *bcast = &events.by_rank[rank].events[1],
				   *alltoall = &events.by_rank[rank].events[2];
		uint32_t count;

		assert_int_equal(bcast->kind, EVENT_COLLECTIVE);
		assert_memory_equal(events_members(&events, rank, bcast->communicator, &count),
				    members, sizeof(members));
		assert_int_equal(count, RANKS);
		assert_int_equal(events_given(&events, rank, bcast), rank == 3 ? 12 : 0);
		assert_int_equal(events_given(&events, rank, alltoall), 4 * (1 + 3) + 8 * (2 + 4));
	}
	events_clear(&events);
}

static void a_cut_file_is_refused_with_its_offset(void **state)
{
	struct file file = {.version = 10000, .offsets = 7, .statuses = true};
	size_t whole;

	(void)state;
	write_file(&file);
	whole = file.size;
	for (file.size = 8; file.size < whole; file.size++) {
		struct events events;
		struct tr_error err = {""};

		assert_int_equal(read_file(&file, &events, &err), TR_ERROR);
		assert_non_null(strstr(err.text, "t: offset "));
		events_clear(&events);
	}
}

static void what_is_wrong_is_named(void **state)
{
	struct file file = {.version = 10000, .offsets = 7, .statuses = true};
	struct events events;
	struct tr_error err = {""};

	(void)state;
	write_file(&file);
	file.bytes[16] = 9; // the high byte of the first number: MPI_Init is 124
	assert_int_equal(read_file(&file, &events, &err), TR_ERROR);
	assert_string_equal(err.text,
			    "t: offset 16: expected the number of a function, found 2428");
	events_clear(&events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_version_is_read),
		cmocka_unit_test(without_a_status_the_message_is_guessed),
		cmocka_unit_test(groups_and_lists_are_read),
		cmocka_unit_test(a_cut_file_is_refused_with_its_offset),
		cmocka_unit_test(what_is_wrong_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
