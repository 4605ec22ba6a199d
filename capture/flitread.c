// SPDX-License-Identifier: GPL-3.0-or-later
// flitread: other people's traces of parallel programs, as a stream of messages or as a program.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "foreign/chakra_write.h"
#include "foreign/collective_tables.h"
#include "foreign/event_goal.h"
#include "foreign/event_messages.h"
#include "foreign/file_list.h"
#include "foreign/foreign.h"
#include "foreign/match.h"
#include "foreign/otf2_write.h"
#include "foreign/stream_events.h"
#include "tool/tool.h"

// Or a format of a table.
enum flitread_target { TO_MESSAGES = TABLE_WORDS + 1, TO_GOAL, TO_OTF2, TO_CHAKRA };

static const struct opt_choice targets[] = {
	{"messages", TO_MESSAGES, "a stream of messages"},
	{"goal", TO_GOAL, "a program: what each rank does, as GOAL"},
#ifdef FLIT_OTF2
	{"otf2", TO_OTF2, "an archive of OTF2, a folder"},
#endif
	{"chakra", TO_CHAKRA, "of a program: Chakra execution traces, a folder"},
	TABLE_FORMAT_WORDS,
	{NULL, 0},
};

struct flitread_request {
	const char *output;
	struct table_style style; // its format is enum flitread_target or enum table_format
	const char *format;
	const char *columns;
	struct num_ratio flops_per_s;
	struct opt_list ways; // of collective operations
	bool compress;
};

// ---- files

struct files {
	struct tool *tool;
	struct file_list opened; // they are in the provenance
	uint8_t *piped;		 // what came from the standard input
	size_t piped_bytes;
};

// Keeps the whole standard input, so that it can be read twice.
static enum tr_status keep_pipe(struct files *files, struct tr_error *err)
{
	struct tr_source *source = tool_open_source(files->tool, "-");
	enum tr_status status = TR_ERROR;

	if (source)
		status = tr_source_rest(source, SIZE_MAX, &files->piped, &files->piped_bytes, err);
	tr_source_close(source);
	return status;
}

// Each file is in the provenance once, however often it is read.
static enum tr_status flitread_open_path(struct files *files, const char *path,
					 struct tr_source **out, struct tr_error *err)
{
	*out = NULL;
	if (strcmp(path, "-") == 0) {
		if (!files->piped && keep_pipe(files, err) != TR_OK)
			return TR_ERROR;
		return tr_source_open_memory(out, files->piped, files->piped_bytes, "-", err);
	}
	if (file_list_has(&files->opened, path))
		return tr_source_open(out, path, err);
	if (!file_list_add(&files->opened, path))
		return tr_no_memory(err, "names of files");
	*out = tool_open_source(files->tool, path);
	return *out ? TR_OK : TR_ERROR;
}

static enum tr_status flitread_open_file(void *context, const char *beside, const char *path,
					 struct tr_source **out, struct tr_error *err)
{
	char *found = beside && strcmp(beside, path) != 0 && strcmp(beside, "-") != 0
			      ? tr_files_beside(beside, path)
			      : NULL;
	enum tr_status status;

	err->text[0] = '\0'; // a file that cannot be opened has been reported
	status = flitread_open_path(context, found ? found : path, out, err);
	free(found);
	return status;
}

// Says how many of something there are, if any.
static void flitread_tell(struct tool *tool, uint64_t count, const char *what)
{
	if (count > 0)
		tool_warn(tool, "%" PRIu64 " %s", count, what);
}

static void tell_of_file(void *context, const char *path, const char *text)
{
	const struct files *files = context;

	tool_warn(files->tool, "%s: %s", path, text);
}

// The format that was named, or that of the first file. NULL after a report.
static const struct foreign_format *flitread_choose(struct files *files,
						    const struct flitread_request *request,
						    const char *first)
{
	const struct foreign_format *format = NULL;
	struct tr_source *source;
	struct tr_error err = {""};

	if (request->format || request->columns) {
		format = foreign_find(request->format ? request->format : "csv", &err);
		if (!format)
			tool_error(files->tool, "--from %s", err.text);
		return format;
	}
	if (strcmp(first, "-") == 0 ? flitread_open_path(files, first, &source, &err) != TR_OK
				    : !tool_reads(files->tool, first) ||
					      tr_source_open(&source, first, &err) != TR_OK) {
		if (*err.text)
			tool_error(files->tool, "%s", err.text);
		return NULL;
	}
	format = foreign_recognise(source, &err);
	if (!format)
		tool_error(files->tool, "%s", err.text);
	tr_source_close(source);
	return format;
}

// ---- outputs

static enum tr_status flitread_put_message(void *context, const struct tr_message *message,
					   struct tr_error *err)
{
	(void)err;
	return tr_put(context, message) == TR_OK
		       ? TR_OK
		       : TR_END; // a failed output is reported at its close
}

static void write_messages(struct tool *tool, const struct flitread_request *request,
			   const struct events *events)
{
	struct tr_header header = {.kind = TR_MESSAGE,
				   .ticks_per_s = events->ticks_per_s,
				   .origin_s = events->origin_s};
	struct tr_writer_options options = {.compress = request->compress};
	struct tr_writer *writer = tool_output(tool, request->output, &header, &options);
	struct message_sink sink = {flitread_put_message, writer};
	char name[32];
	uint64_t early = 0;
	struct tr_error err;

	for (uint32_t rank = 0; writer && rank < events->ranks; rank++) {
		(void)snprintf(name, sizeof(name), "rank%" PRIu32, rank);
		if (tr_put_node(writer, rank, events->names[rank] ? events->names[rank] : name,
				TR_ROLE_UNKNOWN) != TR_OK)
			return;
	}
	if (writer && events_messages(events, &sink, &early, &err) == TR_ERROR)
		tool_error(tool, "%s", err.text);
	if (!events->computed)
		flitread_tell(tool, early,
			      "messages were received before they were sent (clocks differ): given "
			      "a duration of 0");
}

// Opens the output of a program, with how collective operations are unrolled; NULL after a report.
static FILE *open_program(struct tool *tool, const struct flitread_request *request,
			  struct event_goal_ways *ways)
{
	struct tr_error err;

	for (size_t i = 0; i < request->ways.count; i++)
		if (event_goal_way(ways, request->ways.words[i], &err) != TR_OK) {
			tool_error(tool, "--collective %s", err.text);
			return NULL;
		}
	return tool_text_output(tool, request->output);
}

static void write_goal(struct tool *tool, const struct flitread_request *request,
		       const struct events *events)
{
	struct event_goal_counts counts = {0};
	struct event_goal_ways ways = {0};
	struct tr_error err;
	FILE *out = open_program(tool, request, &ways);

	if (out && event_goal_write(events, &ways, out, &counts, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	flitread_tell(tool, counts.left_out,
		      "calls are not in the program: the trace lacks their other end");
	flitread_tell(tool, counts.uneven,
		      "collective operations with different counts are sent directly, all at once");
	flitread_tell(tool, counts.tags_again, EVENT_GOAL_TAGS_AGAIN);
}

// A trace that is a program.
static void flitread_write_graph(struct tool *tool, const struct flitread_request *request,
				 const struct foreign_format *format,
				 const struct foreign_input *input)
{
	struct event_goal_ways ways = {0};
	struct tr_error err = {""};
	FILE *out = open_program(tool, request, &ways);

	if (out && format->write(input, &ways, out, &err) != TR_OK && *err.text)
		tool_error(tool, "%s", err.text);
}

// Tables of events, or (NULL) of what the format measures.
static void flitread_put_tables(struct tool *tool, const struct flitread_request *request,
				const struct events *events, const struct foreign_format *format,
				const struct foreign_input *input)
{
	struct collective_parts parts = {0};
	struct tr_error err = {""};
	uint64_t ticks_per_s;
	enum tr_status status = events ? collective_parts_of(&parts, events, &ticks_per_s, &err)
				       : format->measure(input, &parts, &ticks_per_s, &err);
	FILE *out = status == TR_OK ? tool_text_output(tool, request->output) : NULL;

	if (out)
		status = collective_tables_print(&parts, ticks_per_s, request->style, out, &err);
	if (status != TR_OK && *err.text)
		tool_error(tool, "%s", err.text);
	collective_parts_clear(&parts);
}

static void write_otf2(struct tool *tool, const struct flitread_request *request,
		       const struct events *events)
{
#ifdef FLIT_OTF2
	struct tr_error err;

	if (otf2_write(events, request->output, tool_provenance(tool), &err) != TR_OK)
		tool_error(tool, "%s", err.text);
#else
	(void)tool, (void)request, (void)events; // not among the words of --format
#endif
}

// What the trace does not say.
static void tell_doubts(struct tool *tool, const struct events *events,
			const struct match_counts *counts)
{
	const struct {
		uint64_t count;
		const char *text;
	} doubts[] = {
		{counts->unreceived, "messages have no receive"},
		{counts->unsent, "receives have no message"},
		{events->unknown_members,
		 "calls left out: the trace does not say who is in their communicators"},
		{events->between, "collective operations between two groups left out"},
		{events->unknown_sizes,
		 "calls count as 0 bytes: the trace does not say the size of their types"},
		{events->unsaid,
		 "calls left out: the trace does not say what they send or receive"},
		{events->unknown_waits_any,
		 "waits for any of several requests are read as waits for the oldest: the trace "
		 "does not say which one ended"},
		{events->in_place,
		 "collective operations may be of other sizes, by one rank's share: the trace does "
		 "not say whether they were in place"},
	};

	if (counts->guessed > 0)
		tool_warn(tool,
			  "%" PRIu64 " of %" PRIu64
			  " messages are only likely: no status says which message a receive got",
			  counts->guessed, counts->messages);
	for (size_t i = 0; i < sizeof(doubts) / sizeof(*doubts); i++)
		flitread_tell(tool, doubts[i].count, doubts[i].text);
	if (events->one_sided > 0)
		tool_warn(tool,
			  "%" PRIu64 " one-sided operations of %" PRIu64
			  " B left out (MPI_Put and its like)",
			  events->one_sided, events->one_sided_bytes);
	flitread_tell(tool, events->stepped, "calls end before they begin: given a duration of 0");
}

// Writes what was read into events, unless status says that it failed; err "" if that has been
// reported.
static void write_events(struct tool *tool, const struct flitread_request *request,
			 struct events *events, enum tr_status status, struct tr_error *err)
{
	struct match_counts counts;

	if (status == TR_OK)
		status = events_match(events, &counts, err);
	if (status != TR_OK) {
		if (*err->text)
			tool_error(tool, "%s", err->text);
		return;
	}
	if (events->ranks == 0 && request->style.format != TO_MESSAGES) {
		tool_error(tool, "expected the messages of a program, found none");
		return;
	}
	tell_doubts(tool, events, &counts);
	if (*events->library)
		tool_record_line(tool, "library", events->library);
	if (request->style.format < TABLE_WORDS)
		flitread_put_tables(tool, request, events, NULL, NULL);
	else if (request->style.format == TO_GOAL)
		write_goal(tool, request, events);
	else if (request->style.format == TO_OTF2)
		write_otf2(tool, request, events);
	else
		write_messages(tool, request, events);
}

// A stream of messages of this suite.
static void read_stream(struct tool *tool, const struct flitread_request *request)
{
	struct tr_error err = {""};
	struct events events;
	struct tr_reader *in;
	uint64_t left_out;
	enum tr_status status;

	if (tool_next_input(tool, &in) != TR_OK)
		return;
	status = stream_events(in, &events, &left_out, &err);
	if (tool_operand_count(tool) > 1)
		tool_error(tool, "expected one stream of messages, found %zu operands",
			   tool_operand_count(tool));
	else if (tool_next_input(tool, &in) == TR_END && tool_ok(tool))
		write_events(tool, request, &events, status, &err);
	flitread_tell(tool, left_out,
		      "parts of collective operations left out: they are not messages");
	events_clear(&events);
}

static void read_foreign(struct tool *tool, const struct flitread_request *request,
			 struct files *files, const struct foreign_input *input)
{
	const struct foreign_format *format = flitread_choose(files, request, input->paths[0]);
	const char *refused = NULL;
	struct tr_error err = {""};
	struct events events;
	enum tr_status status;

	if (!format)
		return;
	if (format->write && request->style.format != TO_GOAL)
		refused = "a program, without times of messages: expected --format goal";
	else if (format->measure && request->style.format > TABLE_WORDS)
		refused = "how long, not when: expected --format text, tsv, csv or json";
	if (refused)
		tool_error(tool, "--from %s: %s", format->name, refused);
	else if (format->write)
		flitread_write_graph(tool, request, format, input);
	else if (format->measure)
		flitread_put_tables(tool, request, NULL, format, input);
	if (!format->read)
		return;
	status = format->read(input, &events, &err);
	write_events(tool, request, &events, status, &err);
	events_clear(&events);
}

// Writes a program as a trace.
static void flitread_write_chakra(struct tool *tool, const struct flitread_request *request)
{
	struct goal_program program = {0};
	struct tr_error err = {""};
	struct tr_source *source;
	uint64_t rounded = 0;
	enum tr_status status;

	if (tool_next_source(tool, &source) != TR_OK)
		return;
	if (tool_operand_count(tool) > 1)
		status = tr_fail(&err, "expected one program, found %zu operands",
				 tool_operand_count(tool));
	else if (foreign_recognise(source, NULL) ||
		 tr_source_begins(source, TR_MAGIC, strlen(TR_MAGIC)))
		status = tr_fail(
			&err,
			"%s: a trace; --format chakra takes a program: flitread -T goal FILE "
			"| flitread -T chakra -w FOLDER",
			tr_source_name(source));
	else
		status = goal_read(&program, source, NULL, &err);
	tr_source_close(source);
	if (status == TR_OK)
		status = chakra_write(&program, request->output, tool_provenance(tool), &rounded,
				      &err);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	flitread_tell(tool, status == TR_OK ? rounded : 0,
		      "computations take no whole microseconds: programs that do not know "
		      "duration_nanos read them rounded");
	goal_clear(&program);
}

// Whether the first operand is a stream of this suite.
static bool is_stream(struct tool *tool, const struct flitread_request *request)
{
	struct tr_source *source;
	bool is = false;

	if (request->format || request->columns || tool_operand_count(tool) == 0 ||
	    strcmp(tool_operand(tool, 0), "-") == 0)
		return false;
	if (tr_source_open(&source, tool_operand(tool, 0), NULL) != TR_OK)
		return false;
	is = tr_source_begins(source, TR_MAGIC, strlen(TR_MAGIC));
	tr_source_close(source);
	return is;
}

static void flitread_read_trace(struct tool *tool, const struct flitread_request *request)
{
	size_t count = tool_operand_count(tool);
	const char **paths = reallocarray(NULL, count + 1, sizeof(*paths));
	struct files files = {.tool = tool};
	struct foreign_input input = {.paths = paths,
				      .count = count ? count : 1,
				      .open = flitread_open_file,
				      .tell = tell_of_file,
				      .context = &files,
				      .flops_per_s = request->flops_per_s,
				      .columns = request->columns};

	if (!paths) {
		tool_no_memory(tool, "names of files");
		return;
	}
	paths[0] = "-";
	for (size_t i = 0; i < count; i++)
		paths[i] = tool_operand(tool, i);
	if (count == 0 && isatty(STDIN_FILENO))
		tool_error(tool, "no input: expected a file or a pipe (try flitread --help)");
	else if (is_stream(tool, request))
		read_stream(tool, request);
	else
		read_foreign(tool, request, &files, &input);
	file_list_clear(&files.opened);
	free(files.piped);
	free(paths);
}

int main(int argc, char **argv)
{
	struct flitread_request request = {.style = {.format = TO_MESSAGES}};
	const struct opt opts[] = {
		OPT_GROUP("Input"),
		OPT_STRING_LISTED(0, "from", "FORMAT", &request.format, foreign_list,
				  OPT_FROM_HELP OPT_DEFAULT("as it begins")),
		OPT_COLUMNS(&request.columns, message_table_words),
		OPT_QUANTITY(0, "flops", "N", NUM_PLAIN, &request.flops_per_s,
			     "instructions per second, to compute the time of computations"),
		OPT_GROUP("Output"),
		TABLE_OPTIONS_WITH(&request.style, targets),
		OPT_WRITE(&request.output),
		OPT_COMPRESS(&request.compress),
		OPT_COLLECTIVE(&request.ways),
		OPT_ONLY_WITH("collective", "format=goal"),
		OPT_ONLY_WITH("compress", "format=messages"),
		OPT_NOT_WITH("from,columns,flops", "format=chakra"),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitread", "[--from FORMAT] [-T messages|goal|otf2|chakra] [-w FILE] [FILE ...]",
		"Reads a trace of a parallel program from other tools.", opts, NULL};
	struct tool *tool = tool_start(argc, argv, &spec);

	if (request.style.json)
		request.style.format = TABLE_JSON;
	else if (tool_option_given(tool, "table") && !tool_option_given(tool, "format"))
		request.style.format = TABLE_AUTO;
	if (tool_option_given(tool, "table") && request.style.format > TABLE_WORDS)
		tool_error(tool,
			   "--table prints a table: expected --format text, tsv, csv or json");
	else if (tool_option_given(tool, "flops") && request.flops_per_s.num <= 0)
		tool_error(tool, "--flops: expected above 0");
	else if ((request.style.format == TO_OTF2 || request.style.format == TO_CHAKRA) &&
		 !request.output)
		tool_error(tool, "--format %s writes a folder: expected --write FOLDER",
			   request.style.format == TO_OTF2 ? "otf2" : "chakra");
	else if (request.style.format == TO_CHAKRA)
		flitread_write_chakra(tool, &request);
	else
		flitread_read_trace(tool, &request);
	return tool_finish(tool, TOOL_OK);
}
