// SPDX-License-Identifier: GPL-3.0-or-later
#include "tool/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/recognise.h"
#include "tool/tool_state.h"

size_t tool_operand_count(const struct tool *tool)
{
	return tool->operand_count;
}

const char *tool_operand(const struct tool *tool, size_t index)
{
	return index < tool->operand_count ? tool->operands[index] : NULL;
}

static void show_progress(struct tool *tool, const struct tr_reader *in)
{
	const uint64_t size = tr_reader_size(in);

	tool_progress_part(tool, size > 0 ? (double)tr_reader_taken(in) / (double)size : -1,
			   "%s: %llu records", tr_reader_name(in),
			   (unsigned long long)tr_reader_records(in));
}

// After each chunk of an input, and each second without one. What an input passed on early is
// passed on at once: each program of a pipe that waited a second by its own clock would be late by
// that second, and text by the buffer it fills.
static void on_block(void *context, const struct tr_reader *in)
{
	struct tool *tool = context;
	const bool live = tr_reader_is_live(in);
	int64_t time_ticks = tool->out.promised ? *tool->out.promised : INT64_MIN;

	if (tool->in.shown)
		show_progress(tool, tool->in.shown);
	if (live && tool->out.printable)
		(void)fflush(tool->out.printable);
	if (live)
		(void)fflush(stdout);
	if (!tool->out.writer)
		return;
	if (tool->out.followed)
		time_ticks = tr_reader_time(tool->out.followed);
	(void)tr_writer_flush_when_due(tool->out.writer, time_ticks, live);
}

static void keep_odd(struct tool *tool, const char *name, const char *odd)
{
	char *text = NULL;

	if (asprintf(&text, "%s%s%s: %s", tool->in.odd ? tool->in.odd : "",
		     tool->in.odd ? "\n" : "", name, odd) < 0) {
		tool_no_memory(tool, "what is odd in the times");
		return;
	}
	free(tool->in.odd);
	tool->in.odd = text;
	tool->in.odd_style->odd = text;
}

static void tool_input_tell_odd(struct tool *tool, const char *name, const char *odd)
{
	if (!*odd)
		return;
	tool_warn(tool, "%s: odd: %s", name, odd);
	if (tool->in.odd_style)
		keep_odd(tool, name, odd);
}

void tool_tell_text(struct tool *tool, const char *name, const char *columns, const char *odd)
{
	if (*columns)
		tool_warn(tool, "%s: %s", name, columns);
	tool_input_tell_odd(tool, name, odd);
}

static void on_ended(void *context, const struct tr_reader *in)
{
	char odd[TR_ODD_TIMES_BYTES];
	struct tool *tool = context;

	if (tr_reader_ended(in) || tool->keep_going)
		tool_input_tell_odd(tool, tr_reader_name(in), tr_reader_odd(in, odd));
}

void tool_watch_times(struct tool *tool, struct table_style *style)
{
	tool->in.watches_times = true;
	tool->in.odd_style = style;
}

static enum tr_status on_name(void *context, const struct tr_name *name, struct tr_error *err)
{
	struct tool *tool = context;

	return tool->in.name_hook.name(tool->in.name_hook.context, name, err);
}

void tool_on_name(struct tool *tool,
		  enum tr_status (*hook)(void *context, const struct tr_name *name,
					 struct tr_error *err),
		  void *context)
{
	tool->in.name_hook.name = hook;
	tool->in.name_hook.context = context;
}

void tool_follow(struct tool *tool, const struct tr_reader *in)
{
	tool->out.followed = in;
}

void tool_promise(struct tool *tool, const int64_t *time_ticks)
{
	tool->out.promised = time_ticks;
}

// Writes to a note what becomes known of the inputs after the output's header was written.
static void tool_input_note(struct tool *tool, const struct tr_provenance *lines)
{
	if (tool->out.writer && lines->text)
		(void)tr_put_note(tool->out.writer, lines->text);
}

// Adds lines, which are cleared, to the provenance.
static void tool_input_keep(struct tool *tool, struct tr_provenance *lines)
{
	if (lines->text)
		tr_provenance_nest(&tool->provenance, 0, lines->text);
	if ((lines->failed || tool->provenance.failed) && !tool->failed)
		tool_no_memory(tool, "the provenance");
	tool_input_note(tool, lines);
	tr_provenance_clear(lines);
}

void tool_record_option(struct tool *tool, const char *name, const char *value)
{
	struct tr_provenance lines = {.text = NULL};
	char *text = NULL;

	if (asprintf(&text, "--%s%s%s", name, *value ? "=" : "", value) >= 0)
		tr_provenance_line(&lines, 1, "option", text);
	else
		lines.failed = true;
	free(text);
	tool_input_keep(tool, &lines);
}

void tool_record_line(struct tool *tool, const char *word, const char *rest)
{
	struct tr_provenance lines = {.text = NULL};

	tr_provenance_line(&lines, 1, word, rest);
	tool_input_keep(tool, &lines);
}

static void remember_input(struct tool *tool, const struct tr_reader *in)
{
	struct tr_provenance lines = {.text = NULL};

	tr_provenance_input(&lines, 1, tr_reader_name(in), tr_reader_provenance(in));
	tool_input_keep(tool, &lines);
}

struct tr_reader *tool_open_reader(struct tool *tool, struct tr_source *source)
{
	struct tr_reader_hooks hooks = {
		.name = tool->in.name_hook.name ? on_name : NULL,
		.block = on_block,
		.ended = tool->in.watches_times ? on_ended : NULL,
		.context = tool,
	};
	struct tr_error err;
	struct tr_reader *in;

	if (tr_reader_open(&in, source, NULL, &hooks, &err) != TR_OK) {
		tool_error(tool, "%s", err.text);
		return NULL;
	}
	tool->in.shown = in;
	remember_input(tool, in);
	return in;
}

static enum tr_status add_read(struct tool *tool, const char *path, struct tr_error *err)
{
	return tr_files_read(&tool->files, path, err) == TR_OK
		       ? tr_files_allow_stdout(&tool->files, err)
		       : TR_ERROR;
}

bool tool_reads(struct tool *tool, const char *path)
{
	struct tr_error err;

	if (add_read(tool, path, &err) == TR_OK)
		return true;
	tool_error(tool, "%s", err.text);
	return false;
}

bool tool_reads_beside(struct tool *tool, const char *of, const char *path)
{
	char *found = tr_files_beside(of, path);
	const bool reads = found && tool_reads(tool, found);

	if (!found)
		tool_no_memory(tool, "the inputs");
	free(found);
	return reads;
}

// Refuses an input that another program reads, whatever this one expects, and closes the source;
// likewise one that cannot be read. To be called when the source has its digest.
static bool is_foreign(struct tool *tool, struct tr_source *source)
{
	const bool tables = opt_given(&tool->options, "columns");
	char hint[TR_RECOGNISE_HINT_BYTES];
	struct tr_error err;

	if (tr_recognise_foreign(source, tool->name, tables, hint, sizeof(hint), &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else if (*hint)
		tool_error(tool, "%s%s", tr_source_name(source), hint);
	else
		return false;
	tr_source_close(source);
	return true;
}

struct tr_reader *tool_open_input(struct tool *tool, const char *path)
{
	struct tr_source *source;
	struct tr_error err;

	if (add_read(tool, path ? path : "-", &err) != TR_OK ||
	    tr_source_open(&source, path ? path : "-", &err) != TR_OK) {
		tool_error(tool, "%s", err.text);
		return NULL;
	}
	return is_foreign(tool, source) ? NULL : tool_open_reader(tool, source);
}

// Records the digest of an input that was read to its end.
static void remember_digest(void *context, const char *name, uint64_t digest)
{
	struct tr_provenance lines = {.text = NULL};
	struct tool *tool = context;
	char text[512];

	(void)snprintf(text, sizeof(text), "%.400s %016llx", tr_provenance_base(name),
		       (unsigned long long)digest);
	tr_provenance_line(&lines, 1, "digest", text);
	tool_input_keep(tool, &lines);
}

static void remember_end(struct tool *tool, const struct tr_reader *in)
{
	const struct tr_trailer *trailer = tr_reader_trailer(in);

	tool->in.lost += trailer->lost;
	tool->in.lost_known |= trailer->lost_known;
	tool->in.damaged |= trailer->damaged;
	// The blocks of a pipe depend on time, so its digest would be meaningless.
	if (tr_reader_ended(in) && tr_reader_size(in) && strcmp(tr_reader_name(in), "-") != 0)
		remember_digest(tool, tr_reader_name(in), tr_reader_digest(in));
}

void tool_close_input(struct tool *tool, struct tr_reader *in)
{
	const char *failure;

	if (!in)
		return;
	failure = tr_reader_error(in);
	if (*failure && tool->keep_going) {
		tool_survived(tool, "%s; using the %llu records before it", failure,
			      (unsigned long long)tr_reader_records(in));
		tool->in.damaged = true;
	} else if (*failure) {
		tool_error(tool, "%s", failure);
	} else {
		remember_end(tool, in);
	}
	if (tool->out.followed == in)
		tool->out.followed = NULL;
	if (tool->in.shown == in)
		tool->in.shown = NULL;
	tr_reader_close(in);
}

// All operands are known before the first is read, and so before outputs are opened.
static enum tr_status add_operands(struct tool *tool, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	if (tool->in.any)
		return TR_OK;
	if (tool->operand_count == 0)
		status = add_read(tool, "-", err);
	for (size_t i = 0; i < tool->operand_count && status == TR_OK; i++)
		status = add_read(tool, tool->operands[i], err);
	return status;
}

// Opens the next operand, or standard input if there is none.
static enum tr_status open_next(struct tool *tool, struct tr_source **source)
{
	const char *path = tool_operand(tool, tool->in.next);
	struct tr_error err;

	*source = NULL;
	if (tool->failed || (!path && tool->in.any))
		return TR_END;
	if (add_operands(tool, &err) != TR_OK) {
		tool_error(tool, "%s", err.text);
		return TR_END;
	}
	tool->in.any = true;
	tool->in.next++;
	if (!path && isatty(STDIN_FILENO)) {
		tool_error(tool, "no input: expected a file or a pipe (try %s --help)", tool->name);
		return TR_END;
	}
	if (tr_source_open(source, path ? path : "-", &err) != TR_OK) {
		tool_error(tool, "%s", err.text);
		return TR_END;
	}
	return TR_OK;
}

// Adds the input to the provenance.
// A trace stream is added, with its own provenance and digest, when its reader is opened.
static void remember_source(struct tool *tool, struct tr_source *source)
{
	struct tr_provenance lines = {.text = NULL};

	if (!tr_source_set_digest(source, remember_digest, tool))
		tool_no_memory(tool, "%s", tr_source_name(source));
	if (tr_source_begins(source, TR_MAGIC, 1)) {
		(void)tr_source_set_digest(source, NULL, NULL);
		return;
	}
	tr_provenance_input(&lines, 1, tr_source_name(source), "");
	tool_input_keep(tool, &lines);
}

enum tr_status tool_next_source(struct tool *tool, struct tr_source **source)
{
	if (open_next(tool, source) != TR_OK)
		return TR_END;
	remember_source(tool, *source);
	if (!is_foreign(tool, *source))
		return TR_OK;
	*source = NULL;
	return TR_END;
}

static struct tr_source *open_source(struct tool *tool, const char *path,
				     enum tr_status (*open)(struct tr_source **, const char *,
							    struct tr_error *))
{
	struct tr_source *source;
	struct tr_error err;

	if (add_read(tool, path, &err) != TR_OK || open(&source, path, &err) != TR_OK) {
		tool_error(tool, "%s", err.text);
		return NULL;
	}
	remember_source(tool, source);
	return open == tr_source_open && is_foreign(tool, source) ? NULL : source;
}

struct tr_source *tool_open_source(struct tool *tool, const char *path)
{
	return open_source(tool, path, tr_source_open);
}

struct tr_source *tool_open_raw_source(struct tool *tool, const char *path)
{
	return open_source(tool, path, tr_source_open_raw);
}

void tool_input_damaged(struct tool *tool, const char *what)
{
	if (!tool->keep_going) {
		tool_error(tool, "%s", what);
		return;
	}
	tool_survived(tool, "%s; using the records before it", what);
	tool->in.damaged = true;
}

enum tr_status tool_next_beside(struct tool *tool, struct tr_reader **in)
{
	struct tr_source *source;

	*in = NULL;
	if (open_next(tool, &source) != TR_OK)
		return TR_END;
	*in = is_foreign(tool, source) ? NULL : tool_open_reader(tool, source);
	return *in ? TR_OK : TR_END;
}

enum tr_status tool_next_input(struct tool *tool, struct tr_reader **in)
{
	tool_close_input(tool, tool->in.current);
	tool->in.current = NULL;
	if (tool_next_beside(tool, in) != TR_OK)
		return TR_END;
	tool->in.current = *in;
	return TR_OK;
}
