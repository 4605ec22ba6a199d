// SPDX-License-Identifier: GPL-3.0-or-later
// The frames of capture files.
#include "flitcap.h"
#include "packet/merge.h"

#include <stdlib.h>
#include <unistd.h>

static enum tr_status read_merge(void *state, struct pk_frame *frames, size_t max, size_t *count, struct tr_error *err)
{
	return pk_merge_read(state, frames, max, count, err);
}

static bool lost(void *state, uint64_t *frames)
{
	return pk_merge_lost(state, frames);
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

static bool open_all(struct cap *cap, const char *const *paths, size_t count)
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
		pk_capture_read_ahead(captures[0]); // of several, each would need a core
	if (opened == count) {
		cap->from = (struct cap_frames){read_merge, lost, close_merge, pk_merge_new(captures, count),
						count == 1 ? paths[0] : NULL};
		if (!cap->from.state)
			tool_no_memory(cap->tool, "the files");
	} else {
		for (size_t i = 0; i < opened; i++)
			pk_capture_close(captures[i]);
	}
	free(captures);
	return cap->from.state;
}

static bool open_filter(struct cap *cap)
{
	struct tr_error err;

	if (!cap->filter_text || pk_filter_open(&cap->filter, cap->filter_text, &err) == TR_OK)
		return true;
	tool_error(cap->tool, "%s", err.text);
	return false;
}

bool cap_open_files(struct cap *cap, struct opt_list *paths)
{
	static const char *const standard_input[] = {"-"};

	if (!cap_take_files(cap, paths) || !open_filter(cap))
		return false;
	if (paths->count)
		return open_all(cap, paths->words, paths->count);
	if (isatty(STDIN_FILENO)) {
		tool_error(cap->tool, "no input: -r FILE, -i INTERFACE, or a capture piped in "
				      "(try flitcap --help)");
		return false;
	}
	return open_all(cap, standard_input, 1);
}
