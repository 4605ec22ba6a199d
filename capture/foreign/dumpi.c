// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/dumpi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/file_list.h"
#include "stream/lines.h"
#include "value/grow.h"

#define META_BYTES 4096u // that tell a file of keys and values
#define TICKS_PER_S 1000000000

void dumpi_call_start(struct dumpi_call *call, const struct dumpi_function *function)
{
	*call = (struct dumpi_call){.function = function,
				    .numbers = call->numbers,
				    .number_capacity = call->number_capacity};
}

enum tr_status dumpi_call_add(struct dumpi_call *call, struct dumpi_argument *argument,
			      int32_t number, struct tr_error *err)
{
	if (call->number_count == DUMPI_NUMBERS_MAX)
		return tr_fail(err, "more than %u numbers in one call", DUMPI_NUMBERS_MAX);
	if (!GROW(call->numbers, call->number_capacity, call->number_count))
		return tr_no_memory(err, "the arguments of a call");
	call->numbers[call->number_count++] = number;
	argument->count++;
	return TR_OK;
}

void dumpi_call_clear(struct dumpi_call *call)
{
	free(call->numbers);
	memset(call, 0, sizeof(*call));
}

// ---- files

// The file of keys that a run writes beside its traces.
static bool is_meta(struct tr_source *source)
{
	const uint8_t *data;
	size_t got = 0;

	return tr_source_peek(source, META_BYTES, &data, &got, NULL) != TR_ERROR && got > 9 &&
	       memcmp(data, "hostname=", 9) == 0 && memmem(data, got, "fileprefix=", 11);
}

static enum tr_status read_meta(struct tr_source *source, struct file_list *list,
				struct tr_error *err)
{
	struct tr_lines lines = {.source = source};
	char *prefix = NULL;
	uint64_t ranks = 0;
	enum tr_status status;
	char *line;

	while ((status = tr_lines_next(&lines, &line, err)) == TR_OK) {
		if (strncmp(line, "fileprefix=", 11) == 0) {
			free(prefix);
			prefix = strdup(line + 11);
		} else if (strncmp(line, "numprocs=", 9) == 0 &&
			   num_parse_count(line + 9, 1, EVENTS_RANKS_MAX, &ranks, NULL) != TR_OK) {
			status = tr_lines_fail(&lines, err,
					       "expected a number of ranks, found \"%.40s\"",
					       line + 9);
			break;
		}
	}
	if (status == TR_END)
		status = prefix && ranks > 0
				 ? TR_OK
				 : tr_fail(err, "%s: expected numprocs= and fileprefix=",
					   tr_source_name(source));
	for (uint64_t rank = 0; status == TR_OK && rank < ranks; rank++) {
		char *path = NULL;

		if (asprintf(&path, "%s-%04" PRIu64 ".bin", prefix, rank) < 0 ||
		    !file_list_add(list, path))
			status = tr_no_memory(err, "names of files");
		free(path);
	}
	free(prefix);
	tr_lines_clear(&lines);
	return status;
}

static enum tr_status dumpi_gather_file(const struct foreign_input *input, const char *path,
					struct file_list *list, struct tr_error *err)
{
	struct tr_source *source;
	enum tr_status status = input->open(input->context, NULL, path, &source, err);
	const uint8_t *data;
	size_t got;

	if (status != TR_OK)
		return status;
	if (tr_source_peek(source, META_BYTES, &data, &got, err) ==
	    TR_ERROR) // which is_meta does not tell
		status = TR_ERROR;
	else if (is_meta(source))
		status = read_meta(source, list, err);
	else if (!file_list_add(list, path))
		status = tr_no_memory(err, "names of files");
	tr_source_close(source);
	return status;
}

static enum tr_status dumpi_read_rank(const struct foreign_input *input, const char *path,
				      struct events *events, uint32_t number, struct tr_error *err)
{
	struct dumpi_rank *rank = NULL;
	struct tr_source *source;
	enum tr_status status = input->open(input->context, input->paths[0], path, &source, err);

	if (status != TR_OK)
		return status;
	status = dumpi_rank_open(&rank, events, number, err);
	if (status == TR_OK && dumpi_is_binary(source))
		status = dumpi_read_binary(source, rank, err);
	else if (status == TR_OK && dumpi_is_text(source))
		status = dumpi_read_text(source, rank, err);
	else if (status == TR_OK)
		status = tr_fail(err, "%s: expected a DUMPI file or its text, found neither", path);
	dumpi_rank_close(rank);
	tr_source_close(source);
	return status;
}

static enum tr_status dumpi_read_trace(const struct foreign_input *input, struct events *events,
				       struct tr_error *err)
{
	struct file_list list = {0};
	enum tr_status status = TR_OK;

	memset(events, 0, sizeof(*events));
	for (size_t i = 0; status == TR_OK && i < input->count; i++)
		status = dumpi_gather_file(input, input->paths[i], &list, err);
	if (status == TR_OK && list.count > EVENTS_RANKS_MAX)
		status = tr_fail(err, "%zu files of ranks; expected at most %u", list.count,
				 EVENTS_RANKS_MAX);
	if (status == TR_OK)
		status = events_open(events, (uint32_t)list.count, TICKS_PER_S, err);
	for (size_t i = 0; status == TR_OK && i < list.count; i++)
		status = dumpi_read_rank(input, list.paths[i], events, (uint32_t)i, err);
	file_list_clear(&list);
	if (status == TR_OK)
		events_rebase(events);
	return status == TR_OK ? events_finish(events, err) : status;
}

static bool dumpi_claims(struct tr_source *source)
{
	return dumpi_is_binary(source) || dumpi_is_text(source) || is_meta(source);
}

const struct foreign_format foreign_dumpi = {
	"dumpi",
	"DUMPI: the .meta file of a run, or the files of its ranks in their order, binary or as "
	"dumpi2ascii prints them",
	dumpi_claims, dumpi_read_trace};
