// SPDX-License-Identifier: GPL-3.0-or-later
// flitburst: how bursty a trace is, over scales, in one pass.
#include <stdlib.h>
#include <string.h>

#include "flitburst.h"
#include "stat/numeric_errors.h"
#include "stat/widths.h"
#include "trace/ticks.h"
#include "trace/tool.h"

enum size_of { SIZE_PAYLOAD, SIZE_WIRE };

struct burst_options {
	struct num_ratio threshold; // seconds; 0: by the valley
	int by;			    // enum key_kind
	int size;		    // enum size_of
	struct opt_list widths, gaps, lags, roles;
	struct num_ratio finest; // seconds; 0: a microsecond or so
	struct num_ratio every;	 // seconds; 0: one report at the end
	const char *origin;
	int level_percent;
	uint64_t max_keys;
	bool points;
	struct table_style style;
};

// ---- the options in ticks of a trace

#define SEGMENTS 64 // of the intervals, if all packets are one stream
#define SEGMENTS_A_KEY 16
#define MULTIPLES 7 // of a given threshold, from an eighth to eight times
#define WORD_MAX 64

// Adds the whole numbers of a list such as 1,10,100.
static enum tr_status add_counts(const char *text, int64_t *values, size_t *count, size_t room, uint64_t most,
				 struct tr_error *err)
{
	char word[WORD_MAX];
	uint64_t value;

	for (;; text++) {
		const size_t length = strcspn(text, ",");

		if (length >= sizeof(word) || *count == room)
			return tr_fail(err, "expected at most %zu numbers separated by commas, found \"%s\"", room, text);
		memcpy(word, text, length);
		word[length] = '\0';
		if (num_parse_count(word, 1, most, &value, err) != TR_OK)
			return TR_ERROR;
		values[(*count)++] = (int64_t)value;
		text += length;
		if (*text == '\0')
			return TR_OK;
	}
}

static enum tr_status set_lags(const struct opt_list *list, struct lags *lags, struct tr_error *err)
{
	static const char usual[] = "1,2,5,10,20,50,100";
	int64_t values[LAGS_MAX];

	for (size_t i = 0; i < (list->count ? list->count : 1); i++)
		if (add_counts(list->count ? list->words[i] : usual, values, &lags->count, LAGS_MAX, LAG_LONGEST, err) != TR_OK)
			return TR_ERROR;
	for (size_t i = 0; i < lags->count; i++)
		lags->lag[i] = (uint32_t)values[i];
	return TR_OK;
}

static enum tr_status set_blocks(const struct opt_list *list, struct burst_scales *blocks, struct tr_error *err)
{
	for (size_t i = 0; i < list->count; i++)
		if (add_counts(list->words[i], blocks->factor, &blocks->count, SCALES_MAX, UINT64_C(1) << 40, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// A microsecond, or the nearest whole number of ticks, at least one.
static enum tr_status usual_width(uint64_t ticks_per_s, int64_t *width_ticks, struct tr_error *err)
{
	const enum tr_status status = tr_ticks_round((struct num_ratio){1, 1000000}, ticks_per_s, width_ticks, err);

	*width_ticks += status == TR_OK && *width_ticks == 0;
	return status;
}

static enum tr_status set_windows(const struct burst_options *o, uint64_t ticks_per_s, struct burstiness_settings *settings,
				  struct tr_error *err)
{
	struct widths widths = {.count = 0};

	for (size_t i = 0; i < o->widths.count; i++)
		if (widths_parse(&widths, o->widths.words[i], err) != TR_OK)
			return TR_ERROR;
	if (widths.count == 0 && o->finest.num == 0)
		return usual_width(ticks_per_s, &settings->width_ticks, err);
	if (widths.count == 0)
		return tr_ticks_exact(o->finest, ticks_per_s, &settings->width_ticks, err);
	if (widths_divide(&widths, err) != TR_OK)
		return TR_ERROR;
	settings->windows.count = widths.count;
	memcpy(settings->windows.factor, widths.factor, sizeof(widths.factor));
	return tr_ticks_exact(widths.finest, ticks_per_s, &settings->width_ticks, err);
}

static enum tr_status set_anchor(const struct burst_options *o, uint64_t ticks_per_s, struct burstiness_settings *settings,
				 struct tr_error *err)
{
	struct num_ratio seconds;
	int64_t ticks = 0;

	settings->from_first = strcmp(o->origin, "first") == 0;
	if (!settings->from_first && (num_parse(o->origin, NUM_TIME, &seconds, err) != TR_OK ||
				      tr_ticks_exact(seconds, ticks_per_s, &ticks, err) != TR_OK))
		return TR_ERROR;
	settings->anchor_ticks = ticks;
	return TR_OK;
}

static enum tr_status set_thresholds(const struct burst_options *o, uint64_t ticks_per_s, struct thresholds *thresholds,
				     struct tr_error *err)
{
	int64_t ticks;

	thresholds->powers = o->threshold.num == 0;
	if (thresholds->powers) {
		thresholds->count = thresholds->shown = THRESHOLDS_MAX;
		for (size_t k = 0; k < THRESHOLDS_MAX; k++)
			thresholds->ticks[k] = INT64_C(1) << k;
		return TR_OK;
	}
	if (tr_ticks_exact(o->threshold, ticks_per_s, &ticks, err) != TR_OK)
		return TR_ERROR;
	if (ticks >= INT64_MAX >> MULTIPLES / 2)
		return tr_fail(err, "the threshold is too long");
	thresholds->count = MULTIPLES;
	thresholds->shown = MULTIPLES / 2;
	for (int k = 0; k < MULTIPLES; k++)
		thresholds->ticks[k] = (int64_t)(((__int128)ticks << k) >> MULTIPLES / 2);
	return TR_OK;
}

// Makes the settings for a trace with this header, which must outlive them. TR_ERROR: a bad list, or a time not in whole ticks.
static enum tr_status burst_settings(const struct burst_options *o, const struct tr_header *header,
				     struct burstiness_settings *settings, struct tr_error *err)
{
	const uint64_t ticks_per_s = header->ticks_per_s;

	*settings = (struct burstiness_settings){
		.header = header,
		.segments = o->by == KEY_ALL ? SEGMENTS : SEGMENTS_A_KEY,
		.histograms = o->by == KEY_ALL || o->threshold.num > 0,
	};
	if (set_lags(&o->lags, &settings->lags, err) != TR_OK || set_blocks(&o->gaps, &settings->blocks, err) != TR_OK ||
	    set_windows(o, ticks_per_s, settings, err) != TR_OK || set_anchor(o, ticks_per_s, settings, err) != TR_OK ||
	    set_thresholds(o, ticks_per_s, &settings->thresholds, err) != TR_OK)
		return TR_ERROR;
	return TR_OK;
}

// flitburst: how bursty a trace is, over scales, in one pass.

// ---- the program

struct burst_run {
	struct tool *tool;
	const struct burst_options *options;
	struct burstiness_settings settings;
	struct burst_keys keys;
	uint64_t packets;
	int64_t last_ticks;
	struct bin_grid reports; // the times at which reports are due
	int64_t due_ticks;	 // of the next; INT64_MIN before the first packet, INT64_MAX for none
};

static const struct opt_choice by_words[] = {{"all", KEY_ALL},	   {"node", KEY_NODE}, {"pair", KEY_PAIR},
					     {"class", KEY_CLASS}, {"role", KEY_ROLE}, {NULL, 0}};
static const struct opt_choice size_words[] = {{"payload", SIZE_PAYLOAD}, {"wire", SIZE_WIRE}, {NULL, 0}};

// ---- reports

struct reading {
	const struct burst_keys *keys;
	const struct tr_names *names;
	struct burstiness_report report;
};

static enum tr_status add_key(void *context, const struct burst_key *key, const struct burstiness *finished,
			      struct tr_error *err)
{
	struct reading *reading = context;
	char name[2 * TR_NAME_TEXT_MAX + 2];

	(void)err;
	burst_key_name(reading->keys, key, reading->names, name, sizeof(name));
	burstiness_report_add(&reading->report, name, finished);
	return TR_OK;
}

// Seconds of the Unix epoch.
static void add_time(struct burstiness_report *report, const struct tr_header *header, int64_t time_ticks, uint64_t packets)
{
	const __int128 ns = epoch_ticks(header, time_ticks) * 1000000000 / (__int128)header->ticks_per_s;
	char text[64];

	burstiness_report_now(report, tr_ticks_format((int64_t)ns, 1000000000, text, sizeof(text)), packets);
}

// Prints the results up to time_ticks. TR_END if the output failed, which the tool reports.
static enum tr_status print(struct burst_run *run, const struct tr_reader *in, int64_t time_ticks, struct tr_error *err)
{
	const struct burst_options *o = run->options;
	const struct tr_header *header = tr_reader_header(in);
	struct reading reading = {.keys = &run->keys,
				  .names = tr_reader_names(in),
				  .report = {.ticks_per_s = header->ticks_per_s,
					     .level = o->level_percent / 100.0,
					     .scales = o->by == KEY_ALL || o->points,
					     .points = o->points,
					     .now = o->every.num > 0}};
	enum tr_status status;
	struct tr_error output;

	burstiness_report_open(&reading.report);
	if (reading.report.now)
		add_time(&reading.report, header, time_ticks, run->packets);
	status = burst_keys_read(&run->keys, add_key, &reading, err);
	if (o->by == KEY_ROLE && run->keys.count == 1 && run->keys.keys[0]->key == TR_ROLE_UNKNOWN)
		table_note(reading.report.tables[TABLE_BURSTINESS],
			   "no node has a role: set roles with flitcap --nodes or --role");
	if (status == TR_OK && burstiness_report_print(&reading.report, o->style, tool_stdout(run->tool), &output) != TR_OK) {
		tool_error(run->tool, "%s", output.text);
		status = TR_END;
	}
	burstiness_report_close(&reading.report);
	if (status == TR_OK && reading.report.now && fflush(stdout) != 0)
		return TR_END; // the tool reports it
	return status;
}

// Time has reached time_ticks: prints the reports that are due.
static enum tr_status reach(struct burst_run *run, const struct tr_reader *in, int64_t time_ticks, struct tr_error *err)
{
	while (run->packets > 0 && time_ticks >= run->due_ticks) {
		const enum tr_status status = print(run, in, run->due_ticks, err);

		if (status != TR_OK)
			return status;
		run->due_ticks += run->reports.width_ticks;
	}
	return TR_OK;
}

// The first report is due at the first multiple of the period after the first packet.
static enum tr_status schedule(struct burst_run *run, int64_t time_ticks, struct tr_error *err)
{
	int64_t index;

	run->due_ticks = INT64_MAX;
	if (run->reports.width_ticks == 0)
		return TR_OK;
	if (bin_grid_index(&run->reports, time_ticks, &index, err) != TR_OK)
		return TR_ERROR;
	run->due_ticks = bin_grid_start(&run->reports, index + 1);
	return TR_OK;
}

// ---- the run

static enum tr_status start(struct burst_run *run, const struct tr_reader *in, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	const struct burst_options *o = run->options;
	int64_t period_ticks;

	if (!tr_kind_has_packet(header->kind))
		return tr_fail(err, "contains %s records, expected packets or deliveries", tr_kind_find(header->kind)->name);
	if (header->unsorted)
		return tr_fail(err, "is not in time order: sort it with flitcat --sort");
	run->due_ticks = INT64_MIN;
	run->keys = (struct burst_keys){
		.kind = (enum key_kind)o->by, .max_keys = o->max_keys, .settings = &run->settings, .roles = &o->roles};
	if (burst_settings(o, header, &run->settings, err) != TR_OK)
		return TR_ERROR;
	if (o->every.num == 0)
		return TR_OK;
	if (tr_ticks_exact(o->every, header->ticks_per_s, &period_ticks, err) != TR_OK)
		return TR_ERROR;
	return bin_grid_set(&run->reports, period_ticks, header, 0, err);
}

// A packet at or after the due time: the first schedules the reports, later ones print them.
static enum tr_status arrive(struct burst_run *run, const struct tr_reader *in, int64_t time_ticks, struct tr_error *err)
{
	return run->packets == 0 ? schedule(run, time_ticks, err) : reach(run, in, time_ticks, err);
}

static enum tr_status add_block(struct burst_run *run, struct tr_reader *in, struct tr_error *err)
{
	const bool deliveries = tr_reader_header(in)->kind == TR_DELIVERY;
	const bool wire = run->options->size == SIZE_WIRE;
	const struct tr_names *names = tr_reader_names(in);
	const size_t stride = tr_reader_stride(in);
	enum tr_status status = TR_OK;
	const void *records;
	const char *at;
	size_t count;

	if (tr_next_block(in, &records, &count) != TR_OK)
		return TR_OK;
	at = records;
	for (; count > 0 && status == TR_OK; count--, at += stride) {
		const struct tr_packet *packet = (const void *)at;

		if (deliveries && ((const struct tr_delivery *)packet)->status != TR_DELIVERED)
			continue;
		if (packet->time_ticks >= run->due_ticks)
			status = arrive(run, in, packet->time_ticks, err);
		if (status != TR_OK)
			break;
		run->packets++;
		run->last_ticks = packet->time_ticks;
		status = burst_keys_add(&run->keys, names, packet, wire ? packet->wire_bytes : packet->payload_bytes, err);
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
			status = add_block(run, in, err);
		if (status == TR_OK && tr_reader_time(in) != INT64_MIN)
			status = reach(run, in, tr_reader_time(in), err);
	}
	if (status != TR_OK)
		return status;
	if (*tr_reader_error(in) && !tool_keep_going(run->tool))
		return TR_OK; // the tool says so
	if (burst_keys_check(&run->keys, tr_reader_names(in), err) != TR_OK)
		return TR_ERROR;
	return print(run, in, run->last_ticks, err);
}

static void analyse(struct burst_run *run)
{
	struct tr_reader *in;
	struct tr_error err;

	if (tool_operand_count(run->tool) > 1) {
		tool_error(run->tool, "expected one trace; join several with flitcat");
		return;
	}
	if (tool_next_input(run->tool, &in) != TR_OK)
		return;
	if (start(run, in, &err) == TR_ERROR || add_stream(run, in, &err) == TR_ERROR)
		tool_error(run->tool, "%s: %s", tr_reader_name(in), err.text);
	burst_keys_close(&run->keys);
}

static bool check(struct tool *tool, const struct burst_options *o)
{
	if (o->threshold.num < 0 || (tool_option_given(tool, "window") && o->threshold.num == 0))
		tool_error(tool, "--window must be above 0");
	if (o->finest.num < 0 || (tool_option_given(tool, "finest") && o->finest.num == 0))
		tool_error(tool, "--finest must be above 0");
	if (o->every.num < 0 || (tool_option_given(tool, "every") && o->every.num == 0))
		tool_error(tool, "--every must be above 0");
	if (o->max_keys == 0)
		tool_error(tool, "--max-keys must be above 0");
	return tool_ok(tool);
}

int main(int argc, char **argv)
{
	struct burst_options o = {
		.threshold = {0, 1}, .finest = {0, 1}, .every = {0, 1}, .origin = "0", .level_percent = 95, .max_keys = 1024};
	const struct opt opts[] = {
		OPT_TIME(0, "window", &o.threshold, "gap that ends a burst (default: valley in the histogram of gaps)"),
		OPT_CHOICE(0, "by", &o.by, by_words, "what to measure separately (node, role: those of the sender)"),
		OPT_LIST(0, "width", "TIME[,TIME...]", &o.widths, "widths of windows (default: powers of 2 of the finest)"),
		OPT_TIME(0, "finest", &o.finest, "finest window (default: 1us, rounded to ticks)"),
		OPT_LIST(0, "gaps", "N[,N...]", &o.gaps, "numbers of gaps to sum (default: powers of 2)"),
		OPT_LIST(0, "lags", "N[,N...]", &o.lags, "lags of the autocorrelation (default: 1,2,5,10,20,50,100)"),
		OPT_STRING(0, "origin", "TIME|first", &o.origin,
			   "start of window 0: a time since the Unix epoch, or the first packet"),
		OPT_CHOICE(0, "size", &o.size, size_words, "bytes that count as the size of a packet"),
		OPT_LIST(0, "role", "NODE=ROLE", &o.roles, "set the role of a node, overriding the trace"),
		OPT_LEVEL(&o.level_percent, "confidence level, in percent"),
		OPT_COUNT(0, "max-keys", &o.max_keys, "maximum number of nodes or pairs"),
		OPT_FLAG('p', "points", &o.points, "print all scales (also with --by) and distributions"),
		OPT_ONLY_WITH("role", "by=role"),
		OPT_ONLY_WITH("width,finest,gaps,lags,origin,level", "by=all,points"),
		OPT_ONLY_WITH("max-keys", "by=node,by=pair"),
		OPT_TIME(0, "every", &o.every, "print results every TIME while packets arrive"),
		TABLE_OPTIONS(&o.style),
		OPT_OLD("g", "--window TIME"),
		OPT_OLD("threshold", "--window TIME"),
		OPT_END,
	};
	const struct tool_spec spec = {"flitburst", "[--window TIME] [--by WHAT] [--every TIME] [FILE]",
				       "Measures the burstiness of a trace over time scales in one pass.", opts};
	struct tool *tool = tool_start(argc, argv, &spec);
	struct burst_run *run = calloc(1, sizeof(*run));

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
