// SPDX-License-Identifier: GPL-3.0-or-later
// flitcat: joins trace streams, one after the other, merged or sorted, and checks their order.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/merge.h"
#include "stream/sort.h"
#include "stream/unify.h"
#include "tool/tool.h"
#include "value/ticks.h"

struct flitcat_choices {
	bool merge, sort, check;
	bool unsorted, round, renumber;
	const char *path;
	struct tr_writer_options writing;
	struct num_ratio memory;
};

struct cat {
	struct tool *tool;
	const struct flitcat_choices *choices;
	struct tr_writer *writer;
	struct tr_unify *unify;
	const struct tr_field *id; // to number anew; NULL: keep
	uint64_t number;
	int64_t last_ticks;
};

// The writer remembers its failure, which the next tr_put returns.
static enum tr_status flitcat_put_name(void *context, const struct tr_name *name,
				       struct tr_error *err)
{
	struct cat *cat = context;

	(void)err;
	(void)tr_put_name(cat->writer, name);
	return TR_OK;
}

static bool flitcat_put(struct cat *cat, const union tr_record *record)
{
	union tr_record numbered;

	if (cat->id) {
		memcpy(&numbered, record,
		       tr_kind_find(tr_writer_header(cat->writer)->kind)->size_bytes);
		(void)tr_field_set(&numbered, cat->id, (int64_t)cat->number++);
		record = &numbered;
	}
	return tr_put(cat->writer, record) == TR_OK;
}

static const struct tr_field *find_id(const struct tr_kind_info *kind)
{
	for (unsigned i = 0; i < kind->field_count; i++)
		if (!strcmp(kind->fields[i].name, "id"))
			return &kind->fields[i];
	return NULL;
}

// Opens the output for streams with a header like this one.
static bool flitcat_open_output(struct cat *cat, const struct tr_header *header)
{
	const struct tr_kind_info *kind = tr_kind_find(header->kind);
	struct tr_header own = *header;

	own.unsorted = cat->choices->unsorted;
	cat->id = cat->choices->renumber ? find_id(kind) : NULL;
	if (cat->choices->renumber && !cat->id) {
		tool_error(cat->tool, "%s records have no id to number", kind->name);
		return false;
	}
	cat->writer = tool_output(cat->tool, cat->choices->path, &own, &cat->choices->writing);
	return cat->writer;
}

// Adds an input, converted to the output's ids and time. NULL after a failure, which is printed.
static struct tr_unify_input *flitcat_take_in(struct cat *cat, struct tr_reader *in)
{
	const struct tr_header *header = tr_reader_header(in);
	struct tr_name_sink sink = {flitcat_put_name, cat};
	struct tr_unify_input *ids;
	struct tr_error err;

	if (!cat->unify && !flitcat_open_output(cat, header))
		return NULL;
	if ((!cat->unify && tr_unify_open(&cat->unify, header, sink, &err) != TR_OK) ||
	    tr_unify_add(cat->unify, header, cat->choices->round, &ids, &err) != TR_OK) {
		tool_error(cat->tool, "%s: %s", tr_reader_name(in), err.text);
		return NULL;
	}
	if (cat->choices->sort && tool_operand_count(cat->tool) > 1)
		tr_unify_keep_links_apart(cat->unify);
	tr_reader_on_name(in, tr_unify_name, ids);
	tr_reader_pauses(in)->keep = true;
	return ids;
}

// The next record of an input, converted to the output's; false at its end or after a failure.
static bool flitcat_next(struct cat *cat, struct tr_reader *in, struct tr_unify_input *ids,
			 const union tr_record **record)
{
	const union tr_record *own;
	struct tr_error err;

	if (tr_next(in, &own) != TR_OK)
		return false;
	if (tr_unify_record(ids, own, record, &err) == TR_OK)
		return true;
	tool_error(cat->tool, "%s: record %" PRIu64 ": %s (--round takes the nearest tick)",
		   tr_reader_name(in), tr_reader_records(in), err.text);
	return false;
}

// ---- one after the other

static bool flitcat_in_order(struct cat *cat, const struct tr_reader *in, int64_t time_ticks)
{
	uint64_t ticks_per_s = tr_writer_header(cat->writer)->ticks_per_s;
	char before[48], now[48];

	if (time_ticks >= cat->last_ticks || cat->choices->unsorted) {
		cat->last_ticks = time_ticks;
		return true;
	}
	tool_error(cat->tool,
		   "%s: record %" PRIu64
		   " goes back in time from %s s to %s s; use --merge, --sort or --unsorted",
		   tr_reader_name(in), tr_reader_records(in),
		   tr_ticks_format(cat->last_ticks, ticks_per_s, before, sizeof(before)),
		   tr_ticks_format(time_ticks, ticks_per_s, now, sizeof(now)));
	return false;
}

static enum tool_status concatenate(struct cat *cat)
{
	const union tr_record *record;
	struct tr_unify_input *ids;
	struct tr_reader *in;
	bool going = true;

	while (going && tool_next_input(cat->tool, &in) == TR_OK) {
		ids = flitcat_take_in(cat, in);
		going = ids;
		if (going && tr_unify_same_clock(ids))
			tool_follow(cat->tool, in);
		while (going && flitcat_next(cat, in, ids, &record))
			going = flitcat_in_order(cat, in, record->time_ticks) &&
				flitcat_put(cat, record);
		going = going && tool_ok(cat->tool);
	}
	return TOOL_OK;
}

// ---- merged

// Opens all inputs; NULL after a failure. *count of them, to be closed with close_all.
static struct tr_reader **flitcat_open_all(struct cat *cat, size_t *count)
{
	size_t bound = tool_operand_count(cat->tool) + 1;
	struct tr_reader **inputs = calloc(bound, sizeof(struct tr_reader *));

	*count = 0;
	if (!inputs) {
		tool_no_memory(cat->tool, "the inputs");
		return NULL;
	}
	while (*count < bound && tool_next_beside(cat->tool, &inputs[*count]) == TR_OK)
		++*count;
	return inputs;
}

static void close_all(struct cat *cat, struct tr_reader **inputs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		tool_close_input(cat->tool, inputs[i]);
	free(inputs);
}

static void merge_inputs(struct cat *cat, struct tr_reader **inputs, size_t count)
{
	struct tr_merge_options options = {cat->choices->round, tool_keep_going(cat->tool)};
	struct tr_name_sink sink = {flitcat_put_name, cat};
	const union tr_record *record;
	int64_t time_ticks = INT64_MIN;
	struct tr_merge *merge;
	struct tr_header header;
	struct tr_error err;
	enum tr_status status = tr_merge_header(inputs, count, options.round, &header, &err);

	if (status != TR_OK)
		tool_error(cat->tool, "%s", err.text);
	if (status != TR_OK || !flitcat_open_output(cat, &header))
		return;
	if (tr_merge_open(&merge, inputs, count, &header, options, sink, &err) != TR_OK) {
		tool_error(cat->tool, "%s", err.text);
		return;
	}
	tool_promise(cat->tool, &time_ticks);
	while ((status = tr_merge_next(merge, &record, &err)) == TR_OK &&
	       (!record || flitcat_put(cat, record)))
		time_ticks = tr_merge_time(merge);
	tool_promise(cat->tool, NULL);
	if (status == TR_ERROR && *err.text)
		tool_error(cat->tool, "%s (--round takes the nearest tick)", err.text);
	tr_merge_close(merge);
}

static enum tool_status flitcat_merge(struct cat *cat)
{
	size_t count;
	struct tr_reader **inputs = flitcat_open_all(cat, &count);

	if (inputs && count && tool_ok(cat->tool))
		merge_inputs(cat, inputs, count);
	close_all(cat, inputs, count);
	return TOOL_OK;
}

// ---- sorted

static bool give_sorted(struct cat *cat, struct tr_sort *sort)
{
	const void *record;
	struct tr_error err;
	enum tr_status status;

	while ((status = tr_sort_next(sort, &record, &err)) == TR_OK)
		if (!flitcat_put(cat, record))
			return false;
	if (status == TR_ERROR)
		tool_error(cat->tool, "%s", err.text);
	return status == TR_END;
}

// Adds all of one input to the sort; creates *sort for the first.
static bool sort_input(struct cat *cat, struct tr_reader *in, struct tr_sort **sort)
{
	struct tr_unify_input *ids = flitcat_take_in(cat, in);
	const union tr_record *record;
	struct tr_error err;
	enum tr_status status = TR_OK;

	if (!ids)
		return false;
	if (!*sort)
		status = tr_sort_open(sort, tr_kind_find(tr_reader_header(in)->kind)->size_bytes,
				      (size_t)num_value(cat->choices->memory), getenv("TMPDIR"),
				      &err);
	while (status == TR_OK && flitcat_next(cat, in, ids, &record))
		status = tr_sort_add(*sort, record, &err);
	if (status != TR_OK)
		tool_error(cat->tool, "%s", err.text);
	return status == TR_OK && tool_ok(cat->tool);
}

static enum tool_status sort_all(struct cat *cat)
{
	struct tr_sort *sort = NULL;
	struct tr_reader *in;
	bool going = true;

	while (going && tool_next_input(cat->tool, &in) == TR_OK)
		going = sort_input(cat, in, &sort);
	if (going && sort && tool_ok(cat->tool))
		(void)give_sorted(cat, sort);
	tr_sort_close(sort);
	return TOOL_OK;
}

// ---- checked

// Reports where an input's records first step back in time.
static void check_input(struct cat *cat, struct tr_reader *in)
{
	uint64_t ticks_per_s = tr_reader_header(in)->ticks_per_s;
	const union tr_record *record;
	int64_t last_ticks = INT64_MIN;
	char before[48], now[48];
	bool sorted = true;

	tr_reader_pauses(in)->keep = true;
	while (tr_next(in, &record) == TR_OK) {
		if (sorted && record->time_ticks < last_ticks)
			tool_verdict(
				cat->tool,
				"%s: record %" PRIu64 " goes back in time from %s s to %s s",
				tr_reader_name(in), tr_reader_records(in),
				tr_ticks_format(last_ticks, ticks_per_s, before, sizeof(before)),
				tr_ticks_format(record->time_ticks, ticks_per_s, now, sizeof(now)));
		sorted &= record->time_ticks >= last_ticks;
		last_ticks = record->time_ticks;
	}
}

static enum tool_status flitcat_check(struct cat *cat)
{
	struct tr_reader *in;

	while (tool_next_input(cat->tool, &in) == TR_OK)
		check_input(cat, in);
	return TOOL_OK;
}

static enum tool_status flitcat_run(struct cat *cat)
{
	const struct flitcat_choices *choices = cat->choices;

	if (choices->merge + choices->sort + choices->check + choices->unsorted > 1) {
		tool_error(cat->tool,
			   "expected at most one of --merge, --sort, --check and --unsorted");
		return TOOL_FAILED;
	}
	return choices->check	? flitcat_check(cat)
	       : choices->merge ? flitcat_merge(cat)
	       : choices->sort	? sort_all(cat)
				: concatenate(cat);
}

int main(int argc, char **argv)
{
	struct flitcat_choices choices = {.memory = {256 << 20, 1}};
	const struct opt opts[] = {
		OPT_FLAG('m', "merge", &choices.merge, "merge sorted streams by time, in one pass"),
		OPT_FLAG(0, "sort", &choices.sort, "sort by time; equal times keep their order"),
		OPT_FLAG(0, "check", &choices.check,
			 "write nothing; exit with 1 if a record goes back in time"),
		OPT_FLAG('u', "unsorted", &choices.unsorted,
			 "keep the order of times that go back"),
		OPT_ROUND(&choices.round),
		OPT_FLAG(0, "renumber", &choices.renumber, "number the output records from 0"),
		OPT_WRITE(&choices.path),
		OPT_COMPRESS(&choices.writing.compress),
		OPT_UNBUFFERED(&choices.writing.flush_each),
		{OPT_TYPE_QUANTITY, 0, "memory", "SIZE", OPT_MEMORY_HELP, &choices.memory, NUM_SIZE,
		 NULL, OPT_SILENT, 0},
		OPT_NOT_WITH("write,compress,unbuffered,round,renumber", "check"),
		OPT_ONLY_WITH("memory", "sort"),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitcat",
		"[-m | --sort | --check | -u] [-zU] [-w file] [file ...]",
		"Concatenates, merges or sorts trace streams.",
		opts,
	};
	struct cat cat = {.tool = tool_start(argc, argv, &spec),
			  .choices = &choices,
			  .last_ticks = INT64_MIN};
	enum tool_status status = flitcat_run(&cat);

	tr_unify_close(cat.unify);
	return tool_finish(cat.tool, status);
}
