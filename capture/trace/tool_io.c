// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and outputs of a program: opened, closed and checked in one place.
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/printable.h"
#include "trace/tool_state.h"

// ---- inputs

static void show_progress(struct tool *tool, const struct tr_reader *in)
{
	uint64_t size = tr_reader_size(in);
	double share = size ? 100.0 * (double)tr_reader_taken(in) / (double)size : 0;

	if (size)
		tool_progress(tool, "%s: %llu records, %.0f %%", tr_reader_name(in),
			      (unsigned long long)tr_reader_records(in), share);
	else
		tool_progress(tool, "%s: %llu records", tr_reader_name(in),
			      (unsigned long long)tr_reader_records(in));
}

// After each chunk of an input, and each second without one.
static void on_block(void *context)
{
	struct tool *tool = context;
	int64_t time_ticks = INT64_MIN;

	if (tool->in.shown)
		show_progress(tool, tool->in.shown);
	if (!tool->out.writer)
		return;
	if (tool->out.followed)
		time_ticks = tr_reader_time(tool->out.followed);
	(void)tr_writer_flush_when_due(tool->out.writer, time_ticks);
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

// What becomes known of the inputs after the output's header went out is said in a note.
static void note(struct tool *tool, const struct tr_provenance *lines)
{
	if (tool->out.writer && lines->text)
		(void)tr_put_note(tool->out.writer, lines->text);
}

// Adds lines, which are cleared, to the provenance.
static void keep(struct tool *tool, struct tr_provenance *lines)
{
	if (lines->text)
		tr_provenance_nest(&tool->provenance, 0, lines->text);
	if ((lines->failed || tool->provenance.failed) && !tool->failed)
		tool_error(tool, "out of memory");
	note(tool, lines);
	tr_provenance_clear(lines);
}

static void remember_input(struct tool *tool, const struct tr_reader *in)
{
	struct tr_provenance lines = {.text = NULL};

	tr_provenance_input(&lines, 1, tr_reader_name(in), tr_reader_provenance(in));
	keep(tool, &lines);
}

struct tr_reader *tool_open_reader(struct tool *tool, struct tr_source *source)
{
	struct tr_reader_hooks hooks = {
		.name = tool->in.name_hook.name ? on_name : NULL,
		.block = on_block,
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
	return tr_files_read(&tool->files, path, err) == TR_OK ? tr_files_allow_stdout(&tool->files, err) : TR_ERROR;
}

bool tool_reads(struct tool *tool, const char *path)
{
	struct tr_error err;

	if (add_read(tool, path, &err) == TR_OK)
		return true;
	tool_error(tool, "%s", err.text);
	return false;
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
	return tool_open_reader(tool, source);
}

// Says what an input was, when all of it has been read.
static void remember_digest(void *context, const char *name, uint64_t digest)
{
	struct tr_provenance lines = {.text = NULL};
	struct tool *tool = context;
	char text[512];

	(void)snprintf(text, sizeof text, "%.400s %016llx", tr_provenance_base(name),
		       (unsigned long long)digest);
	tr_provenance_line(&lines, 1, "digest", text);
	keep(tool, &lines);
}

static void remember_end(struct tool *tool, const struct tr_reader *in)
{
	const struct tr_trailer *trailer = tr_reader_trailer(in);

	tool->in.lost += trailer->lost;
	tool->in.lost_known |= trailer->lost_known;
	tool->in.damaged |= trailer->damaged;
	// The blocks of a pipe are cut by the clock, so its digest would tell nothing.
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
		tool_survived(tool, "%s; going on with the %llu records before it", failure,
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

// Opens the next operand, or standard input where there is none.
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
		tool_error(tool, "no input: name a file, or pipe one in (try %s --help)",
			   tool->spec->name);
		return TR_END;
	}
	if (tr_source_open(source, path ? path : "-", &err) != TR_OK) {
		tool_error(tool, "%s", err.text);
		return TR_END;
	}
	return TR_OK;
}

// Adds the input to the provenance.
// A trace stream is remembered with its own provenance and digest when a reader of it is opened.
static void remember_source(struct tool *tool, struct tr_source *source)
{
	struct tr_provenance lines = {.text = NULL};

	if (!tr_source_set_digest(source, remember_digest, tool))
		tool_error(tool, "%s: out of memory", tr_source_name(source));
	if (tr_source_begins(source, TR_MAGIC, 1)) {
		(void)tr_source_set_digest(source, NULL, NULL);
		return;
	}
	tr_provenance_input(&lines, 1, tr_source_name(source), "");
	keep(tool, &lines);
}

enum tr_status tool_next_source(struct tool *tool, struct tr_source **source)
{
	if (open_next(tool, source) != TR_OK)
		return TR_END;
	remember_source(tool, *source);
	return TR_OK;
}

static struct tr_source *open_source(struct tool *tool, const char *path,
				     enum tr_status (*open)(struct tr_source **, const char *, struct tr_error *))
{
	struct tr_source *source;
	struct tr_error err;

	if (add_read(tool, path, &err) != TR_OK || open(&source, path, &err) != TR_OK) {
		tool_error(tool, "%s", err.text);
		return NULL;
	}
	remember_source(tool, source);
	return source;
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
	tool_survived(tool, "%s; going on with what came before it", what);
	tool->in.damaged = true;
}

enum tr_status tool_next_beside(struct tool *tool, struct tr_reader **in)
{
	struct tr_source *source;

	*in = NULL;
	if (open_next(tool, &source) != TR_OK)
		return TR_END;
	*in = tool_open_reader(tool, source);
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

// ---- outputs

void tool_record_option(struct tool *tool, const char *name, const char *value)
{
	struct tr_provenance lines = {.text = NULL};
	char *text = NULL;

	if (asprintf(&text, "--%s%s%s", name, *value ? "=" : "", value) >= 0)
		tr_provenance_line(&lines, 1, "option", text);
	else
		lines.failed = true;
	free(text);
	keep(tool, &lines);
}

const char *tool_provenance(struct tool *tool)
{
	return tool->provenance.text ? tool->provenance.text : "";
}

const struct tr_files *tool_files(const struct tool *tool)
{
	return &tool->files;
}

void tool_tell_exposed(struct tool *tool, const char *path, bool exposed)
{
	if (exposed)
		tool_warn(tool, "%s: is overwritten in place, since its folder cannot be written; a failure will leave "
			  "nothing of what it was", path);
}

struct tr_writer *tool_output(struct tool *tool, const char *path, const struct tr_header *header,
			      const struct tr_writer_options *options)
{
	struct tr_writer_options own = {.compress = false};
	enum tr_status status;
	struct tr_error err;

	if (options)
		own = *options;
	own.files = &tool->files;
	if (!path)
		path = "-";
	if (strcmp(path, "-") == 0 && isatty(STDOUT_FILENO)) {
		tool_error(tool, "a trace stream is not written to a terminal; use -w FILE or a pipe");
		return NULL;
	}
	status = tr_writer_open(&tool->out.writer, path, header, tool_provenance(tool), &own, &err);
	if (status == TR_ERROR)
		tool_error(tool, "%s", err.text);
	if (status == TR_END) { // a pipe that nobody reads ends a program quietly
		tool->failed = true;
		tool->worst = TOOL_FAILED;
	}
	if (status != TR_OK)
		return NULL;
	tool->out.stdout_used = strcmp(path, "-") == 0;
	if (!own.file)
		tool_tell_exposed(tool, path, tr_writer_is_exposed(tool->out.writer));
	return tool->out.writer;
}

void tool_set_lost(struct tool *tool, uint64_t lost)
{
	tool->in.lost += lost;
	tool->in.lost_known = true;
}

void tool_set_damaged(struct tool *tool)
{
	tool->in.damaged = true;
}

FILE *tool_text_output(struct tool *tool, const char *path)
{
	const struct tr_outfile_options options = {.files = &tool->files};
	struct tr_error err;
	FILE *stream;

	if (!path || strcmp(path, "-") == 0)
		return tool_stdout(tool);
	if (tr_outfile_open(&tool->out.text, path, &options, &err) != TR_OK) {
		tool_error(tool, "%s", err.text);
		return NULL;
	}
	stream = tr_outfile_stream(tool->out.text);
	if (!stream)
		tool_error(tool, "%s: out of memory", path);
	else
		tool_tell_exposed(tool, path, tr_outfile_is_exposed(tool->out.text));
	return stream;
}

FILE *tool_printable_output(struct tool *tool, const char *path)
{
	const bool terminal = (!path || strcmp(path, "-") == 0) && isatty(STDOUT_FILENO);

	if (!terminal)
		return tool_text_output(tool, path);
	tool->out.printable = tr_printable_stream(tool_stdout(tool));
	tool->progress_wanted = false; // its line would stand between those of the text
	if (!tool->out.printable)
		tool_error(tool, "out of memory");
	return tool->out.printable;
}

void tool_close_writer(struct tool *tool, struct tr_writer *writer, const struct tr_trailer *trailer)
{
	struct tr_error err;
	const enum tr_status status = tr_writer_close(writer, tool->failed ? NULL : trailer, &err);

	if (status == TR_OK)
		return;
	tool->worst = TOOL_FAILED;
	if (status == TR_ERROR && !strstr(tool->told.text, err.text))
		tool_error(tool, "%s", err.text);
}

static void close_writer(struct tool *tool)
{
	struct tr_writer *writer = tool->out.writer;
	struct tr_trailer trailer = {
		.lost = tool->in.lost,
		.lost_known = tool->in.lost_known,
		.damaged = tool->in.damaged,
	};
	char *part;

	if (!writer)
		return;
	tool->out.writer = NULL;
	part = tr_writer_part(writer) ? strdup(tr_writer_part(writer)) : NULL;
	tool_close_writer(tool, writer, &trailer);
	if (part && tool->worst == TOOL_FAILED && access(part, F_OK) == 0)
		tool_survived(tool, "what was written so far is %s", part);
	free(part);
}

void tool_end_output(struct tool *tool)
{
	close_writer(tool);
	tool->in.lost = 0; // what is lost from here on belongs to the next
}

// A text that is not whole is not left behind under the name asked for.
static void close_text(struct tool *tool)
{
	struct tr_error err;

	if (tr_outfile_close(tool->out.text, !tool->failed, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	tool->out.text = NULL;
}

// Whether standard output is a pipe that nobody reads any more.
static bool stdout_abandoned(void)
{
	struct pollfd item = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return errno == EPIPE || (poll(&item, 1, 0) == 1 && (item.revents & POLLERR));
}

static void close_stdout(struct tool *tool)
{
	if (tool->out.stdout_used)
		return;
	if (tool->out.printable)
		(void)fclose(tool->out.printable); // what failed stays with standard output
	errno = 0; // a failure of an earlier write is remembered by ferror, but not its reason
	if (fflush(stdout) == 0 && !ferror(stdout) && (fclose(stdout) == 0 || errno == EBADF))
		return;
	tool->worst = TOOL_FAILED;
	if (!stdout_abandoned())
		tool_error(tool, "standard output: %s", errno ? strerror(errno) : "could not be written");
}

void tool_close_all(struct tool *tool)
{
	tool_close_input(tool, tool->in.current);
	tool->in.current = NULL;
	close_writer(tool);
	close_text(tool);
	close_stdout(tool);
}
