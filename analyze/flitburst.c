// SPDX-License-Identifier: GPL-3.0-or-later
// flitburst: how bursty a trace is, over scales, in one pass.
#include <stdlib.h>
#include <string.h>

#include "burstiness_keys.h"
#include "burstiness_report.h"
#include "stat/widths.h"
#include "trace/ticks.h"
#include "trace/tool.h"

#define SEGMENTS 64      // of the intervals, where all packets are one stream
#define SEGMENTS_A_KEY 16
#define MULTIPLES 7      // of a threshold that is given, from an eighth to eight times
#define WORD_MAX 64

enum size_of { SIZE_WIRE, SIZE_PAYLOAD };

struct options {
	struct num_ratio threshold; // 0: by the valley
	int by;   // enum key_kind
	int size; // enum size_of
	struct opt_list widths, gaps, lags, roles;
	struct num_ratio finest; // 0: a microsecond or so
	const char *origin;
	int level_percent;
	uint64_t max_keys;
	bool points;
	struct table_style style;
};

struct burst_run {
	struct tool *tool;
	const struct options *options;
	struct burstiness_settings settings;
	struct burst_keys keys;
};

static const struct opt_choice by_words[] = {
	{"all", KEY_ALL}, {"node", KEY_NODE}, {"pair", KEY_PAIR}, {"class", KEY_CLASS},
	{"role", KEY_ROLE}, {NULL, 0}};
static const struct opt_choice size_words[] = {
	{"wire", SIZE_WIRE}, {"payload", SIZE_PAYLOAD}, {NULL, 0}};
static const struct opt_choice level_words[] = {{"90", 90}, {"95", 95}, {"99", 99}, {NULL, 0}};

// ---- settings

// Adds the whole numbers of a list such as 1,10,100.
static enum tr_status add_counts(const char *text, int64_t *values, size_t *count, size_t room,
				 uint64_t most, struct tr_error *err)
{
	char word[WORD_MAX];
	uint64_t value;

	for (;; text++) {
		const size_t length = strcspn(text, ",");

		if (length >= sizeof word || *count == room)
			return tr_fail(err, "more than %zu numbers, or no number: \"%s\"", room, text);
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
		if (add_counts(list->count ? list->words[i] : usual, values, &lags->count, LAGS_MAX,
			       LAG_LONGEST, err) != TR_OK)
			return TR_ERROR;
	for (size_t i = 0; i < lags->count; i++)
		lags->lag[i] = (uint32_t)values[i];
	return TR_OK;
}

static enum tr_status set_blocks(const struct opt_list *list, struct burst_scales *blocks,
				 struct tr_error *err)
{
	for (size_t i = 0; i < list->count; i++)
		if (add_counts(list->words[i], blocks->factor, &blocks->count, SCALES_MAX,
			       UINT64_C(1) << 40, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// A microsecond, or the nearest whole number of ticks, but one at least.
static enum tr_status usual_width(uint64_t ticks_per_s, int64_t *width_ticks, struct tr_error *err)
{
	const enum tr_status status =
		tr_ticks_round((struct num_ratio){1, 1000000}, ticks_per_s, width_ticks, err);

	*width_ticks += status == TR_OK && *width_ticks == 0;
	return status;
}

static enum tr_status set_windows(const struct options *o, uint64_t ticks_per_s,
				  struct burstiness_settings *settings, struct tr_error *err)
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
	memcpy(settings->windows.factor, widths.factor, sizeof widths.factor);
	return tr_ticks_exact(widths.finest, ticks_per_s, &settings->width_ticks, err);
}

static enum tr_status set_anchor(const struct options *o, uint64_t ticks_per_s,
				 struct burstiness_settings *settings, struct tr_error *err)
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

static enum tr_status set_thresholds(const struct options *o, uint64_t ticks_per_s,
				     struct thresholds *thresholds, struct tr_error *err)
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

static enum tr_status set_settings(struct burst_run *run, const struct tr_header *header,
				   struct tr_error *err)
{
	const struct options *o = run->options;
	struct burstiness_settings *settings = &run->settings;

	settings->segments = o->by == KEY_ALL ? SEGMENTS : SEGMENTS_A_KEY;
	settings->histograms = o->by == KEY_ALL || o->threshold.num > 0;
	if (set_lags(&o->lags, &settings->lags, err) != TR_OK ||
	    set_blocks(&o->gaps, &settings->blocks, err) != TR_OK ||
	    set_windows(o, header->ticks_per_s, settings, err) != TR_OK ||
	    set_anchor(o, header->ticks_per_s, settings, err) != TR_OK ||
	    set_thresholds(o, header->ticks_per_s, &settings->thresholds, err) != TR_OK)
		return TR_ERROR;
	run->keys = (struct burst_keys){.kind = (enum key_kind)o->by, .max_keys = o->max_keys,
					.settings = settings, .roles = &o->roles};
	return TR_OK;
}

// ---- the run

static enum tr_status start(struct burst_run *run, const struct tr_reader *in, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);

	if (!tr_kind_has_packet(header->kind))
		return tr_fail(err, "holds %s records, expected packets or deliveries",
			       tr_kind_find(header->kind)->name);
	if (header->unsorted)
		return tr_fail(err, "is not in order of time: sort it with flitcat --sort");
	return set_settings(run, header, err);
}

static enum tr_status add_stream(struct burst_run *run, struct tr_reader *in, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	const struct tr_names *names = tr_reader_names(in);
	const bool wire = run->options->size == SIZE_WIRE;
	const size_t stride = tr_reader_stride(in);
	const void *records;
	size_t count;

	while (tr_next_block(in, &records, &count) == TR_OK)
		for (const char *at = records; count > 0; count--, at += stride) {
			const struct tr_packet *packet = (const void *)at;

			if (header->kind == TR_DELIVERY &&
			    ((const struct tr_delivery *)packet)->status != TR_DELIVERED)
				continue;
			if (burst_keys_add(&run->keys, header, names, packet,
					   wire ? packet->wire_bytes : packet->payload_bytes,
					   err) != TR_OK)
				return TR_ERROR;
		}
	return TR_OK;
}

static void report(struct burst_run *run, const struct tr_reader *in)
{
	const struct options *o = run->options;
	struct burstiness_report report;
	char name[2 * TR_NAME_TEXT_MAX + 2];
	struct tr_error err;

	burstiness_report_open(&report, tr_reader_header(in)->ticks_per_s, o->level_percent / 100.0,
			       o->by == KEY_ALL || o->points, o->points);
	for (size_t i = 0; i < run->keys.count; i++) {
		const struct burst_key *key = run->keys.keys[i];

		burst_key_name(&run->keys, key, tr_reader_names(in), name, sizeof name);
		burstiness_report_add(&report, name, &key->burstiness);
	}
	if (burstiness_report_print(&report, o->style, stdout, &err) != TR_OK)
		tool_error(run->tool, "%s", err.text);
	burstiness_report_close(&report);
}

static void analyse(struct burst_run *run)
{
	struct tr_reader *in;
	struct tr_error err;

	if (tool_operand_count(run->tool) > 1) {
		tool_error(run->tool, "takes one trace: join several with flitcat");
		return;
	}
	if (tool_next_input(run->tool, &in) != TR_OK)
		return;
	if (start(run, in, &err) != TR_OK || add_stream(run, in, &err) != TR_OK)
		tool_error(run->tool, "%s: %s", tr_reader_name(in), err.text);
	else if (*tr_reader_error(in) && !tool_keep_going(run->tool))
		; // the tool says so
	else if (burst_keys_finish(&run->keys, tr_reader_names(in), &err) != TR_OK)
		tool_error(run->tool, "%s: %s", tr_reader_name(in), err.text);
	else
		report(run, in);
	burst_keys_close(&run->keys);
}

static bool check(struct tool *tool, const struct options *o)
{
	if (o->threshold.num < 0 || (tool_option_given(tool, "threshold") && o->threshold.num == 0))
		tool_error(tool, "a threshold must be above 0");
	if (o->finest.num < 0 || (tool_option_given(tool, "finest") && o->finest.num == 0))
		tool_error(tool, "a window must be wider than 0");
	if (o->max_keys == 0)
		tool_error(tool, "--max-keys must be above 0");
	return tool_ok(tool);
}

int main(int argc, char **argv)
{
	struct options o = {.threshold = {0, 1}, .finest = {0, 1}, .origin = "0", .level_percent = 95,
			    .max_keys = 1024};
	const struct opt opts[] = {
		OPT_TIME('g', "threshold", &o.threshold,
			 "gap that ends a burst (default: the valley of the gaps' histogram)"),
		OPT_CHOICE(0, "by", &o.by, by_words, "what is told apart (node and role: of the sender)"),
		OPT_LIST(0, "width", "TIME[,TIME...]", &o.widths,
			 "widths of windows (default: powers of 2 of the finest)"),
		OPT_TIME(0, "finest", &o.finest, "finest window (default: 1us, or what is nearest in ticks)"),
		OPT_LIST(0, "gaps", "N[,N...]", &o.gaps, "gaps in a sum (default: powers of 2)"),
		OPT_LIST(0, "lags", "N[,N...]", &o.lags,
			 "lags of the autocorrelation (default: 1,2,5,10,20,50,100)"),
		OPT_STRING(0, "origin", "TIME|first", &o.origin,
			   "where window 0 begins: a time since the Unix epoch, or the first packet"),
		OPT_CHOICE(0, "size", &o.size, size_words, "bytes that count as a packet's size"),
		OPT_LIST(0, "role", "NODE=ROLE", &o.roles, "role of a node, whatever the trace says"),
		OPT_CHOICE(0, "level", &o.level_percent, level_words, "of the intervals, in percent"),
		OPT_COUNT(0, "max-keys", &o.max_keys, "nodes, or pairs of them, at most"),
		OPT_FLAG('p', "points", &o.points, "print all scales, also with --by, and the gaps' histogram"),
		TABLE_OPTIONS(&o.style),
		OPT_END,
	};
	const struct tool_spec spec = {"flitburst", "[-g TIME] [--by WHAT] [FILE]",
				       "Tells how bursty a trace is, over scales, in one pass.", opts};
	struct tool *tool = tool_start(argc, argv, &spec);
	struct burst_run *run = calloc(1, sizeof *run);

	if (!run) {
		tool_error(tool, "no memory");
	} else if (check(tool, &o)) {
		run->options = &o;
		run->tool = tool;
		analyse(run);
	}
	free(run);
	return tool_finish(tool, TOOL_OK);
}
