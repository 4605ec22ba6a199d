// SPDX-License-Identifier: GPL-3.0-or-later
#include "tool/tool.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool_state.h"
#include "value/printable.h"

FILE *tool_stdout(struct tool *tool)
{
	tool_clear_progress(tool);
	return stdout;
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
		tool_warn(tool,
			  "%s: overwriting in place, because its folder is not writable; a failure "
			  "will destroy the old content",
			  path);
}

void tool_go_on(struct tool *tool)
{
	tool->out.go_on = true;
}

void tool_output_error(struct tool *tool, const char *text)
{
	(tool->out.go_on ? tool_survived : tool_error)(tool, "%s", text);
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
		tool_error(tool,
			   "a trace stream is not written to a terminal; use -w FILE or a pipe");
		return NULL;
	}
	status = tr_writer_open(&tool->out.writer, path, header, tool_provenance(tool), &own, &err);
	if (status == TR_ERROR)
		tool_output_error(tool, err.text);
	if (status == TR_END) { // a closed pipe ends a program quietly
		tool->failed |= !tool->out.go_on;
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
		tool_no_memory(tool, "%s", path);
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
	tool->progress_wanted = false; // its line would mix with the text
	if (!tool->out.printable)
		tool_no_memory(tool, "the output");
	return tool->out.printable;
}

bool tool_close_writer(struct tool *tool, struct tr_writer *writer,
		       const struct tr_trailer *trailer)
{
	struct tr_error err;
	const enum tr_status status = tr_writer_close(writer, tool->failed ? NULL : trailer, &err);

	if (status == TR_OK)
		return true;
	tool->worst = TOOL_FAILED;
	if (status == TR_ERROR && !strstr(tool->told.text, err.text))
		tool_output_error(tool, err.text);
	return false;
}

static bool close_writer(struct tool *tool)
{
	struct tr_writer *writer = tool->out.writer;
	struct tr_trailer trailer = {
		.lost = tool->in.lost,
		.lost_known = tool->in.lost_known,
		.damaged = tool->in.damaged,
	};
	char *part;
	bool done;

	if (!writer)
		return true;
	tool->out.writer = NULL;
	part = tr_writer_part(writer) ? strdup(tr_writer_part(writer)) : NULL;
	done = tool_close_writer(tool, writer, &trailer);
	if (part && tool->worst == TOOL_FAILED && access(part, F_OK) == 0)
		tool_survived(tool, "the output so far is %s", part);
	free(part);
	return done;
}

bool tool_end_output(struct tool *tool)
{
	const bool done = close_writer(tool);

	tool->in.lost = 0; // later losses belong to the next output
	return done;
}

// An incomplete text does not get the name asked for.
static void close_text(struct tool *tool)
{
	struct tr_error err;

	if (tr_outfile_close(tool->out.text, !tool->failed, &err) != TR_OK)
		tool_output_error(tool, err.text);
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
		(void)fclose(tool->out.printable); // a failure shows in standard output
	errno = 0; // ferror remembers an earlier write error, but not its errno
	if (fflush(stdout) == 0 && !ferror(stdout) && (fclose(stdout) == 0 || errno == EBADF))
		return;
	tool->worst = TOOL_FAILED;
	if (!stdout_abandoned())
		tool_error(tool, "standard output: %s",
			   errno ? strerror(errno) : "could not be written");
}

void tool_close_outputs(struct tool *tool)
{
	(void)close_writer(tool);
	close_text(tool);
	close_stdout(tool);
}
