// SPDX-License-Identifier: GPL-3.0-or-later
// flitcut: chooses records and fields of a trace stream, and turns them into text, CSV, NDJSON,
// NumPy arrays, pcap or pcapng, and text back into a stream.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flitcut.h"
#include "stream/columns.h"
#include "stream/unify.h"
#include "stream/words.h"
#include "value/ticks.h"

enum { CUT_FROM_STREAM, CUT_FROM_TEXT };

static const struct opt_choice cut_from_words[] = {
	{"stream", CUT_FROM_STREAM, "a trace stream"},
	{"text", CUT_FROM_TEXT, "the text that --format text writes"},
	{NULL, 0},
};

struct flitcut_choices {
	struct cut_wishes wishes;
	int form;
	int from;
	bool round;
	const char *columns;  // NULL: not plain tables
	uint64_t first, last; // 0: all
};

// The last records so far: record n is at n % wanted.
struct flitcut_ring {
	union tr_record *records;
	uint64_t wanted;
	uint64_t capacity; // grows up to wanted
	uint64_t seen;
};

struct cut {
	struct tool *tool;
	struct flitcut_choices choices;
	struct cut_output output;
	struct cut_filter filter;
	struct tr_unify *unify;
	struct tr_trailer trailer; // summed over the inputs
	struct flitcut_ring ring;
	uint64_t passed;
	int64_t last_ticks;
	bool after_loss; // since the last record that passed
	bool opened;
};

static enum tr_status flitcut_put_name(void *context, const struct tr_name *name,
				       struct tr_error *err)
{
	struct cut *cut = context;

	if (cut_filter_name(&cut->filter, name, err) != TR_OK)
		return TR_ERROR;
	if (cut->output.form->name)
		cut->output.form->name(&cut->output, name);
	return TR_OK;
}

// Makes the output for streams with a header like this one.
static bool flitcut_open_output(struct cut *cut, const struct tr_header *header)
{
	struct cut_output *output = &cut->output;
	struct tr_name_sink sink = {flitcut_put_name, cut};
	struct tr_error err;

	if (tr_unify_open(&cut->unify, header, sink, &err) == TR_OK) {
		output->header = *header;
		output->context = (struct tr_field_context){
			tr_kind_find(header->kind),
			header->ticks_per_s,
			tr_unify_index(cut->unify),
		};
		if (cut_filter_make(&cut->filter, &cut->choices.wishes, header, &output->context,
				    &err) == TR_OK) {
			cut->opened = output->form->open(output);
			return cut->opened;
		}
	}
	tool_error(cut->tool, "%s", err.text);
	return false;
}

// Adds an input, converted to the output's ids and time. NULL after a failure, which is printed.
static struct tr_unify_input *flitcut_take_in(struct cut *cut, const struct tr_header *header,
					      const char *name)
{
	struct tr_unify_input *ids;
	struct tr_error err;

	if (!cut->opened && !flitcut_open_output(cut, header))
		return NULL;
	if (tr_unify_add(cut->unify, header, cut->choices.round, &ids, &err) == TR_OK)
		return ids;
	tool_error(cut->tool, "%s: %s", name, err.text);
	return NULL;
}

static bool flitcut_keep(struct cut *cut, const union tr_record *record)
{
	struct flitcut_ring *ring = &cut->ring;

	if (ring->seen == ring->capacity && ring->capacity < ring->wanted) {
		uint64_t more = ring->capacity ? ring->capacity * 2 : 64;
		union tr_record *larger;

		more = more < ring->wanted ? more : ring->wanted;
		larger = reallocarray(ring->records, more, sizeof(*larger));
		if (!larger) {
			tool_no_memory(cut->tool, "the last %" PRIu64 " records", ring->wanted);
			return false;
		}
		ring->records = larger;
		ring->capacity = more;
	}
	memcpy(&ring->records[ring->seen++ % ring->wanted], record,
	       cut->output.context.kind->size_bytes);
	return true;
}

// Whether the capture lost packets before this record.
static bool is_after_loss(const struct cut *cut, const union tr_record *record)
{
	return cut->output.context.kind->kind == TR_PACKET &&
	       record->packet.flags & TR_FLAG_AFTER_LOSS;
}

// Writes a record; returns whether more are wanted. What was lost before one that does not pass was
// lost before the next.
static bool flitcut_put(struct cut *cut, const union tr_record *record)
{
	union tr_record marked;

	if (!cut_filter_pass(&cut->filter, record)) {
		cut->after_loss |= is_after_loss(cut, record);
		return true;
	}
	if (cut->after_loss && !is_after_loss(cut, record)) {
		memcpy(&marked, record, cut->output.context.kind->size_bytes);
		marked.packet.flags |= TR_FLAG_AFTER_LOSS;
		record = &marked;
	}
	cut->after_loss = false;
	cut->passed++;
	if (cut->ring.wanted ? !flitcut_keep(cut, record)
			     : !cut->output.form->record(&cut->output, record))
		return false;
	return cut->passed != cut->choices.first;
}

static bool put_last(struct cut *cut)
{
	uint64_t at = cut->ring.seen > cut->ring.wanted ? cut->ring.seen - cut->ring.wanted : 0;

	for (; at < cut->ring.seen; at++)
		if (!cut->output.form->record(&cut->output,
					      &cut->ring.records[at % cut->ring.wanted]))
			return false;
	return true;
}

// Whether the record may follow the previous ones in the output; reports why not.
static bool flitcut_in_order(struct cut *cut, int64_t time_ticks, const char *name)
{
	const struct tr_header *header = &cut->output.header;
	char before[48], now[48];

	// A plain table cannot be marked as unsorted, so a step back in one is an error in every
	// form.
	if (time_ticks < cut->last_ticks && !header->unsorted &&
	    (cut->output.form->ordered || cut->choices.columns)) {
		tool_error(cut->tool, "%s: goes back in time from %s s to %s s (%s)", name,
			   tr_ticks_format(cut->last_ticks, header->ticks_per_s, before,
					   sizeof(before)),
			   tr_ticks_format(time_ticks, header->ticks_per_s, now, sizeof(now)),
			   cut->choices.columns ? "sort the table by its time"
						: "flitcat merges and sorts");
		return false;
	}
	cut->last_ticks = time_ticks;
	return true;
}

static bool put_unified(struct cut *cut, struct tr_unify_input *ids, const union tr_record *own,
			const char *name)
{
	const union tr_record *record;
	struct tr_error err;

	if (tr_unify_record(ids, own, &record, &err) == TR_OK)
		return flitcut_in_order(cut, record->time_ticks, name) && flitcut_put(cut, record);
	tool_error(cut->tool, "%s: %s (--round takes the nearest tick)", name, err.text);
	return false;
}

static void add_trailer(struct cut *cut, const struct tr_trailer *trailer)
{
	cut->trailer.lost += trailer->lost;
	cut->trailer.lost_known |= trailer->lost_known;
	cut->trailer.damaged |= trailer->damaged;
}

// ---- trace streams

static bool cut_stream(struct cut *cut, struct tr_reader *in)
{
	struct tr_unify_input *ids = flitcut_take_in(cut, tr_reader_header(in), tr_reader_name(in));
	const union tr_record *own;
	enum tr_status status;

	if (!ids)
		return false;
	tr_reader_on_name(in, tr_unify_name, ids);
	tr_reader_pauses(in)->keep = true;
	if (cut->output.writer && tr_unify_same_clock(ids))
		tool_follow(cut->tool, in);
	while ((status = tr_next(in, &own)) == TR_OK)
		if (!put_unified(cut, ids, own, tr_reader_name(in)))
			return false;
	if (status == TR_ERROR)
		cut->trailer.damaged = true;
	add_trailer(cut, tr_reader_trailer(in));
	return true;
}

static void cut_streams(struct cut *cut)
{
	struct tr_reader *in;
	bool going = true;

	while (going && tool_next_input(cut->tool, &in) == TR_OK)
		going = cut_stream(cut, in);
}

// ---- text

// Writes the content of a line; false after a failure. *status: that of a name.
static bool put_item(struct cut *cut, struct tr_unify_input *ids, const struct tr_text_item *item,
		     const char *name, enum tr_status *status, struct tr_error *err)
{
	if (!item->name)
		return put_unified(cut, ids, item->record, name);
	*status = tr_unify_name(ids, item->name, err);
	return true;
}

// Passes the text's provenance on as a note.
static enum tr_status put_history(struct tr_unify_input *ids, const char *history,
				  struct tr_error *err)
{
	struct tr_name note = {
		.kind = TR_NAME_NOTE, .text = history, .text_bytes = strlen(history)};

	return note.text_bytes ? tr_unify_name(ids, &note, err) : TR_OK;
}

static bool cut_text_items(struct cut *cut, struct tr_text_reader *in, const char *name)
{
	struct tr_unify_input *ids = flitcut_take_in(cut, tr_text_header(in), name);
	struct tr_text_item item;
	struct tr_error err;
	enum tr_status status;

	if (!ids)
		return false;
	status = put_history(ids, tr_text_provenance(in), &err);
	while (status == TR_OK && (status = tr_text_next(in, &item, &err)) == TR_OK)
		if (!put_item(cut, ids, &item, name, &status, &err))
			return false;
	if (status == TR_ERROR)
		tool_error(cut->tool, "%s", err.text);
	else
		add_trailer(cut, tr_text_trailer(in));
	return status == TR_END;
}

static bool cut_text(struct cut *cut, struct tr_source *source)
{
	struct tr_text_reader *in;
	struct tr_error err;
	bool done = false;

	if (tr_text_reader_open(&in, source, &err) != TR_OK) {
		tool_error(cut->tool, "%s", err.text);
		return false;
	}
	done = cut_text_items(cut, in, tr_source_name(source));
	tr_text_reader_close(in);
	return done;
}

static bool cut_table(struct cut *cut, struct tr_source *source)
{
	struct tr_columns *in;
	struct tr_unify_input *ids = NULL;
	struct tr_text_item item;
	struct tr_error err;
	enum tr_status status = tr_columns_open(&in, source, cut->choices.columns,
						cut->choices.round, &err);
	bool going = true;

	if (status == TR_OK &&
	    !(ids = flitcut_take_in(cut, tr_columns_header(in), tr_source_name(source))))
		going = false;
	if (going && status == TR_OK && *tr_columns_note(in))
		tool_warn(cut->tool, "%s: %s", tr_source_name(source), tr_columns_note(in));
	if (going && status == TR_OK && !tr_columns_has_nodes(in))
		tool_warn(cut->tool,
			  "%s: no column names nodes: every packet goes from \"sender\" to "
			  "\"receiver\"",
			  tr_source_name(source));
	while (going && status == TR_OK && (status = tr_columns_next(in, &item, &err)) == TR_OK) {
		char line[320];

		(void)snprintf(line, sizeof(line), "%.256s:%" PRIu64, tr_source_name(source),
			       tr_columns_line(in));
		going = put_item(cut, ids, &item, line, &status, &err);
	}
	if (status == TR_ERROR)
		tool_error(cut->tool, "%s", err.text);
	tr_columns_close(in);
	return status == TR_END;
}

static void cut_texts(struct cut *cut)
{
	struct tr_source *source;
	bool going = true;

	while (going && tool_next_source(cut->tool, &source) == TR_OK) {
		going = (cut->choices.columns ? cut_table : cut_text)(cut, source);
		tr_source_close(source);
	}
	if (cut->trailer.lost_known)
		tool_set_lost(cut->tool, cut->trailer.lost);
	if (cut->trailer.damaged)
		tool_set_damaged(cut->tool);
}

// ---- the whole

// The output's name sets the form unless an option does, and must not contradict the option.
static bool flitcut_choose_form(struct cut *cut)
{
	const char *path = cut->output.path;
	const int named = cut_form_of_name(path);
	const size_t bytes = path ? strlen(path) : 0;

	if (!tool_option_given(cut->tool, "format") && named >= 0)
		cut->choices.form = named;
	cut->output.form = cut_forms[cut->choices.form];
	if (named >= 0 && named != cut->choices.form)
		tool_error(cut->tool, "%s: its suffix means %s, but --format says %s", path,
			   cut_forms[named]->word, cut->output.form->word);
	else if (cut->choices.form != 0 && bytes > 4 && strcmp(path + bytes - 4, ".zst") == 0)
		tool_error(cut->tool, "%s: only streams can be compressed, not %s", path,
			   cut->output.form->word);
	else if (cut->choices.form != 0 && cut->output.writing.compress)
		tool_error(cut->tool, "--compress has no effect on %s", cut->output.form->word);
	return tool_ok(cut->tool);
}

static bool flitcut_prepare(struct cut *cut)
{
	cut->output.tool = cut->tool;
	cut->ring.wanted = cut->choices.last;
	return flitcut_choose_form(cut);
}

// If --count ended the reading, a name may have come later.
static void flitcut_check_names(struct cut *cut)
{
	const bool cut_short = cut->choices.first > 0 && cut->passed == cut->choices.first;
	const char *what, *word = cut_short ? NULL : cut_filter_unknown(&cut->filter, &what);

	if (word)
		tool_verdict(cut->tool, "no %s is called %s (flitinfo%s lists them)", what, word,
			     what[0] == 'l' ? " --names" : "");
}

static int flitcut_run(struct cut *cut)
{
	if (flitcut_prepare(cut) && (cut->choices.from == CUT_FROM_TEXT || cut->choices.columns))
		cut_texts(cut);
	else if (tool_ok(cut->tool))
		cut_streams(cut);
	if (cut->opened && tool_ok(cut->tool) && cut->ring.wanted)
		(void)put_last(cut);
	if (cut->opened && cut->output.form->close)
		cut->output.form->close(&cut->output, tool_ok(cut->tool) ? &cut->trailer : NULL);
	if (cut->opened && tool_ok(cut->tool))
		flitcut_check_names(cut);
	cut_filter_clear(&cut->filter);
	tr_unify_close(cut->unify);
	free(cut->ring.records);
	return tool_finish(cut->tool, TOOL_OK);
}

int main(int argc, char **argv)
{
	struct cut cut = {.choices.wishes = CUT_ANYTHING, .last_ticks = INT64_MIN};
	struct cut_wishes *wishes = &cut.choices.wishes;
	const struct opt opts[] = {
		OPT_FORMAT(&cut.choices.form, cut_form_words),
		OPT_CHOICE(0, "from", &cut.choices.from, cut_from_words, OPT_FROM_HELP),
		OPT_COLUMNS(&cut.choices.columns, tr_columns_words),
		OPT_STRING_LISTED('f', "fields", "LIST", &cut.output.field_list, cut_list_fields,
				  "fields to write, separated by commas"),
		OPT_STRING(0, "after", "TIME", &wishes->after, OPT_AFTER_HELP),
		OPT_STRING(0, "before", "TIME", &wishes->before, OPT_BEFORE_HELP),
		OPT_LIST(0, "src", "ADDRESS", &wishes->src,
			 "select source node; repeat for several"),
		OPT_LIST(0, "dst", "ADDRESS", &wishes->dst, "select destination node"),
		OPT_LIST(0, "node", "ADDRESS", &wishes->node, "select source or destination node"),
		OPT_LIST(0, "link", "NAME", &wishes->link, "select this link"),
		OPT_CHOICE(0, "role", &wishes->role, tr_role_words,
			   "select source or destination with this role"),
		OPT_CHOICE(0, "class", &wishes->class_code, tr_class_words, "select this class"),
		OPT_STRING(0, "payload", "MIN..MAX", &wishes->size,
			   "select by payload (or message, bin) bytes"),
		OPT_STRING(0, "wire", "MIN..MAX", &wishes->wire, "select by bytes on the wire"),
		OPT_STRING_OR_WORD(0, "protocol", "NAME", &wishes->protocol, tr_protocol_words,
				   "select IP protocol by name or number"),
		OPT_NUMBER(0, "port", &wishes->port, UINT32_MAX,
			   "select source or destination port"),
		OPT_CHOICE(0, "status", &wishes->status, tr_status_words,
			   "select deliveries with this status"),
		{OPT_TYPE_CHOICE, 0, "reason", "REASON", "select drops with this reason",
		 &wishes->reason, NUM_PLAIN, tr_reason_words, 0, 0},
		{OPT_TYPE_CHOICE, 0, "operation", "NAME", "select messages with this operation",
		 &wishes->operation, NUM_PLAIN, tr_operation_words, 0, 0},
		OPT_STOP_AFTER(&cut.choices.first),
		OPT_NUMBER(0, "last", &cut.choices.last, 0, "write only the last N records"),
		OPT_ROUND(&cut.choices.round),
		OPT_WRITE(&cut.output.path),
		OPT_COMPRESS(&cut.output.writing.compress),
		OPT_UNBUFFERED(&cut.output.writing.flush_each),
		OPT_ONLY_WITH("compress", "format=stream"),
		OPT_NOT_WITH("last", "count"),
		OPT_NOT_WITH("columns", "from=text"),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitcut",
		"[-T form] [-f fields] [-zU] [-w file] [filters] [file ...]",
		"Selects records and fields of trace streams and converts them to other formats.",
		opts,
	};

	cut.tool = tool_start(argc, argv, &spec);
	return flitcut_run(&cut);
}
