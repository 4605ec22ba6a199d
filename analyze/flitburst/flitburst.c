// SPDX-License-Identifier: GPL-3.0-or-later
// flitburst: how bursty a trace is, over scales, in one pass.
#include <stdlib.h>

#include "flitburst.h"
#include "stat/intervals/numeric_errors.h"
#include "stream/words.h"
#include "tool/tool.h"
#include "value/ticks.h"

static const struct opt_choice by_words[] = {
	{"all", KEY_ALL, "all packets together"},
	{"node", KEY_NODE, "the packets of each sender"},
	{"pair", KEY_PAIR, "the packets from each node to each other"},
	{"class", KEY_CLASS, "data and overhead"},
	{"role", KEY_ROLE, "the packets of controllers and of workers"},
	{NULL, 0},
};

// ---- reports

struct flitburst_reading {
	const struct burst_keys *keys;
	const struct tr_names *names;
	struct burstiness_report report;
};

static enum tr_status add_key(void *context, const struct burst_key *key,
			      const struct burstiness *finished, struct tr_error *err)
{
	struct flitburst_reading *reading = context;
	char name[2 * TR_NAME_TEXT_MAX + 2];

	(void)err;
	burst_key_name(reading->keys, key, reading->names, name, sizeof(name));
	burstiness_report_add(&reading->report, name, finished);
	return TR_OK;
}

struct burstiness_report burst_run_report(const struct burst_run *run, uint64_t ticks_per_s)
{
	const struct burst_options *o = run->options;

	return (struct burstiness_report){.ticks_per_s = ticks_per_s,
					  .level = o->level_percent / 100.0,
					  .scales = o->by == KEY_ALL || o->points,
					  .points = o->points,
					  .wire = o->size == TR_SIZE_WIRE};
}

// Prints the results. TR_END if the output failed, which the tool reports.
static enum tr_status print(struct burst_run *run, const struct tr_reader *in, struct tr_error *err)
{
	const struct burst_options *o = run->options;
	const struct tr_header *header = tr_reader_header(in);
	struct flitburst_reading reading = {.keys = &run->keys,
					    .names = tr_reader_names(in),
					    .report = burst_run_report(run, header->ticks_per_s)};
	enum tr_status status;
	struct tr_error output;

	burstiness_report_open(&reading.report);
	status = burst_keys_read(&run->keys, add_key, &reading, err);
	if (o->by == KEY_ROLE && run->keys.count == 1 && run->keys.keys[0]->key == TR_ROLE_UNKNOWN)
		table_note(reading.report.tables[TABLE_BURSTINESS],
			   "no node has a role: set roles with flitcap --addresses or --set-role");
	if (status == TR_OK && burstiness_report_print(&reading.report, o->style,
						       tool_stdout(run->tool), &output) != TR_OK) {
		tool_error(run->tool, "%s", output.text);
		status = TR_END;
	}
	burstiness_report_close(&reading.report);
	return status;
}

struct line_reading {
	const struct burst_run *run;
	struct table *table;
	const char *time_s;
};

static enum tr_status flitburst_add_line(void *context, const struct burst_key *key,
					 const struct burstiness *finished, struct tr_error *err)
{
	const struct line_reading *reading = context;
	const struct tr_reader *in = reading->run->in;
	char name[2 * TR_NAME_TEXT_MAX + 2];

	(void)err;
	burst_key_name(&reading->run->keys, key, tr_reader_names(in), name, sizeof(name));
	burstiness_line(reading->table, reading->time_s, name, finished,
			tr_reader_header(in)->ticks_per_s);
	return TR_OK;
}

// A live_report of all packets before due_ticks, a line for each key. TR_END if the output failed,
// which the tool reports.
static enum tr_status print_so_far(void *context, int64_t due_ticks, int64_t now_ticks,
				   struct tr_error *err)
{
	struct burst_run *run = context;
	struct table *table = burstiness_line_table(run->options->size == TR_SIZE_WIRE);
	char time_s[64];
	struct line_reading reading = {run, table,
				       live_reports_time_text(tr_reader_header(run->in), due_ticks,
							      time_s, sizeof(time_s))};
	enum tr_status status = burst_keys_read(&run->keys, flitburst_add_line, &reading, err);
	FILE *out = tool_stdout(run->tool);

	(void)now_ticks;
	if (status == TR_OK)
		status = table_print_lines(table, !run->headed, run->options->style, out, err);
	run->headed = true;
	table_free(table);
	return status == TR_OK && fflush(out) != 0 ? TR_END : status;
}

// ---- the run

enum tr_status burst_run_prepare(struct burst_run *run, const struct tr_header *header,
				 struct tr_error *err)
{
	const struct burst_options *o = run->options;

	run->keys = (struct burst_keys){.kind = (enum key_kind)o->by,
					.max_keys = o->max_keys,
					.settings = &run->settings,
					.roles = &o->roles};
	return burst_settings(o, header, &run->settings, err);
}

enum tr_status burst_run_start(struct burst_run *run, const struct tr_reader *in,
			       struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	const struct burst_options *o = run->options;

	if (!tr_kind_has_packet(header->kind))
		return tr_fail(err, "contains %s records, expected packets or deliveries",
			       tr_kind_find(header->kind)->name);
	if (header->unsorted)
		return tr_fail(err, "is not in time order: sort it with flitcat --sort");
	if (burst_run_prepare(run, header, err) != TR_OK ||
	    (o->top > 0 && burst_top_open(&run->top, o, header, err) != TR_OK))
		return TR_ERROR;
	run->in = in;
	return live_reports_open(&run->reports, o->every, header, err);
}

enum tr_status burst_run_add_block(struct burst_run *run, struct tr_reader *in,
				   struct tr_error *err)
{
	const bool deliveries = tr_reader_header(in)->kind == TR_DELIVERY;
	const bool wire = run->options->size == TR_SIZE_WIRE;
	const struct tr_names *names = tr_reader_names(in);
	const size_t stride = tr_reader_stride(in);
	enum tr_status status = TR_OK;
	const void *records;
	uint32_t size_bytes;
	const char *at;
	size_t count;

	const bool pauses = tr_reader_pauses(in)->any && run->top.bursts;

	if (tr_next_block(in, &records, &count) != TR_OK)
		return TR_OK;
	at = records;
	for (; count > 0 && status == TR_OK; count--, at += stride) {
		const struct tr_packet *packet = (const void *)at;

		if (deliveries && ((const struct tr_delivery *)packet)->status != TR_DELIVERED)
			continue;
		if (pauses && tr_names_pause(names, packet->flow)) {
			status = burst_top_sign(&run->top, BURST_PAUSE, packet->time_ticks, err);
			continue;
		}
		if (packet->time_ticks >= run->reports.due_ticks)
			status = live_reports_packet(&run->reports, packet->time_ticks,
						     print_so_far, run, err);
		if (status != TR_OK)
			break;
		run->packets++;
		run->last_ticks = packet->time_ticks;
		size_bytes = wire ? packet->wire_bytes : packet->payload_bytes;
		status = run->top.bursts
				 ? burst_top_add(&run->top, packet, size_bytes, err)
				 : burst_keys_add(&run->keys, names, packet, size_bytes, err);
	}
	return status;
}

// TR_END if the output failed.
static enum tr_status add_stream(struct burst_run *run, struct tr_reader *in, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	size_t ready;

	while (status == TR_OK && tr_advance(in, &ready) == TR_OK) {
		if (ready > 0)
			status = burst_run_add_block(run, in, err);
		if (status == TR_OK && tr_reader_time(in) != INT64_MIN)
			status = live_reports_time(&run->reports, tr_reader_time(in), print_so_far,
						   run, err);
	}
	if (status != TR_OK)
		return status;
	if (*tr_reader_error(in) && !tool_keep_going(run->tool))
		return TR_OK; // the tool says so
	if (run->top.bursts)
		return burst_top_print(&run->top, run->options, in, tool_stdout(run->tool), err);
	if (burst_keys_check(&run->keys, tr_reader_names(in), err) != TR_OK)
		return TR_ERROR;
	if (run->options->every.num > 0)
		return print_so_far(run, run->last_ticks, run->last_ticks, err);
	return print(run, in, err);
}

static void analyse(struct burst_run *run)
{
	struct tr_source *source;
	struct tr_reader *in;
	struct tr_error err;

	if (tool_next_source(run->tool, &source) != TR_OK)
		return;
	if (burst_parts_needed(run->tool, run->options, source)) {
		if (tool_ok(run->tool))
			burst_parts_analyse(run->tool, run->options, source);
		else
			tr_source_close(source);
		return;
	}
	in = tool_open_reader(run->tool, source);
	if (!in)
		return;
	tr_reader_pauses(in)->keep = run->options->top > 0;
	if (burst_run_start(run, in, &err) == TR_ERROR || add_stream(run, in, &err) == TR_ERROR)
		tool_error(run->tool, "%s: %s", tr_reader_name(in), err.text);
	tool_close_input(run->tool, in);
	burst_keys_close(&run->keys);
	burst_top_close(&run->top);
}

static bool check(struct tool *tool, struct burst_options *o)
{
	struct burst_gap_rule rule;
	struct tr_error err;

	if (burst_gap_parse(o->burst_gap, &rule, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	if (o->finest.num < 0 || (tool_option_given(tool, "finest") && o->finest.num == 0))
		tool_error(tool, "--finest must be above 0");
	if (o->every.num < 0 || (tool_option_given(tool, "every") && o->every.num == 0))
		tool_error(tool, "--every must be above 0");
	(void)tool_memory_holds(tool, o->memory_B, BURST_KEY_BYTES, 1, "key", &o->max_keys);
	if (tool_option_given(tool, "top"))
		burst_top_check(tool);
	return tool_ok(tool);
}

int main(int argc, char **argv)
{
	struct burst_options o = {.finest = {0, 1},
				  .every = {0, 1},
				  .origin = "0",
				  .level_percent = 95,
				  .memory_B = {1024 * BURST_KEY_BYTES, 1}};
	const struct opt opts[] = {
		OPT_BURST_GAP(&o.burst_gap),
		OPT_BY(&o.by, by_words),
		OPT_NUMBER(0, "top", &o.top, 1000,
			   "print only the N largest microbursts: windows of --width, or of 1ms"),
		OPT_LIST(0, "width", "TIME[,TIME...]", &o.widths,
			 "widths of windows" OPT_DEFAULT("powers of 2 of the finest")),
		OPT_TIME(0, "finest", &o.finest,
			 "finest window" OPT_DEFAULT("1us, rounded to ticks")),
		OPT_LIST(0, "gaps", "N[,N...]", &o.gaps,
			 "numbers of gaps to sum" OPT_DEFAULT("powers of 2")),
		OPT_LIST(0, "lags", "N[,N...]", &o.lags,
			 "lags of the autocorrelation" OPT_DEFAULT("1,2,5,10,20,50,100")),
		OPT_ORIGIN(&o.origin, bin_origin_words),
		OPT_PACKET_SIZE(&o.size),
		OPT_SET_ROLE(&o.roles),
		OPT_LEVEL(&o.level_percent),
		OPT_MEMORY(&o.memory_B),
		OPT_PARTIAL(&o.partial),
		OPT_POINTS(&o.points),
		OPT_ONLY_WITH("set-role", "by=role"),
		OPT_ONLY_WITH("width", "by=all,points,top"),
		OPT_ONLY_WITH("finest,gaps,lags,origin,level", "by=all,points"),
		OPT_ONLY_WITH("memory", "by=node,by=pair"),
		OPT_EVERY(&o.every),
		TABLE_OPTIONS(&o.style),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitburst", "[--burst-gap TIME] [--by WHAT] [--every TIME] [FILE]",
		"Measures the burstiness of a trace over time scales in one pass.", opts};
	struct tool *tool = tool_start(argc, argv, &spec);
	struct burst_run *run = calloc(1, sizeof(*run));

	tool_watch_times(tool, &o.style);
	numeric_errors_give_nan();
	if (!run) {
		tool_no_memory(tool, "the bursts");
	} else if (check(tool, &o)) {
		run->options = &o;
		run->tool = tool;
		analyse(run);
	}
	free(run);
	return tool_finish(tool, TOOL_OK);
}
