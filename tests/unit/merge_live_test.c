// SPDX-License-Identifier: GPL-3.0-or-later
// A merge of live pipes passes on what is complete: an input that only sends its time does not
// block it. An alarm ends a test that hangs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "stream/merge.h"
#include "stream/writer.h"

#define PATIENCE_S 20

struct pipe_line {
	struct tr_writer *writer;
	struct tr_reader *reader;
};

static const struct tr_header header = {.kind = TR_SERIES, .ticks_per_s = 10};

static void open_line(struct pipe_line *line)
{
	struct tr_source *source;
	char path[32];
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
	assert_int_equal(tr_writer_open(&line->writer, path, &header, NULL, NULL, NULL), TR_OK);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	assert_int_equal(tr_source_open(&source, path, NULL), TR_OK);
	assert_int_equal(tr_reader_open(&line->reader, source, NULL, NULL, NULL), TR_OK);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void put(struct pipe_line *line, int64_t time_ticks)
{
	struct tr_series record = {.start_ticks = time_ticks, .node = TR_NODE_OTHER};

	assert_int_equal(tr_put(line->writer, &record), TR_OK);
	assert_int_equal(tr_writer_flush(line->writer, INT64_MIN), TR_OK);
}

static enum tr_status ignore(void *context, const struct tr_name *name, struct tr_error *err)
{
	(void)context;
	(void)name;
	(void)err;
	return TR_OK;
}

// Steps until a record comes or the merge is complete up to wanted; the record's time or -1.
static int64_t step_to(struct tr_merge *merge, int64_t wanted)
{
	const union tr_record *record;

	for (;;) {
		assert_int_equal(tr_merge_next(merge, &record, NULL), TR_OK);
		if (record)
			return record->time_ticks;
		if (tr_merge_time(merge) >= wanted)
			return -1;
	}
}

static void time_alone_moves_the_merge(void **state)
{
	struct pipe_line lines[2];
	struct tr_reader *inputs[2];
	struct tr_merge *merge;
	struct tr_header merged;
	const union tr_record *record;
	const struct tr_trailer end = {.lost = 0};

	(void)state;
	(void)alarm(PATIENCE_S);
	for (int i = 0; i < 2; i++) {
		open_line(&lines[i]);
		inputs[i] = lines[i].reader;
	}
	assert_int_equal(tr_merge_header(inputs, 2, false, &merged, NULL), TR_OK);
	assert_int_equal(tr_merge_open(&merge, inputs, 2, &merged,
				       (struct tr_merge_options){false, false},
				       (struct tr_name_sink){ignore, NULL}, NULL),
			 TR_OK);
	put(&lines[1], 5);
	put(&lines[1], 9);
	assert_int_equal(tr_writer_flush(lines[0].writer, 7),
			 TR_OK); // the first has nothing before 7
	assert_int_equal(step_to(merge, 7), 5);
	assert_int_equal(tr_merge_time(merge), 5);
	assert_int_equal(step_to(merge, 7), -1); // 9 must wait
	assert_int_equal(tr_merge_time(merge), 7);
	put(&lines[0], 9);
	assert_int_equal(step_to(merge, 9), 9);
	assert_int_equal(tr_writer_flush(lines[0].writer, 12), TR_OK);
	assert_int_equal(step_to(merge, 12), 9);
	for (int i = 0; i < 2; i++)
		assert_int_equal(tr_writer_close(lines[i].writer, &end, NULL), TR_OK);
	while (tr_merge_next(merge, &record, NULL) == TR_OK)
		assert_null(record);
	assert_int_equal(tr_merge_next(merge, &record, NULL), TR_END);
	tr_merge_close(merge);
	tr_reader_close(inputs[0]);
	tr_reader_close(inputs[1]);
}

// The clock that a filter passes on must not run ahead of the records that it has yet to give.
static void a_block_counts_when_it_is_given(void **state)
{
	struct pipe_line line;
	const union tr_record *record;
	const struct tr_trailer end = {.lost = 0};
	size_t ready;

	(void)state;
	(void)alarm(PATIENCE_S);
	open_line(&line);
	put(&line, 3);
	for (int64_t t = 4; t < 7; t++) {
		struct tr_series series = {.start_ticks = t, .node = TR_NODE_OTHER};

		assert_int_equal(tr_put(line.writer, &series), TR_OK);
	}
	assert_int_equal(tr_writer_close(line.writer, &end, NULL), TR_OK);
	assert_true(tr_reader_time(line.reader) == INT64_MIN);
	assert_int_equal(tr_advance(line.reader, &ready), TR_OK);
	assert_int_equal(ready, 1);
	assert_true(tr_reader_time(line.reader) == INT64_MIN);
	assert_int_equal(tr_next(line.reader, &record), TR_OK);
	assert_int_equal(tr_reader_time(line.reader), 3);
	assert_int_equal(tr_advance(line.reader, &ready), TR_OK);
	assert_int_equal(ready, 3);
	assert_int_equal(tr_reader_time(line.reader), 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(tr_next(line.reader, &record), TR_OK);
	assert_int_equal(tr_reader_time(line.reader), 6);
	assert_int_equal(tr_advance(line.reader, &ready), TR_END);
	tr_reader_close(line.reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_alone_moves_the_merge),
		cmocka_unit_test(a_block_counts_when_it_is_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
