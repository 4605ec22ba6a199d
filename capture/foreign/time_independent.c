// SPDX-License-Identifier: GPL-3.0-or-later
// SimGrid's time-independent traces (Desprez, Markomanolis, Quinson, Suter, "Assessing the
// Performance of MPI Applications Through Time-Independent Trace Replay", PSTI 2011): actions of
// each rank, with computing in instructions. Words and their order: SimGrid 3.32,
// src/smpi/internals/smpi_replay.cpp, and what it writes since 3.25:
// src/smpi/bindings/smpi_pmpi_request.cpp; numbers of types: src/smpi/mpi/smpi_datatype.cpp.
//
// Such a trace has no times: the clock of each rank is that of its computing alone, at the speed
// given.
#include "foreign/time_independent.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/file_list.h"

static enum tr_status time_independent_read_line(struct ti_reading *reading, struct tr_error *err)
{
	if (ti_rank(reading, 0, &reading->rank, err) != TR_OK)
		return TR_ERROR;
	if (reading->count < 2)
		return tr_lines_fail(
			&reading->lines, err,
			"expected an action after the rank, found the end of the line");
	if (ti_is_action(reading->words[1]))
		return ti_act(reading, err);
	if (ti_is_collective(reading->words[1]))
		return ti_collective(reading, err);
	return ti_fail(reading, err, "an action such as send, compute or allreduce",
		       reading->words[1]);
}

// ---- files

static bool begins_with_digit(const char *line)
{
	line += strspn(line, " \t");
	return *line >= '0' && *line <= '9' && line[strspn(line, "0123456789")] == ' ';
}

// A file of actions, or a list of such files, one a line.
static enum tr_status time_independent_gather_file(const struct foreign_input *input,
						   const char *path, struct file_list *list,
						   uint64_t *ranks, struct tr_error *err)
{
	struct tr_lines lines = {0};
	enum tr_status status = input->open(input->context, NULL, path, &lines.source, err);
	bool actions_here = false, first = true;
	char *line;

	if (status != TR_OK)
		return status;
	while ((status = tr_lines_next(&lines, &line, err)) == TR_OK) {
		line += strspn(line, " \t");
		if (!*line || *line == '#')
			continue;
		actions_here = first ? begins_with_digit(line) : actions_here;
		first = false;
		if (actions_here) {
			uint64_t rank = strtoull(line, NULL, 10);

			*ranks = rank >= *ranks && rank < EVENTS_RANKS_MAX ? rank + 1 : *ranks;
		} else if (!file_list_add(list, line)) {
			status = tr_no_memory(err, "names of files");
			break;
		}
	}
	if (status == TR_END)
		status = !first && !actions_here     ? TR_OK
			 : file_list_add(list, path) ? TR_OK
						     : tr_no_memory(err, "names of files");
	tr_lines_clear(&lines);
	tr_source_close(lines.source);
	return status;
}

static enum tr_status time_independent_read_file(struct ti_reading *reading, const char *path,
						 struct tr_error *err)
{
	enum tr_status status;
	char *line;

	reading->lines = (struct tr_lines){0};
	status = reading->input->open(reading->input->context, reading->input->paths[0], path,
				      &reading->lines.source, err);
	if (status != TR_OK)
		return status;
	while ((status = tr_lines_next(&reading->lines, &line, err)) == TR_OK)
		if (*line != '#' && ti_split(reading, line) &&
		    time_independent_read_line(reading, err) != TR_OK) {
			status = TR_ERROR;
			break;
		}
	tr_lines_clear(&reading->lines);
	tr_source_close(reading->lines.source);
	return status == TR_END ? TR_OK : status;
}

static enum tr_status read_files(struct ti_reading *reading, const struct file_list *list,
				 uint64_t ranks, struct tr_error *err)
{
	enum tr_status status = events_open(reading->events, (uint32_t)ranks, TI_TICKS_PER_S, err);

	reading->clocks = calloc(ranks ? ranks : 1, sizeof(*reading->clocks));
	reading->words = calloc(TI_WORDS_MAX, sizeof(*reading->words));
	if (status == TR_OK && (!reading->clocks || !reading->words))
		status = tr_no_memory(err, "%" PRIu64 " ranks", ranks);
	reading->events->computed = true;
	for (uint64_t rank = 0; status == TR_OK && rank < ranks; rank++)
		reading->clocks[rank].type = TI_BYTE;
	for (size_t i = 0; status == TR_OK && i < list->count; i++)
		status = time_independent_read_file(reading, list->paths[i], err);
	for (uint64_t rank = 0; reading->clocks && rank < ranks; rank++)
		free(reading->clocks[rank].pending);
	free(reading->clocks);
	free(reading->words);
	return status == TR_OK ? events_finish(reading->events, err) : status;
}

static enum tr_status time_independent_read_trace(const struct foreign_input *input,
						  struct events *events, struct tr_error *err)
{
	struct ti_reading reading = {.input = input, .events = events};
	struct file_list list = {0};
	enum tr_status status = TR_OK;
	uint64_t ranks = 0;

	memset(events, 0, sizeof(*events));
	for (size_t i = 0; status == TR_OK && i < input->count; i++)
		status = time_independent_gather_file(input, input->paths[i], &list, &ranks, err);
	if (status == TR_OK && list.count > ranks)
		ranks = list.count;
	if (status == TR_OK && ranks > EVENTS_RANKS_MAX)
		status = tr_fail(err, "%" PRIu64 " files of ranks; expected at most %u", ranks,
				 EVENTS_RANKS_MAX);
	if (status == TR_OK)
		status = read_files(&reading, &list, ranks, err);
	file_list_clear(&list);
	return status;
}

// "0 init", or a list of files called .txt.
static bool time_independent_claims(struct tr_source *source)
{
	const uint8_t *data;
	size_t got = 0, end = 0, word;

	if (tr_source_peek(source, 512, &data, &got, NULL) == TR_ERROR || got == 0)
		return false;
	while (end < got && data[end] >= '0' && data[end] <= '9')
		end++;
	if (end > 0 && end + 1 < got && data[end] == ' ') {
		char text[24] = "";

		word = end + 1;
		for (end = word; end < got && end - word < sizeof(text) - 1 && data[end] > ' ';
		     end++)
			text[end - word] = (char)data[end];
		return ti_is_action(text) || ti_is_collective(text);
	}
	for (end = 0; end < got && data[end] > ' ' && data[end] != ',' && data[end] < 0x7f;)
		end++;
	return end > 4 && memcmp(data + end - 4, ".txt", 4) == 0 &&
	       (end == got || data[end] == '\n');
}

const struct foreign_format foreign_ti = {"ti",
					  "SimGrid's time-independent traces: the files of the "
					  "ranks, one file of all, or a list of files",
					  time_independent_claims, time_independent_read_trace};
