// SPDX-License-Identifier: GPL-3.0-or-later
// flitstat: bursts, overhead, roles, traffic matrix, sizes and gaps of one trace.
#include <stdlib.h>
#include <string.h>

#include "flitstat.h"
#include "stat/bursts/traffic.h"
#include "stat/counts/bins.h"
#include "stat/intervals/numeric_errors.h"
#include "stat/nodes/discovery.h"
#include "stream/run_end.h"
#include "stream/words.h"
#include "tool/tool.h"
#include "value/ticks.h"

// ---- roles of the nodes: given, named in the trace, or found

#define NOBODY UINT32_MAX

// The node whose name is the first length bytes of word.
static uint32_t node_named(const struct tr_names *names, const char *word, size_t length)
{
	for (uint32_t node = 0; node < names->node_count; node++) {
		const char *name = tr_names_node(names, node);

		if (strlen(name) == length && memcmp(name, word, length) == 0)
			return node;
	}
	return NOBODY;
}

static bool flitstat_role_named(const char *word, enum tr_role *role)
{
	for (int i = TR_ROLE_UNKNOWN; i <= TR_ROLE_WORKER; i++) {
		*role = (enum tr_role)i;
		if (strcmp(word, tr_role_name(*role)) == 0)
			return true;
	}
	return false;
}

static bool put_given(struct tool *tool, const struct opt_list *given, struct traffic_view *view)
{
	for (size_t i = 0; i < given->count; i++) {
		const char *word = given->words[i], *equals = strrchr(word, '=');
		const uint32_t node = equals ? node_named(view->names, word,
							  (size_t)(equals - word))
					     : NOBODY;
		enum tr_role role;

		if (node == NOBODY || !flitstat_role_named(equals + 1, &role)) {
			tool_error(tool,
				   "--set-role %s: expected NODE=ROLE with a node of the trace and "
				   "controller, worker or unknown",
				   word);
			return false;
		}
		if (node < view->traffic->node_count)
			view->roles[node] = (uint8_t)role;
	}
	return true;
}

// Every node that exchanges data with the found controller is a worker.
static void put_found(struct traffic_view *view)
{
	const struct role_finder *finder = &view->traffic->roles;

	if (view->finding.basis == ROLE_NOT_FOUND)
		return;
	for (uint32_t i = 0; i < view->traffic->node_count; i++)
		if (role_takes_part(finder, i))
			view->roles[i] = TR_ROLE_WORKER;
	view->roles[view->finding.node] = TR_ROLE_CONTROLLER;
}

// Sets the view's finding and roles, which the caller frees: those of the trace's names, or those
// found if neither these nor given name any; NODE=ROLE words in given override them. Returns false
// after reporting an error.
static bool traffic_roles(struct tool *tool, const struct opt_list *given,
			  struct traffic_view *view)
{
	const size_t count = view->traffic->node_count;
	bool named = given->count > 0;

	view->finding = role_find(&view->traffic->roles);
	view->roles = calloc(count + 1, sizeof(*view->roles));
	if (!view->roles) {
		tool_no_memory(tool, "the roles of %zu nodes", count);
		return false;
	}
	for (uint32_t i = 0; i < view->names->node_count && i < count; i++) {
		view->roles[i] = (uint8_t)tr_names_role(view->names, i);
		named |= view->roles[i] != TR_ROLE_UNKNOWN;
	}
	if (!named)
		put_found(view);
	return put_given(tool, given, view);
}

// flitstat: bursts, overhead, roles, traffic matrix, sizes and gaps of one trace.

// ---- the program

struct flitstat_options {
	const char *partial;
	const char *burst_gap; // the option; NULL: found
	struct opt_list roles;
	int size; // enum tr_size_of
	int level_percent;
	double accuracy_percent;
	bool points;
	bool all_nodes;
	bool collectives;
	struct num_ratio memory_B; // half of it for streams, half for the matrix
	struct table_style style;
};

struct stat_run {
	struct tool *tool;
	const struct flitstat_options *options;
	struct traffic_settings settings;
	struct traffic traffic;
	struct congestion congestion; // of one trace
	struct burst_gap_rule rule;
	struct parts parts;
};

#define EPISODES_PER_S \
	20 // an episode of the search for the controller ends with a silence of 1/20 s

// Shares the memory: half for the streams, half for the pairs of the matrix.
static enum tr_status set_bounds(struct num_ratio memory_B, struct traffic_settings *settings,
				 struct tr_error *err)
{
	const uint64_t half = memory_B.num > 0 ? (uint64_t)(memory_B.num / memory_B.den) / 2 : 0;
	const uint64_t stream_bytes = TRAFFIC_GAP_BYTES * settings->gaps.count;

	settings->max_streams = half / stream_bytes;
	settings->max_pairs = half / TRAFFIC_PAIR_BYTES;
	if (settings->max_streams > 0 && settings->max_pairs > 0)
		return TR_OK;
	return tr_fail(
		err,
		"--memory: expected at least %llu B: half for streams, of %llu B, half for pairs "
		"of nodes, of %u B",
		(unsigned long long)(2 * (stream_bytes > TRAFFIC_PAIR_BYTES ? stream_bytes
									    : TRAFFIC_PAIR_BYTES)),
		(unsigned long long)stream_bytes, TRAFFIC_PAIR_BYTES);
}

static enum tr_status set_settings(struct stat_run *run, uint64_t ticks_per_s, struct tr_error *err)
{
	const struct flitstat_options *o = run->options;

	run->settings.wire = o->size == TR_SIZE_WIRE;
	run->settings.over_time = true;
	run->settings.episode_ticks = (int64_t)(ticks_per_s / EPISODES_PER_S);
	if (burst_gaps_set(&run->settings.gaps, &run->rule, 0, ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	return set_bounds(o->memory_B, &run->settings, err);
}

static enum tr_status flitstat_start(struct stat_run *run, const struct tr_reader *in,
				     struct traffic *traffic, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);

	if (!tr_kind_has_packet(header->kind))
		return tr_fail(err, "contains %s records, expected packets or deliveries%s",
			       tr_kind_find(header->kind)->name,
			       header->kind == TR_MESSAGE ? ": for messages see --collectives"
							  : "");
	if (header->unsorted)
		return tr_fail(err, "is not in time order: sort it with flitcat --sort");
	if (set_settings(run, header->ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	traffic_open(traffic, &run->settings);
	traffic->epoch_ticks = (uint64_t)epoch_ticks(header, 0);
	return TR_OK;
}

// congestion: NULL if it is not wanted.
static enum tr_status flitstat_add_stream(struct traffic *traffic, struct congestion *congestion,
					  struct tr_reader *in, struct tr_error *err)
{
	const bool deliveries = tr_reader_header(in)->kind == TR_DELIVERY;
	const size_t stride = tr_reader_stride(in);
	const void *records;
	enum tr_status status = TR_OK;
	size_t count;

	if (congestion)
		congestion->ticks_per_s = tr_reader_header(in)->ticks_per_s;
	tr_reader_pauses(in)->keep = congestion != NULL;
	while (tr_next_block(in, &records, &count) == TR_OK)
		for (size_t i = 0; i < count; i++) {
			const struct tr_delivery *delivery = (const void *)((const char *)records +
									    i * stride);

			if (deliveries && delivery->status != TR_DELIVERED)
				continue;
			if (congestion)
				status = congestion_add(congestion, in, &delivery->packet, err);
			if (status == TR_END)
				continue;
			if (status == TR_ERROR ||
			    traffic_reserve(traffic, &delivery->packet, err) != TR_OK)
				return TR_ERROR;
			traffic_add(traffic, &delivery->packet);
		}
	if (congestion)
		congestion_finish(congestion, tr_reader_time(in));
	return TR_OK;
}

// Deliveries of a run that did not end as it should are not what its network does with the traffic.
static void warn_of_end(struct tool *tool, const struct tr_reader *in)
{
	const struct tr_run_end end = tr_run_end_of_stream(tr_reader_names(in));

	if (end.ending != TR_ENDED)
		tool_warn(tool,
			  "%s: %s: the run did not end normally; these are the packets delivered "
			  "until then",
			  tr_reader_name(in), end.word);
}

static void flitstat_report(struct stat_run *run, const struct tr_names *names,
			    uint64_t ticks_per_s)
{
	struct traffic_view view = {
		.traffic = &run->traffic,
		.names = names,
		.congestion = &run->congestion,
		.ticks_per_s = ticks_per_s,
		.level = run->options->level_percent / 100.0,
		.accuracy_percent = run->options->accuracy_percent,
		.points = run->options->points,
	};
	struct tr_error err;

	traffic_finish(&run->traffic);
	view.gap = traffic_burst_gap(&run->traffic, TRAFFIC_ALL, run->rule.by);
	view.stream_gap = traffic_burst_gap(&run->traffic, TRAFFIC_STREAMS, run->rule.by);
	if (!run->options->all_nodes &&
	    discovery_join(&run->traffic.matrix, names, &view.joined, &err) != TR_OK) {
		tool_error(run->tool, "%s", err.text);
		return;
	}
	matrix_sort(&run->traffic.matrix);
	if (traffic_roles(run->tool, &run->options->roles, &view) &&
	    traffic_report(&view, run->options->style, tool_stdout(run->tool), &err) != TR_OK)
		tool_error(run->tool, "%s", err.text);
	free(view.roles);
}

// What the sums depend on.
static void flitstat_name_settings(const struct stat_run *run, char out[PARTIAL_SETTINGS_MAX])
{
	char gap[BURST_GAP_WORD];

	(void)snprintf(out, PARTIAL_SETTINGS_MAX, "--size=%s --burst-gap=%s",
		       run->options->size == TR_SIZE_WIRE ? "wire" : "payload",
		       burst_gap_name(&run->rule, gap));
}

// Writes the sums of a part to a partial, or reads them.
static void flitstat_exchange(void *context, void *part_sums, const struct tr_header *clock,
			      struct partial *partial)
{
	struct stat_run *run = context;
	struct stat_sums *sums = part_sums;
	struct tr_error err;

	if (partial_reads(partial)) {
		if (set_settings(run, clock->ticks_per_s, &err) != TR_OK) {
			partial_refuse(partial, "%s", err.text);
			return;
		}
		traffic_open(&sums->traffic, &run->settings);
		sums->traffic.epoch_ticks = (uint64_t)epoch_ticks(clock, 0);
	}
	stat_sums_exchange(sums, partial);
}

static enum tr_status flitstat_take_trace(struct stat_run *run, struct tr_reader *in,
					  struct stat_sums *sums, struct part **part,
					  struct tr_error *err)
{
	if (flitstat_start(run, in, &sums->traffic, err) != TR_OK ||
	    flitstat_add_stream(&sums->traffic, NULL, in, err) != TR_OK ||
	    stat_sums_name(sums, in, err) != TR_OK)
		return tr_fail_for(err, err, "%s: %.300s", tr_reader_name(in), err->text);
	if (tr_names_counter(tr_reader_names(in), "marked") || tr_reader_pauses(in)->any)
		tool_warn(
			run->tool,
			"%s: marks and pauses of several inputs, or of a partial, have no tables: "
			"join the traces with flitcat",
			tr_reader_name(in));
	return parts_add(&run->parts, tr_reader_name(in), tr_reader_header(in), sums, part, err);
}

static void flitstat_measure(struct part *part, const struct traffic *traffic)
{
	part->packets = traffic->kinds[TRAFFIC_CLASSES].packets;
	part->first_ticks = traffic->first_ticks;
	part->last_ticks = traffic->last_ticks;
}

// Adds an operand, which it closes, to the parts. sums: empty ones before and after.
static void flitstat_take_part(struct stat_run *run, struct tr_source *source,
			       struct stat_sums *sums)
{
	const bool is_partial = tr_source_begins(source, PARTIAL_MAGIC, strlen(PARTIAL_MAGIC));
	struct tr_reader *in = is_partial ? NULL : tool_open_reader(run->tool, source);
	enum tr_status status = TR_OK;
	struct part *part = NULL;
	struct tr_error err;

	if (is_partial)
		status = parts_take(&run->parts, source, sums, &part, &err);
	else if (in)
		status = flitstat_take_trace(run, in, sums, &part, &err);
	if (status != TR_OK)
		tool_error(run->tool, "%s", err.text);
	else if (part)
		flitstat_measure(part, &sums->traffic);
	stat_sums_clear(sums);
	if (is_partial)
		tr_source_close(source);
	tool_close_input(run->tool, in);
}

static enum tr_status flitstat_write_partial(struct stat_run *run, struct stat_sums *whole,
					     struct tr_header *clock, struct tr_error *err)
{
	FILE *out = tool_text_output(run->tool, run->options->partial);

	return out ? parts_write(&run->parts, out, clock, whole, err)
		   : TR_OK; // the tool has said so
}

// Joined in the order of their times, for the tables or another partial.
static enum tr_status join_parts(struct stat_run *run, struct stat_sums *whole,
				 struct tr_error *err)
{
	struct tr_header clock;

	traffic_open(&whole->traffic, &run->settings);
	if (stat_sums_join(whole, &run->parts, &clock, err) != TR_OK)
		return TR_ERROR;
	if (run->options->partial)
		return flitstat_write_partial(run, whole, &clock, err);
	run->traffic = whole->traffic;
	flitstat_report(run, &whole->names, clock.ticks_per_s);
	whole->traffic = run->traffic;
	return TR_OK;
}

// Several inputs, or parts of one.
static void flitstat_analyse_parts(struct stat_run *run, struct tr_source *source)
{
	struct stat_sums *sums = stat_sums_new();
	char settings[PARTIAL_SETTINGS_MAX];
	struct tr_error err;

	if (!sums) {
		tool_no_memory(run->tool, "the sums of a part");
		tr_source_close(source);
		return;
	}
	flitstat_name_settings(run, settings);
	run->parts = (struct parts){.maker = "flitstat " FLIT_VERSION,
				    .settings = settings,
				    .exchange = flitstat_exchange,
				    .context = run};
	do
		flitstat_take_part(run, source, sums);
	while (tool_next_source(run->tool, &source) == TR_OK);
	if (tool_ok(run->tool) && join_parts(run, sums, &err) != TR_OK)
		tool_error(run->tool, "%s", err.text);
	stat_sums_free(sums);
	parts_close(&run->parts);
}

// The collective operations in a trace of messages, which it closes.
static void flitstat_find_collectives(struct stat_run *run, struct tr_source *source)
{
	const struct flitstat_options *o = run->options;
	struct tr_reader *in;
	struct tr_error err;

	if (tool_operand_count(run->tool) > 1) {
		tool_error(run->tool, "--collectives takes one trace: join them with flitcat -m");
		tr_source_close(source);
		return;
	}
	in = tool_open_reader(run->tool, source);
	if (!in)
		return;
	if (collectives_report(in, o->level_percent / 100.0, o->memory_B, o->points,
			       tool_keep_going(run->tool), o->style, tool_stdout(run->tool),
			       &err) != TR_OK)
		tool_error(run->tool, "%s: %s", tr_reader_name(in), err.text);
	warn_of_end(run->tool, in);
	tool_close_input(run->tool, in);
}

static void flitstat_analyse(struct stat_run *run)
{
	struct tr_source *source;
	struct tr_reader *in;
	struct tr_error err;

	if (tool_next_source(run->tool, &source) != TR_OK)
		return;
	if (run->options->collectives) {
		flitstat_find_collectives(run, source);
		return;
	}
	if (run->options->partial || tool_operand_count(run->tool) > 1 ||
	    tr_source_begins(source, PARTIAL_MAGIC, strlen(PARTIAL_MAGIC))) {
		flitstat_analyse_parts(run, source);
		return;
	}
	in = tool_open_reader(run->tool, source);
	if (!in)
		return;
	if (flitstat_start(run, in, &run->traffic, &err) != TR_OK ||
	    flitstat_add_stream(&run->traffic, &run->congestion, in, &err) != TR_OK)
		tool_error(run->tool, "%s: %s", tr_reader_name(in), err.text);
	else if (!*tr_reader_error(in) || tool_keep_going(run->tool))
		flitstat_report(run, tr_reader_names(in), tr_reader_header(in)->ticks_per_s);
	warn_of_end(run->tool, in);
	tool_close_input(run->tool, in);
	traffic_close(&run->traffic);
	congestion_close(&run->congestion);
}

int main(int argc, char **argv)
{
	struct flitstat_options o = {
		.level_percent = 95, .accuracy_percent = 1, .memory_B = {1 << 29, 1}};
	const struct opt opts[] = {
		OPT_BURST_GAP(&o.burst_gap),
		OPT_POINTS(&o.points),
		OPT_SET_ROLE(&o.roles),
		OPT_PACKET_SIZE(&o.size),
		OPT_LEVEL(&o.level_percent),
		OPT_ACCURACY(&o.accuracy_percent),
		OPT_ALL_NODES(&o.all_nodes),
		OPT_FLAG(0, "collectives", &o.collectives,
			 "find collective operations in messages"),
		OPT_MEMORY(&o.memory_B),
		OPT_PARTIAL(&o.partial),
		TABLE_OPTIONS(&o.style),
		OPT_NOT_WITH("burst-gap,set-role,size,accuracy,all-nodes,partial", "collectives"),
		OPT_NOT_WITH("set-role,all-nodes,points", "partial"),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitstat", "[--burst-gap TIME] [--set-role NODE=ROLE] [FILE ...]",
		"Prints bursts, overhead, roles and the traffic matrix of a trace.", opts};
	struct tool *tool = tool_start(argc, argv, &spec);
	struct stat_run *run = calloc(1, sizeof(*run));
	struct tr_error err;

	numeric_errors_give_nan();
	tool_watch_times(tool, &o.style);
	if (!run) {
		tool_no_memory(tool, "the statistics");
	} else if (burst_gap_parse(o.burst_gap, &run->rule, &err) != TR_OK) {
		tool_error(tool, "%s", err.text);
	} else if (o.accuracy_percent <= 0) {
		tool_error(tool, "--accuracy must be above 0");
	} else {
		run->options = &o;
		run->tool = tool;
		flitstat_analyse(run);
	}
	free(run);
	return tool_finish(tool, TOOL_OK);
}
