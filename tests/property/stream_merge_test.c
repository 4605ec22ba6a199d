// SPDX-License-Identifier: GPL-3.0-or-later
// The merge of sorted streams is the stable sort of their concatenation: equal records by meaning,
// equal order. The sort itself is compared with a plain one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random_stream.h"
#include "stream/merge.h"
#include "stream/sort.h"
#include "stream/text.h"

#define INPUTS_MAX 5u
#define LINE_BYTES 2048

// A record by what it means: time in the merge's ticks, all else as text.
struct line {
	int64_t time_ticks;
	size_t order;
	char text[LINE_BYTES];
};

struct lines {
	struct line *line;
	size_t count;
};

static struct line *add_line(struct lines *lines)
{
	lines->line = reallocarray(lines->line, lines->count + 1, sizeof(*lines->line));
	assert_non_null(lines->line);
	return &lines->line[lines->count++];
}

static const char *node_text(const struct tr_names *names, uint32_t id)
{
	return id == TR_NODE_OTHER ? "other" : tr_names_node(names, id);
}

// A field without ids: names for nodes, flows and links; spans scaled by scale.
static int write_field(const struct tr_names *names, const struct tr_field *field, int64_t value,
		       __int128 scale, char *out, size_t out_bytes)
{
	uint32_t id = (uint32_t)value;
	const struct tr_flow *flow;

	switch ((enum tr_field_meaning)field->meaning) {
	case TR_NODE_ID: return snprintf(out, out_bytes, " %s", node_text(names, id));
	case TR_LINK_ID: return snprintf(out, out_bytes, " %s", tr_names_link(names, id));
	case TR_FLOW_ID:
		if (id == TR_FLOW_NONE)
			return snprintf(out, out_bytes, " -");
		flow = tr_names_flow(names, id);
		return snprintf(out, out_bytes, " %s>%s/%u/%u/%u", node_text(names, flow->src),
				node_text(names, flow->dst), flow->protocol, flow->src_port,
				flow->dst_port);
	case TR_SPAN:
	case TR_AREA: return snprintf(out, out_bytes, " %lld", (long long)(value * scale));
	case TR_TIME:
		return 0; // the first is the line's; later ones are compared in the delivery test
			  // below
	default: return snprintf(out, out_bytes, " %lld", (long long)value);
	}
}

static void describe(struct line *line, const struct tr_kind_info *kind,
		     const struct tr_names *names, const union tr_record *record, int64_t scale,
		     int64_t offset)
{
	size_t used = 0;

	line->time_ticks = record->time_ticks * scale + offset;
	line->text[0] = '\0';
	for (unsigned i = 0; i < kind->field_count && used < LINE_BYTES; i++) {
		const struct tr_field *field = &kind->fields[i];
		int64_t value = tr_field_get(record, field);
		bool later = field->meaning == TR_TIME && field->offset_bytes;

		if (later)
			used += (size_t)snprintf(
				line->text + used, LINE_BYTES - used, " %lld",
				(long long)(value == -1 ? -1 : value * scale + offset));
		used += (size_t)write_field(names, field, value, scale, line->text + used,
					    LINE_BYTES - used);
	}
}

static struct tr_reader *open_file(const char *path)
{
	struct tr_source *source;
	struct tr_reader *in;

	assert_int_equal(tr_source_open(&source, path, NULL), TR_OK);
	assert_int_equal(tr_reader_open(&in, source, NULL, NULL, NULL), TR_OK);
	tr_reader_pauses(in)->keep = true;
	return in;
}

// What an input says, in the merge's clock, with the names as they are at each record.
static void expect(struct lines *lines, const char *path, const struct tr_header *merged)
{
	struct tr_reader *in = open_file(path);
	const struct tr_header *own = tr_reader_header(in);
	int64_t scale = (int64_t)(merged->ticks_per_s / own->ticks_per_s);
	int64_t apart_ns = (own->origin_s - merged->origin_s) * 1000000000 +
			   (int64_t)own->origin_ns - (int64_t)merged->origin_ns;
	__int128 offset = (__int128)apart_ns * (__int128)merged->ticks_per_s;
	const union tr_record *record;

	assert_true(offset % 1000000000 == 0);
	while (tr_next(in, &record) == TR_OK) {
		struct line *line = add_line(lines);

		describe(line, tr_kind_find(own->kind), tr_reader_names(in), record, scale,
			 (int64_t)(offset / 1000000000));
		line->order = lines->count;
	}
	tr_reader_close(in);
}

static int compare(const void *a, const void *b)
{
	const struct line *x = a;
	const struct line *y = b;

	if (x->time_ticks != y->time_ticks)
		return x->time_ticks < y->time_ticks ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static enum tr_status put_name(void *context, const struct tr_name *name, struct tr_error *err)
{
	return name->kind == TR_NAME_NOTE ? TR_OK : tr_names_set(context, name, err);
}

// Merges files; the header is filled in.
static void merge_files(char paths[][64], size_t count, struct lines *lines,
			struct tr_header *header)
{
	struct tr_reader *inputs[INPUTS_MAX];
	struct tr_names names = {.node_count = 0};
	struct tr_name_sink sink = {put_name, &names};
	const union tr_record *record;
	struct tr_merge *merge;
	struct tr_error err = {""};
	int64_t complete_ticks = INT64_MIN;
	enum tr_status status;

	for (size_t i = 0; i < count; i++)
		inputs[i] = open_file(paths[i]);
	assert_int_equal(tr_merge_header(inputs, count, false, header, NULL), TR_OK);
	assert_int_equal(tr_merge_open(&merge, inputs, count, header,
				       (struct tr_merge_options){false, false}, sink, NULL),
			 TR_OK);
	while ((status = tr_merge_next(merge, &record, &err)) == TR_OK) {
		assert_true(tr_merge_time(merge) >= complete_ticks);
		complete_ticks = tr_merge_time(merge);
		if (record)
			describe(add_line(lines), tr_kind_find(header->kind), &names, record, 1, 0);
	}
	if (status != TR_END)
		fail_msg("%s", err.text);
	tr_merge_close(merge);
	for (size_t i = 0; i < count; i++)
		tr_reader_close(inputs[i]);
	tr_names_clear(&names);
}

static void one_case(struct tr_random *random, unsigned kind, const char *folder)
{
	static const uint64_t rates[] = {4, 12, 100, 1000};
	char paths[INPUTS_MAX][64];
	size_t count = 1 + tr_random_below(random, INPUTS_MAX);
	struct lines expected = {NULL, 0};
	struct lines got = {NULL, 0};
	struct tr_header header;

	for (size_t i = 0; i < count; i++) {
		struct stream_wishes wishes = {
			.kind = kind,
			.items = 10 + tr_random_below(random, 100),
			.span_ticks = 500,
			.ticks_per_s = rates[tr_random_below(random, 4)],
			.plain = tr_random_below(random, 2),
		};

		struct stream stream;

		(void)snprintf(paths[i], sizeof(paths[i]), "%s/%zu", folder, i);
		stream_make(&stream, random, &wishes);
		stream_write_file(&stream, paths[i], random);
		stream_clear(&stream);
	}
	merge_files(paths, count, &got, &header);
	for (size_t i = 0; i < count; i++) {
		expect(&expected, paths[i], &header);
		(void)unlink(paths[i]);
	}
	if (expected.count)
		qsort(expected.line, expected.count, sizeof(*expected.line), compare);
	assert_int_equal(got.count, expected.count);
	for (size_t i = 0; i < got.count; i++) {
		assert_true(got.line[i].time_ticks == expected.line[i].time_ticks);
		assert_string_equal(got.line[i].text, expected.line[i].text);
	}
	free(expected.line);
	free(got.line);
}

static void merge_is_the_sorted_concatenation(void **state)
{
	char folder[] = "/tmp/stream-merge-XXXXXX";
	struct tr_random random;

	(void)state;
	assert_non_null(mkdtemp(folder));
	tr_random_open(&random, 1, "merge");
	for (size_t i = 0; i < cases(200, 10000); i++)
		one_case(&random, 1 + (unsigned)(i % 5), folder);
	assert_int_equal(rmdir(folder), 0);
}

struct numbered {
	int64_t time_ticks;
	uint64_t number;
};

// Records with few different times, many more than the memory holds: 65536 / (16 + 2 * 16) = 1365.
static void sort_is_stable(void **state)
{
	static const size_t counts[] = {0, 1, 2, 1000, 1365, 1366, 3000, 50000};
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 2, "sort");
	for (size_t i = 0; i < cases(40, 400); i++) {
		size_t count = counts[i % 8];
		struct tr_sort *sort;
		const void *next;
		struct numbered before = {INT64_MIN, 0};
		int64_t times = 1 + (int64_t)tr_random_below(&random, 300);
		uint64_t sum = 0;

		assert_int_equal(tr_sort_open(&sort, sizeof(before), 1, NULL, NULL), TR_OK);
		for (size_t n = 0; n < count; n++) {
			struct numbered record = {
				(int64_t)tr_random_below(&random, (uint64_t)times) - times / 2, n};

			if (i % 3 == 0)
				record.time_ticks = (int64_t)n; // in order already
			assert_int_equal(tr_sort_add(sort, &record, NULL), TR_OK);
		}
		for (size_t n = 0; n < count; n++) {
			struct numbered record;

			assert_int_equal(tr_sort_next(sort, &next, NULL), TR_OK);
			memcpy(&record, next, sizeof(record));
			assert_true(record.time_ticks > before.time_ticks ||
				    (record.time_ticks == before.time_ticks &&
				     record.number > before.number));
			before = record;
			sum += record.number;
		}
		assert_int_equal(tr_sort_next(sort, &next, NULL), TR_END);
		assert_int_equal(tr_sort_next(sort, &next, NULL), TR_END);
		assert_int_equal(sum, count ? (uint64_t)count * (count - 1) / 2 : 0);
		assert_true((tr_sort_runs(sort) > 1) == (count > 1365));
		tr_sort_close(sort);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(merge_is_the_sorted_concatenation),
		cmocka_unit_test(sort_is_stable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
