// SPDX-License-Identifier: GPL-3.0-or-later
// flitfit -f program: from captures of a parallel program, as packets or as messages, to its phases.
#include "flitfit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/program_fit.h"
#include "trace/num.h"

#define NODES_MAX 256u // of a capture
#define CAPTURES_MAX 64u
#define PROBLEM_MAX 1000000000u

// Packets of a stream of messages alone, which does not show them: Ethernet's.
#define USUAL_SEGMENT_B 1460
#define USUAL_HEADER_B 54

struct captures {
	struct program_capture each[CAPTURES_MAX];
	size_t count;
};

// ---- Ranks: the controller is rank 0, the others in the order of their addresses, numbers in them by value.

struct ranked {
	uint32_t id;
	bool controls;
	const char *address;
};

static int natural(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			const unsigned long long x = strtoull(a, (char **)&a, 10), y = strtoull(b, (char **)&b, 10);

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

// Ranks of the nodes that take part, by id; *nodes of them. NULL after reporting a failure.
static uint32_t *rank_nodes(struct tool *tool, const struct tr_reader *in, const enum tr_role *roles, const bool *taking,
			    uint32_t *nodes)
{
	const struct tr_names *names = tr_reader_names(in);
	struct ranked *ranked = calloc((size_t)names->node_count + 1, sizeof(*ranked));
	uint32_t *ranks = calloc((size_t)names->node_count + 1, sizeof(*ranks));

	*nodes = 0;
	for (uint32_t i = 0; ranked && ranks && i < names->node_count; i++) {
		ranks[i] = UINT32_MAX;
		if (taking[i])
			ranked[(*nodes)++] = (struct ranked){i, roles[i] == TR_ROLE_CONTROLLER, tr_names_node(names, i)};
	}
	if (ranked && ranks) {
		qsort(ranked, *nodes, sizeof(*ranked), by_rank);
		for (uint32_t r = 0; r < *nodes; r++)
			ranks[ranked[r].id] = r;
	} else {
		tool_no_memory(tool, "the ranks of %u nodes", names->node_count);
	}
	free(ranked);
	if (ranks && *nodes <= NODES_MAX)
		return ranks;
	if (ranks)
		tool_error(tool, "%s: expected at most %u nodes, found %u", tr_reader_name(in), NODES_MAX, *nodes);
	free(ranks);
	return NULL;
}

// ---- Packets

static bool read_packets(struct tool *tool, struct tr_reader *in, struct role_finder *finder, struct packet_sample *sample)
{
	const struct tr_names *names = tr_reader_names(in);
	const union tr_record *record;
	enum tr_status status;
	struct tr_error err;

	while ((status = tr_next(in, &record)) == TR_OK)
		if (fit_note_role(finder, &record->packet, names, &err) != TR_OK ||
		    packet_sample_add(sample, &record->packet, &err) != TR_OK) {
			tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
			return false;
		}
	return status == TR_END || tool_keep_going(tool);
}

static bool find_messages(struct tool *tool, struct tr_reader *in, struct packet_sample *sample, const enum tr_role *roles,
			  struct program_trace *out)
{
	const uint32_t count = tr_reader_names(in)->node_count;
	bool *taking = calloc((size_t)count + 1, sizeof(*taking));
	uint32_t *ranks, nodes;
	struct tr_error err;
	bool found = false;

	if (!taking) {
		tool_no_memory(tool, "%u nodes", count);
		return false;
	}
	for (size_t i = 0; i < sample->count; i++)
		if (sample->src[i] < count && sample->dst[i] < count && sample->payload_B[i] > 0)
			taking[sample->src[i]] = taking[sample->dst[i]] = true;
	ranks = rank_nodes(tool, in, roles, taking, &nodes);
	free(taking);
	if (!ranks)
		return false;
	found = packet_sample_settle(sample, roles, count, &err) == TR_OK &&
		program_trace_find(out, sample, ranks, nodes, &err) == TR_OK;
	if (!found)
		tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
	free(ranks);
	return found;
}

static bool take_packets(struct tool *tool, const struct fit_request *request, struct tr_reader *in, struct program_trace *out)
{
	struct role_finder finder = {.silence_ticks = (int64_t)(tr_reader_header(in)->ticks_per_s / 20)};
	struct packet_sample sample = {.most = request->max_packets, .ticks_per_s = (double)tr_reader_header(in)->ticks_per_s};
	enum tr_role *roles = NULL;
	bool taken = read_packets(tool, in, &finder, &sample);

	if (taken)
		roles = fit_roles(tool, &finder, tr_reader_names(in), sample.count);
	role_clear(&finder);
	taken = taken && roles && find_messages(tool, in, &sample, roles, out);
	free(roles);
	packet_sample_clear(&sample);
	return taken;
}

// ---- Messages

static bool take_message(const struct tr_message *message, const uint32_t *ranks, struct program_trace *out,
			 struct tr_error *err)
{
	const bool ranked = message->src_rank != TR_RANK_NONE && message->dst_rank != TR_RANK_NONE;
	const struct program_found found = {.begin_ticks = message->begin_ticks,
					    .first_ticks = message->begin_ticks,
					    .grant_ticks = message->begin_ticks,
					    .end_ticks = message->end_ticks,
					    .bytes = message->size_bytes,
					    .src = ranked ? message->src_rank : ranks[message->src],
					    .dst = ranked ? message->dst_rank : ranks[message->dst],
					    .granted = (message->flags & TR_MESSAGE_RENDEZVOUS) != 0,
					    .small = !ranked};
	const uint32_t high = found.src > found.dst ? found.src : found.dst;

	if (found.src == found.dst)
		return true;
	if (high >= NODES_MAX)
		return tr_fail(err, "expected at most %u nodes, found rank %u", NODES_MAX, high) == TR_OK;
	out->nodes = high >= out->nodes ? high + 1 : out->nodes;
	return program_trace_add(out, &found, err) == TR_OK;
}

// Where some messages have ranks, those without are none of the program: a launcher's.
static void keep_ranked(struct program_trace *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < out->count; i++)
		if (!out->found[i].small)
			out->found[kept++] = out->found[i];
	if (kept > 0)
		out->count = kept;
	for (size_t i = 0; i < out->count; i++)
		out->found[i].small = false;
}

// Packets as those of Ethernet, at the mean pace of the messages.
static void assume_flow(struct program_trace *out)
{
	double ticks = 0, bytes = 0;

	for (size_t i = 0; i < out->count; i++) {
		ticks += (double)(out->found[i].end_ticks - out->found[i].begin_ticks);
		bytes += (double)out->found[i].bytes;
	}
	out->flow = (struct program_flow){.segment_B = USUAL_SEGMENT_B, .header_B = USUAL_HEADER_B};
	out->flow.pace_s = bytes > 0 ? ticks / bytes * USUAL_SEGMENT_B / out->ticks_per_s : 0;
}

static bool read_messages(struct tool *tool, struct tr_reader *in, const uint32_t *ranks, struct program_trace *out)
{
	const union tr_record *record;
	enum tr_status status;
	struct tr_error err = {.text = ""};

	while ((status = tr_next(in, &record)) == TR_OK)
		if (!take_message(&record->message, ranks, out, &err)) {
			tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
			return false;
		}
	return status == TR_END || tool_keep_going(tool);
}

// Without ranks, the ids of nodes are ranks.
static bool take_messages(struct tool *tool, struct tr_reader *in, struct program_trace *out)
{
	uint32_t ids[NODES_MAX];
	bool taken;

	for (uint32_t i = 0; i < NODES_MAX; i++)
		ids[i] = i;
	taken = read_messages(tool, in, ids, out);
	if (taken && out->count == 0)
		tool_error(tool, "%s: no messages", tr_reader_name(in));
	keep_ranked(out);
	program_trace_sort(out);
	assume_flow(out);
	return taken && out->count > 0;
}

// ---- All captures

static bool take(struct tool *tool, const struct fit_request *request, struct tr_reader *in, struct program_capture *out)
{
	const struct tr_header *header = tr_reader_header(in);

	out->trace.name = tr_reader_name(in);
	out->trace.ticks_per_s = (double)header->ticks_per_s;
	if (header->kind == TR_MESSAGE)
		return take_messages(tool, in, &out->trace);
	if (tr_kind_has_packet(header->kind))
		return take_packets(tool, request, in, &out->trace);
	tool_error(tool, "%s: contains %s records, expected packets, deliveries or messages", tr_reader_name(in),
		   tr_kind_find(header->kind)->name);
	return false;
}

// What traces of messages do not show of packets they have from a trace of packets of as many nodes, which is then left out.
static void join(struct captures *captures)
{
	size_t kept = 0;

	for (size_t i = 0; i < captures->count; i++)
		for (size_t j = 0; !captures->each[i].trace.shows_packets && j < captures->count; j++) {
			const struct program_trace *packets = &captures->each[j].trace;

			if (packets->shows_packets && packets->nodes == captures->each[i].trace.nodes)
				captures->each[i].trace.flow = packets->flow;
		}
	for (size_t i = 0; i < captures->count; i++) {
		struct program_trace *trace = &captures->each[i].trace;
		bool used = false;

		for (size_t j = 0; trace->shows_packets && j < captures->count; j++)
			used = used ||
			       (!captures->each[j].trace.shows_packets && captures->each[j].trace.nodes == trace->nodes);
		if (used)
			program_trace_clear(trace);
		else
			captures->each[kept++] = captures->each[i];
	}
	captures->count = kept;
}

// Sizes of the problem: "256", or one for each capture, "256,512". Returns false after reporting an error.
static bool read_problems(struct tool *tool, const char *text, double problems[CAPTURES_MAX], size_t *count)
{
	char words[512], *rest = words;
	struct tr_error err;

	*count = 0;
	(void)snprintf(words, sizeof(words), "%s", text ? text : "");
	while (text && rest) {
		uint64_t value;

		if (*count == CAPTURES_MAX)
			(void)tr_fail(&err, "expected at most %u sizes", CAPTURES_MAX);
		if (*count == CAPTURES_MAX || num_parse_count(strsep(&rest, ","), 1, PROBLEM_MAX, &value, &err) != TR_OK) {
			tool_error(tool, "--problem: %s", err.text);
			return false;
		}
		problems[(*count)++] = (double)value;
	}
	return true;
}

void fit_program(struct tool *tool, const struct fit_request *request)
{
	struct captures *captures = calloc(1, sizeof(*captures));
	struct model text = {.name = NULL};
	double problems[CAPTURES_MAX];
	size_t problem_count;
	struct tr_reader *in;
	struct tr_error err;
	bool taken = captures && read_problems(tool, request->problem, problems, &problem_count);

	if (!captures)
		tool_no_memory(tool, "captures");
	while (taken && tool_next_input(tool, &in) == TR_OK) {
		taken = captures->count < CAPTURES_MAX;
		if (!taken)
			tool_error(tool, "expected at most %u captures", CAPTURES_MAX);
		else
			taken = take(tool, request, in, &captures->each[captures->count++]);
		if (taken)
			captures->each[captures->count - 1].trace.name = tool_operand_count(tool) > 0
										 ? tool_operand(tool, captures->count - 1)
										 : "-";
	}
	if (taken && problem_count > 1 && problem_count != captures->count) {
		tool_error(tool, "--problem: expected one size, or one for each of %zu traces, found %zu", captures->count,
			   problem_count);
		taken = false;
	}
	for (size_t i = 0; taken && problem_count > 0 && i < captures->count; i++)
		captures->each[i].problem = problems[problem_count > 1 ? i : 0];
	if (captures)
		join(captures);
	if (taken && tool_ok(tool)) {
		model_comment(&text, "program: a parallel program by its phases.");
		model_comment(&text, "%s", tool_provenance(tool));
		switch (program_fit(captures->each, captures->count, &text, &err)) {
		case TR_OK: fit_write_model(tool, request->output, &text); break;
		case TR_END: tool_verdict(tool, "program is not written: %s (try -f messages)", err.text); break;
		default: tool_error(tool, "%s", err.text);
		}
	}
	for (size_t i = 0; captures && i < captures->count; i++)
		program_trace_clear(&captures->each[i].trace);
	free(captures);
	model_clear(&text);
}
