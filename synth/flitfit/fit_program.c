// SPDX-License-Identifier: GPL-3.0-or-later
// flitfit -f program: from captures of a parallel program, as packets or as messages, to its
// phases.
#include "flitfit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/program/program_fit.h"
#include "value/num.h"

#define CAPTURES_MAX 64u
#define PROBLEM_MAX 1000000000u

#define LIBRARY_BYTES 64u
#define FEW 0.1 // of the calls

struct captures {
	struct program_capture each[CAPTURES_MAX];
	char libraries[CAPTURES_MAX][LIBRARY_BYTES];
	size_t count;
	char *other; // what to type for another family; owned
};

// ---- Ranks: the controller is rank 0, the others in the order of their addresses, numbers in them
// by value.

struct ranked {
	uint32_t id;
	bool controls;
	const char *address;
};

static int natural(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			const unsigned long long x = strtoull(a, (char **)&a, 10),
						 y = strtoull(b, (char **)&b, 10);

			if (x != y)
				return x < y ? -1 : 1;
		} else if (*a != *b) {
			return *a < *b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	return (*a > *b) - (*a < *b);
}

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	const int order = natural(x->address, y->address);

	if (x->controls != y->controls)
		return x->controls ? -1 : 1;
	return order ? order : (x->id > y->id) - (x->id < y->id);
}

// Puts the nodes that take part in order; *nodes of them.
static void rank_nodes(const struct tr_names *names, const enum tr_role *roles, const bool *taking,
		       struct ranked *ranked, uint32_t *ranks, uint32_t *nodes)
{
	*nodes = 0;
	for (uint32_t i = 0; i < names->node_count; i++) {
		ranks[i] = UINT32_MAX;
		if (taking[i])
			ranked[(*nodes)++] = (struct ranked){i, roles[i] == TR_ROLE_CONTROLLER,
							     tr_names_node(names, i)};
	}
	qsort(ranked, *nodes, sizeof(*ranked), by_rank);
	for (uint32_t r = 0; r < *nodes; r++)
		ranks[ranked[r].id] = r;
}

uint32_t *fit_ranks(struct tool *tool, const struct tr_names *names,
		    const struct packet_sample *sample, const enum tr_role *roles, uint32_t *nodes)
{
	const uint32_t count = names->node_count;
	bool *taking = calloc((size_t)count + 1, sizeof(*taking));
	struct ranked *ranked = calloc((size_t)count + 1, sizeof(*ranked));
	uint32_t *ranks = calloc((size_t)count + 1, sizeof(*ranks));

	for (size_t i = 0; taking && i < sample->count; i++)
		if (sample->src[i] < count && sample->dst[i] < count && sample->payload_B[i] > 0)
			taking[sample->src[i]] = taking[sample->dst[i]] = true;
	if (taking && ranked && ranks) {
		rank_nodes(names, roles, taking, ranked, ranks, nodes);
	} else {
		tool_no_memory(tool, "the ranks of %u nodes", count);
		free(ranks);
		ranks = NULL;
	}
	free(taking);
	free(ranked);
	return ranks;
}

// ---- Packets

static bool fit_program_find_messages(struct tool *tool, struct tr_reader *in,
				      struct packet_sample *sample, const enum tr_role *roles,
				      struct program_capture *out)
{
	struct program_trace *trace = &out->trace;
	uint32_t nodes, *ranks = fit_ranks(tool, tr_reader_names(in), sample, roles, &nodes);
	struct tr_error err;
	enum tr_status status;

	if (!ranks)
		return false;
	if (nodes > PROGRAM_FIT_NODES_MAX)
		status = tr_fail(&err, "expected at most %u nodes, found %u", PROGRAM_FIT_NODES_MAX,
				 nodes);
	else if ((status = packet_sample_settle(sample, roles, tr_reader_names(in)->node_count,
						&err)) == TR_OK)
		status = program_trace_find(trace, sample, ranks, nodes, &err);
	if (status != TR_OK)
		tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
	out->ranks = ranks;
	return status == TR_OK;
}

// What to type for a capture of packets in which there is no program; NULL if out of memory.
static char *advise(const struct fit_request *request, const char *trace, bool in_trains,
		    const struct packet_sample *sample)
{
	return in_trains ? fit_advice_family(request, trace, "messages")
			 : fit_advice_other(request, trace, sample->count, sample);
}

static bool fit_program_take_packets(struct tool *tool, const struct fit_request *request,
				     struct tr_reader *in, struct program_capture *out,
				     char **other)
{
	struct packet_sample *sample = calloc(1, sizeof(*sample));
	enum tr_role *roles;
	bool aside, taken;

	out->packets = sample;
	if (!sample) {
		tool_no_memory(tool, "packets");
		return false;
	}
	sample->most = request->max_packets;
	sample->ticks_per_s = (double)tr_reader_header(in)->ticks_per_s;
	roles = fit_read_packets(tool, request, in, sample, &aside);
	taken = roles && fit_program_find_messages(tool, in, sample, roles, out);
	free(roles);
	free(*other);
	*other = taken ? advise(request, tr_reader_name(in), out->trace.in_trains, sample) : NULL;
	return taken;
}

// ---- All captures

// What flitread noted of the MPI library; NULL: nothing.
static const char *find_library(const char *provenance, char out[LIBRARY_BYTES])
{
	const char *line = provenance ? strstr(provenance, " library ") : NULL;

	if (!line)
		return NULL;
	line += strlen(" library ");
	(void)snprintf(out, LIBRARY_BYTES, "%.*s", (int)strcspn(line, "\n"), line);
	return out;
}

static bool fit_program_take(struct tool *tool, const struct fit_request *request,
			     struct tr_reader *in, char library[LIBRARY_BYTES],
			     struct program_capture *out, char **other)
{
	const struct tr_header *header = tr_reader_header(in);

	out->trace.name = tr_reader_name(in);
	out->trace.ticks_per_s = (double)header->ticks_per_s;
	if (header->kind == TR_MESSAGE) {
		const bool taken = fit_take_messages(tool, in, &out->trace);

		out->trace.library = find_library(tr_reader_provenance(in),
						  library); // all notes have been read
		return taken;
	}
	if (tr_kind_has_packet(header->kind))
		return fit_program_take_packets(tool, request, in, out, other);
	tool_error(tool, "%s: contains %s records, expected packets, deliveries or messages",
		   tr_reader_name(in), tr_kind_find(header->kind)->name);
	return false;
}

// Sizes of the problem: "256", or one for each capture, "256,512". Returns false after reporting an
// error.
static bool read_problems(struct tool *tool, const char *text, double problems[CAPTURES_MAX],
			  size_t *count)
{
	char words[512], *rest = words;
	struct tr_error err;

	*count = 0;
	(void)snprintf(words, sizeof(words), "%s", text ? text : "");
	while (text && rest) {
		uint64_t value;

		if (*count == CAPTURES_MAX)
			(void)tr_fail(&err, "expected at most %u sizes", CAPTURES_MAX);
		if (*count == CAPTURES_MAX ||
		    num_parse_count(strsep(&rest, ","), 1, PROBLEM_MAX, &value, &err) != TR_OK) {
			tool_error(tool, "--problem: %s", err.text);
			return false;
		}
		problems[(*count)++] = (double)value;
	}
	return true;
}

#define LEFT_OUT 0.01 // of what a trace has: more is told

// Tells where no trace shows the pace of its packets.
static void tell_pace(struct tool *tool, const struct captures *captures, struct model *text)
{
	static const char what[] =
		"no message shows the pace of its packets: none has a third one that is at least a "
		"quarter full, and an idle port may send two at once";
	const struct program_trace *trace = &captures->each[captures->count - 1].trace;

	for (size_t i = 0; i < captures->count; i++)
		if (captures->each[i].trace.pace_known == PROGRAM_PACE_SHOWN)
			return;
	if (trace->pace_known == PROGRAM_PACE_ASSUMED)
		return;
	tool_warn(tool, "%s: %s; the times of larger messages are not known; add a trace of them",
		  trace->name, what);
	model_comment(text, "%s: %s.", trace->name, what);
}

static void tell_left_out(struct tool *tool, const struct program_capture *capture)
{
	const struct program_counts *all = &capture->trace.all, *kept = &capture->kept;
	const double messages = (double)(all->messages - kept->messages),
		     operations = (double)(all->operations - kept->operations);
	const double bytes = all->bytes - kept->bytes;

	if (messages > LEFT_OUT * (double)all->messages ||
	    operations > LEFT_OUT * (double)all->operations || bytes > LEFT_OUT * all->bytes)
		tool_warn(tool,
			  "%s: the model leaves out %.0f of %.0f messages, %.0f of %.0f collective "
			  "operations, %.0f of %.0f B",
			  capture->trace.name, messages, (double)all->messages, operations,
			  (double)all->operations, bytes, all->bytes);
}

void fit_program_model_for(const struct model *model, const struct program_capture *capture,
			   struct model *out)
{
	char number[MODEL_NUMBER_BYTES];

	model_append(out, model);
	(void)snprintf(number, sizeof(number), "%u", capture->trace.nodes);
	model_set(out, "nodes", number);
	(void)snprintf(number, sizeof(number), "%u", capture->iterations.count);
	model_set(out, "iterations", number);
	if (capture->packets && capture->trace.flow.acks > 0)
		model_set(out, "acks", model_format(MODEL_REAL, capture->trace.flow.acks, number));
	if (capture->problem > 0) {
		(void)snprintf(number, sizeof(number), "%.0f", capture->problem);
		model_set(out, "problem", number);
	}
}

// Messages show no packets: they are compared themselves, unless they are few beside operations, as
// what a program gathers at its end. Operations before and after the iterations have no bytes.
static void compare_kept(const struct program_capture *capture, struct fit_comparison *out)
{
	const struct program_counts *all = &capture->trace.all, *kept = &capture->kept;

	if (all->messages > 0)
		fit_compare(
			out, "messages", MODEL_COUNT, (double)all->messages, (double)kept->messages,
			(double)all->messages >= FEW * (double)(all->messages + all->operations));
	if (all->operations > 0)
		fit_compare(out, "collective operations", MODEL_COUNT, (double)all->operations,
			    (double)kept->operations, false);
	fit_compare(out, "bytes", MODEL_COUNT, all->bytes, kept->bytes, true);
	fit_compare(out, "iterations", MODEL_COUNT, capture->iterations.all,
		    capture->iterations.count, true);
}

struct packet_sample fit_program_packets(const struct program_capture *capture)
{
	return capture->trace.shows_packets
		       ? *capture->packets
		       : packet_sample_part(capture->packets, capture->iterations.begin_ticks,
					    capture->iterations.end_ticks);
}

static enum tr_status compare_packets(struct tool *tool, const struct fit_request *request,
				      const struct program_capture *capture,
				      const struct model *model, struct fit_comparison *out,
				      struct tr_error *err)
{
	const struct fit_notes notes = {.iterations = capture->iterations};
	const struct packet_sample packets = fit_program_packets(capture);
	struct model own = {.name = NULL};
	struct fit_doubt doubt;
	enum tr_status status;

	fit_program_model_for(model, capture, &own);
	doubt = fit_doubt_of(&own, &notes, &packets);
	status = fit_try_program(tool, request, &doubt, &packets, out, err);
	model_clear(&own);
	return status == TR_OK ? TR_OK : tr_fail_in(err, "%s: program", capture->trace.name);
}

// Messages show no packets, whose pace is assumed where no other trace has them: tells where
// iterations then last too long or too short.
static enum tr_status tell_length(struct tool *tool, const struct fit_request *request,
				  const struct program_capture *capture, const struct model *model,
				  struct model *text, struct tr_error *err)
{
	const struct fit_traced traced = {.iterations = capture->iterations,
					  .ticks_per_s = (uint64_t)capture->trace.ticks_per_s};
	struct fit_reruns reruns = {.count = 0};
	struct fit_comparison comparison = {.text = ""};
	struct model own = {.name = NULL};
	enum tr_status status;

	fit_program_model_for(model, capture, &own);
	status = fit_rerun_add(&reruns, &own, &traced, request->seed, NULL, err);
	model_clear(&own);
	if (status != TR_OK)
		return TR_ERROR;
	fit_compare_reruns(&comparison, &reruns, &traced);
	if (!comparison.misses)
		return TR_OK;
	model_comment(text, "%s: the packets' pace is assumed: %s.", capture->trace.name,
		      comparison.text);
	tool_warn(tool,
		  "%s: the packets' pace is assumed: %s; add a trace of the packets to measure it",
		  capture->trace.name, comparison.text);
	return TR_OK;
}

// Compares the model with a capture. Adds a comment to the text if it is written all the same.
// TR_END: it is not the capture's.
static enum tr_status try_capture(struct tool *tool, const struct fit_request *request,
				  const struct program_capture *capture, const struct model *model,
				  struct model *text, struct tr_error *err)
{
	struct fit_comparison comparison = {.text = ""};
	char reason[FIT_DOUBT_BYTES + 100] = "";
	enum tr_status status = TR_OK;

	if (!capture->trace.shows_packets)
		compare_kept(capture, &comparison);
	if (!capture->packets)
		status = tell_length(tool, request, capture, model, text, err);
	else if (!comparison.misses)
		status = compare_packets(tool, request, capture, model, &comparison, err);
	if (status != TR_OK)
		return TR_ERROR;
	if (comparison.misses)
		(void)snprintf(reason, sizeof(reason), "%s: %s", capture->trace.name,
			       comparison.text);
	if (comparison.misses && request->force)
		tool_warn(tool, "the program does not match the trace: %s", reason);
	return fit_trust_reason(request, reason, text, err);
}

static void write_tried(struct tool *tool, const struct fit_request *request,
			struct captures *captures)
{
	struct model model = {.name = NULL}, text = {.name = NULL};
	struct program_others others = {.count = 0};
	bool fitted;
	struct tr_error err;
	enum tr_status status = program_fit(captures->each, captures->count, &model, &others, &err);

	fitted = status == TR_OK;
	model_comment(&text, "program: a parallel program by its phases.");
	model_comment(&text, "%s", tool_provenance(tool));
	if (status == TR_OK)
		tell_pace(tool, captures, &text);
	for (size_t i = 0; i < captures->count && status == TR_OK; i++) {
		tell_left_out(tool, &captures->each[i]);
		status = try_capture(tool, request, &captures->each[i], &model, &text, &err);
	}
	if (status == TR_OK)
		status = fit_held_out(tool, request, captures->each, captures->count, &others,
				      &text, &err);
	model_append(&text, &model);
	if (status == TR_OK && (request->output || !request->rank))
		fit_write_model(tool, request->output, &text);
	else if (status == TR_END)
		tool_verdict(
			tool, "program is not written: %s; %s%s", err.text,
			captures->other
				? captures->other
				: "other families need packets, which these traces do not show",
			fitted ? "; --rank compares all families; --force writes it anyway" : "");
	else if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	model_clear(&model);
	model_clear(&text);
	program_others_clear(&others);
}

void fit_program(struct tool *tool, const struct fit_request *request)
{
	struct captures *captures = calloc(1, sizeof(*captures));
	double problems[CAPTURES_MAX];
	size_t problem_count;
	struct tr_reader *in;
	bool taken = captures && read_problems(tool, request->problem, problems, &problem_count);

	if (!captures)
		tool_no_memory(tool, "captures");
	while (taken && tool_next_input(tool, &in) == TR_OK) {
		const size_t next = captures->count;

		if (next == CAPTURES_MAX) {
			tool_error(tool, "expected at most %u captures", CAPTURES_MAX);
			taken = false;
			break;
		}
		captures->count++;
		taken = fit_program_take(tool, request, in, captures->libraries[next],
					 &captures->each[next], &captures->other);
		if (taken)
			captures->each[captures->count - 1].trace.name =
				tool_operand_count(tool) > 0
					? tool_operand(tool, captures->count - 1)
					: "-";
	}
	if (taken && problem_count > 1 && problem_count != captures->count) {
		tool_error(tool,
			   "--problem: expected one size, or one for each of %zu traces, found %zu",
			   captures->count, problem_count);
		taken = false;
	}
	for (size_t i = 0; taken && problem_count > 0 && i < captures->count; i++)
		captures->each[i].problem = problems[problem_count > 1 ? i : 0];
	if (captures)
		fit_program_join(captures->each, &captures->count);
	if (taken && tool_ok(tool))
		write_tried(tool, request, captures);
	for (size_t i = 0; captures && i < captures->count; i++)
		fit_capture_clear(&captures->each[i]);
	if (captures)
		free(captures->other);
	free(captures);
}
