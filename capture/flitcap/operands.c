// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of flitcap: captures to read, as one sequence of frames, and a filter, which may be
// in a file.
#include "flitcap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/archive_folder.h"
#include "packet/capture.h"
#include "stream/recognise.h"
#include "value/grow.h"
#include "value/memstream.h"

#define FILTER_BYTES_MAX 65536u

// ERF has no magic: recognising it takes the first records.
static bool is_capture(const char *path)
{
	struct pk_capture *capture;
	struct tr_source *source;
	struct tr_error err;
	struct stat info;

	if (stat(path, &info) != 0)
		return false;
	if (S_ISFIFO(info.st_mode) &&
	    strchr(path, '/')) // a shell's <(command); to look into it would take its bytes
		return true;
	if (tr_is_capture_file(path))
		return true;
	if (!S_ISREG(info.st_mode) || tr_source_open(&source, path, &err) != TR_OK ||
	    pk_capture_open(&capture, source, &err) != TR_OK)
		return false;
	pk_capture_close(capture);
	return true;
}

static char *from_operands(const struct cap *cap)
{
	const struct tool *tool = cap->tool;
	const bool live = tool_option_given(tool, "interface");
	const char *gap = "";
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);

	if (!out)
		return NULL;
	for (size_t i = 0; i < tool_operand_count(tool); i++)
		if (live || !is_capture(cap_point_path(cap, tool_operand(tool, i)))) {
			(void)fprintf(out, "%s%s", gap, tool_operand(tool, i));
			gap = " ";
		}
	if (tr_memstream_close(out))
		return text;
	free(text);
	return NULL;
}

bool cap_take_files(struct cap *cap, struct opt_list *reads)
{
	const size_t operands = tool_operand_count(cap->tool);

	for (size_t i = 0; i < operands; i++) {
		if (!is_capture(cap_point_path(cap, tool_operand(cap->tool, i))))
			continue;
		if (!GROW_BY_COUNT(reads->words, reads->count)) {
			tool_no_memory(cap->tool, "the names of files");
			return false;
		}
		reads->words[reads->count++] = tool_operand(cap->tool, i);
	}
	return true;
}

// The whole file; NULL after reporting an error.
static char *from_file(struct cap *cap, const char *path)
{
	struct tr_source *source = tool_open_source(cap->tool, path);
	const uint8_t *data;
	size_t got_bytes;
	struct tr_error err;
	char *text = NULL;

	if (!source)
		return NULL;
	if (tr_source_peek(source, FILTER_BYTES_MAX, &data, &got_bytes, &err) == TR_ERROR)
		tool_error(cap->tool, "%s", err.text);
	else if (got_bytes >= FILTER_BYTES_MAX || memchr(data, '\0', got_bytes))
		tool_error(cap->tool, "%s: expected a filter text of less than %u bytes", path,
			   FILTER_BYTES_MAX);
	else if (!(text = strndup((const char *)data, got_bytes)))
		tool_no_memory(cap->tool, "the filter");
	tr_source_close(source);
	return text;
}

bool cap_read_filter(struct cap *cap)
{
	const char *path = cap->options->filter_file;

	char *text = from_operands(cap);

	if (!text) {
		tool_no_memory(cap->tool, "the filter");
		return false;
	}
	if (path && *text)
		tool_error(cap->tool, "both -F and operands give a filter");
	if (path || !*text) {
		free(text);
		text = path && tool_ok(cap->tool) ? from_file(cap, path) : NULL;
	}
	cap->filter_text = text;
	return tool_ok(cap->tool);
}

static enum tr_status read_merge(void *state, struct pk_frame *frames, size_t max, size_t *count,
				 struct tr_error *err)
{
	return pk_merge_read(state, frames, max, count, err);
}

static bool operands_lost(void *state, uint64_t *frames)
{
	return pk_merge_lost(state, frames);
}

static double operands_part(const void *state)
{
	return pk_merge_part(state);
}

static void close_merge(void *state)
{
	pk_merge_close(state);
}

// One file; NULL after a failure.
static struct pk_capture *open_capture(struct cap *cap, const char *path)
{
	struct tr_source *source = tool_open_raw_source(cap->tool, path);
	struct pk_capture *capture;
	struct tr_error err;
	bool pauses;

	if (!source)
		return NULL;
	pauses = tr_source_size(source) == 0;
	if (pk_capture_open(&capture, source, &err) != TR_OK) {
		tool_error(cap->tool, "%s", err.text);
		return NULL;
	}
	cap->waits |= pauses;
	pk_capture_set_idle(capture, cap_idle, cap);
	return capture;
}

static bool operands_open_all(struct cap *cap, const char *const *paths, size_t count)
{
	struct pk_capture **captures = calloc(count, sizeof(*captures));
	size_t opened = 0;

	if (!captures) {
		tool_no_memory(cap->tool, "the files");
		return false;
	}
	while (opened < count && (captures[opened] = open_capture(cap, paths[opened])))
		opened++;
	if (count == 1 && opened == count)
		pk_capture_read_ahead(captures[0]); // several would need a core each
	if (opened == count) {
		cap->from = (struct cap_frames){read_merge,
						operands_lost,
						operands_part,
						NULL,
						close_merge,
						pk_merge_new(captures, count),
						count == 1 ? paths[0] : NULL};
		if (!cap->from.state)
			tool_no_memory(cap->tool, "the files");
		else if (cap->points)
			cap_points_stamp(cap, cap->from.state);
	} else {
		for (size_t i = 0; i < opened; i++)
			pk_capture_close(captures[i]);
	}
	free(captures);
	return cap->from.state;
}

// Whether a word is meant as the name of a file: with the ending of one, or the folder before it.
static bool looks_like_file(const char *word)
{
	static const char *const endings[] = {".pcap",	".pcapng", ".cap", ".dmp",  ".erf",
					      ".snoop", ".flt",	   ".trc", ".gz",   ".zst",
					      ".xz",	".lz4",	   ".bz2", ".ntar", ".tcpdump"};
	const size_t bytes = strlen(word);

	if (strpbrk(word, " \t()"))
		return false;
	if (word[0] == '/' || strncmp(word, "./", 2) == 0 || strncmp(word, "../", 3) == 0)
		return true;
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (bytes > strlen(endings[i]) &&
		    strcmp(word + bytes - strlen(endings[i]), endings[i]) == 0)
			return true;
	return false;
}

// Why an existing file is not a capture.
static void explain_file(struct cap *cap, const char *path, const struct stat *info)
{
	char hint[TR_FOLDER_HINT_BYTES];
	struct pk_capture *capture;
	struct tr_source *source;
	struct tr_error err;

	if (!S_ISREG(info->st_mode)) {
		tool_error(cap->tool, "%s: %s, and no filter either%s", path,
			   S_ISDIR(info->st_mode) ? "is a directory" : "is not a regular file",
			   tr_folder_hint(path, hint, sizeof(hint)));
		return;
	}
	if (tr_source_open(&source, path, &err) == TR_OK &&
	    pk_capture_open(&capture, source, &err) == TR_OK)
		pk_capture_close(capture);
	else
		tool_error(cap->tool, "%s", err.text);
}

// Whether an operand that is not part of a filter is the fault: a file that is not a capture, or a
// name of none. Reports an error then.
static bool explain_operands(struct cap *cap)
{
	const size_t count = tool_operand_count(cap->tool);
	struct stat info;

	for (size_t i = 0; i < count; i++) {
		const char *path = cap_point_path(cap, tool_operand(cap->tool, i));
		const bool exists = stat(path, &info) == 0;

		if (exists ? is_capture(path) : !looks_like_file(path))
			continue;
		if (exists)
			explain_file(cap, path, &info);
		else
			tool_error(cap->tool, "%s: %s", path, strerror(errno));
		return true;
	}
	return false;
}

static bool open_filter(struct cap *cap)
{
	struct tr_error err;

	if (!cap->filter_text || pk_filter_open(&cap->filter, cap->filter_text, &err) == TR_OK)
		return true;
	if (cap->options->filter_file || !explain_operands(cap))
		tool_error(cap->tool, "%s%s", err.text,
			   tool_operand_count(cap->tool) == 1 && !strchr(cap->filter_text, ' ')
				   ? " (and there is no such file)"
				   : "");
	return false;
}

bool cap_open_files(struct cap *cap, struct opt_list *paths)
{
	static const char *const standard_input[] = {"-"};

	if (!cap_take_files(cap, paths) || !open_filter(cap))
		return false;
	if (cap->options->joins && !cap_open_points(cap, paths))
		return false;
	if (paths->count)
		return operands_open_all(cap, paths->words, paths->count);
	if (isatty(STDIN_FILENO)) {
		tool_error(cap->tool, "no input: expected -r FILE, -i INTERFACE or a capture on "
				      "standard input (try flitcap --help)");
		return false;
	}
	return operands_open_all(cap, standard_input, 1);
}
