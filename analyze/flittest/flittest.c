// SPDX-License-Identifier: GPL-3.0-or-later
// flittest: whether arrivals are Poisson, tails heavy, a series stationary, its H constant, its
// memory long, and what of it survives shuffling.
#include <string.h>

#include "flittest.h"
#include "series/series_periods.h"
#include "stat/intervals/numeric_errors.h"
#include "stat/tests/constancy.h"
#include "stream/words.h"
#include "tool/tool.h"

struct flittest_options {
	struct opt_list tests;
	struct test_wishes wishes;
	struct series_text text;
	const char *burst_gap; // the option; NULL: found
	int periods;	       // enum periods_are
	struct test_settings settings;
	int of;	  // enum test_of
	int size; // enum tr_size_of
	int level_percent;
	struct num_ratio memory_B;
	uint64_t blocks, lags, block_points, controls;
	bool arrivals, intervals, points;
	struct table_style style;
};

enum flittest_periods_are { PERIODS_KEPT, PERIODS_REMOVED };

#define CONTROLS_MIN 19 // with fewer, no rank is rare enough

static const struct opt_choice of_words[] = {
	{"packets", TEST_OF_PACKETS, "packets in each bin"},
	{"bytes", TEST_OF_BYTES, "bytes in each bin"},
	{"gaps", TEST_OF_GAPS, "times between packets"},
	{"sizes", TEST_OF_SIZES, "bytes of packets"},
	{"bursts", TEST_OF_BURSTS, "packets of bursts"},
	{NULL, 0},
};
static const struct opt_choice periods_words[] = {
	{"keep", PERIODS_KEPT, "take the series as it is"},
	{"remove", PERIODS_REMOVED, "subtract periods from the series first"},
	{NULL, 0},
};

static bool flittest_is_named(const struct flittest_options *o, const struct test_kind *kind)
{
	for (size_t i = 0; i < o->tests.count; i++)
		if (strcmp(o->tests.words[i], kind->name) == 0)
			return true;
	return false;
}

static bool flittest_is_wanted(const struct flittest_options *o, const struct test_kind *kind)
{
	return o->tests.count == 0 || flittest_is_named(o, kind);
}

static bool check_options(struct tool *tool, struct flittest_options *o)
{
	if (o->wishes.interval.num <= 0)
		tool_error(tool, "an interval must be longer than 0");
	if (o->wishes.series.bin.num < 0 ||
	    (tool_option_given(tool, "bin") && o->wishes.series.bin.num == 0))
		tool_error(tool, "a bin must be wider than 0");
	if (!(o->settings.share > 0 && o->settings.share < 1))
		tool_error(tool, "the share of the tail must be between 0 and 1");
	if (o->blocks == 1 || o->blocks > CONSTANCY_BLOCKS_MAX)
		tool_error(tool, "--blocks: expected 2 to %d", CONSTANCY_BLOCKS_MAX);
	if (tool_option_given(tool, "controls") && o->controls < CONTROLS_MIN)
		tool_error(tool, "--controls: expected at least %d", CONTROLS_MIN);
	(void)tool_memory_holds(tool, o->memory_B, SERIES_POINT_BYTES, 1, "point",
				&o->wishes.series.max_points);
	return tool_ok(tool);
}

static bool flittest_set_options(struct tool *tool, struct flittest_options *o)
{
	struct tr_error err;

	if (burst_gap_parse(o->burst_gap, &o->wishes.burst_rule, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	o->wishes.of_given = tool_option_given(tool, "of");
	o->wishes.of = (enum test_of)o->of;
	o->text.needs_bytes = o->wishes.of_given &&
			      (o->of == TEST_OF_BYTES || o->of == TEST_OF_SIZES);
	o->wishes.seed = o->settings.shuffled.seed;
	o->wishes.series.wire = o->size == TR_SIZE_WIRE;
	o->settings.level = o->level_percent / 100.0;
	o->settings.blocks = o->blocks;
	o->settings.lags = o->lags;
	o->settings.shuffled.block = o->block_points;
	o->settings.shuffled.controls = o->controls;
	for (const struct test_kind *kind = test_kinds; kind->name; kind++) {
		o->wishes.poisson |= flittest_is_wanted(o, kind) && kind->arrivals;
		o->wishes.counts |= flittest_is_wanted(o, kind) && kind->counts;
		o->wishes.tails |= flittest_is_wanted(o, kind) && kind->tails;
		o->wishes.times |= flittest_is_wanted(o, kind) && kind->times;
	}
	o->text.any_order = !o->wishes.poisson && !o->wishes.counts && !o->wishes.times;
	return check_options(tool, o);
}

static const char *const of_texts[] = {"columns", "arrivals", NULL};
static const char *const of_traces[] = {"bin", "size", NULL};

// Reads one input and closes it. False after a failure.
static bool flittest_read_input(struct tool *tool, const struct flittest_options *o,
				struct tr_source *source, struct test_input *input)
{
	struct tr_reader *in;
	struct tr_error err;
	bool ok;

	if (!tr_source_begins(source, TR_MAGIC, TR_MAGIC_BYTES)) {
		if (!o->arrivals)
			(void)tool_input_takes(tool, tr_source_name(source), "a text of numbers",
					       of_traces);
		ok = (o->arrivals ? test_input_arrivals
				  : test_input_text)(input, source, &o->wishes, &err) == TR_OK;
		if (!ok)
			tool_error(tool, "%s", err.text);
		else
			tool_tell_text(tool, tr_source_name(source), o->text.note, o->text.odd);
		tr_source_close(source);
		return ok;
	}
	(void)tool_input_takes(tool, tr_source_name(source), "a trace", of_texts);
	in = tool_open_reader(tool, source);
	if (!in)
		return false;
	ok = test_input_trace(input, in, &o->wishes, tool_keep_going(tool), &err) == TR_OK;
	if (!ok && !*tr_reader_error(in))
		tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
	tool_close_input(tool, in);
	return ok;
}

// Finds the periods of the input's series for the tests of it. False after a failure.
static bool find_periods(struct tool *tool, const struct flittest_options *o, const char *name,
			 struct test_input *input, struct test_report *report)
{
	struct series *series = &input->counts.series;
	char words[SERIES_PERIOD_WORDS], lost[LOST_POINTS_BYTES];
	struct tr_error err;

	if (!o->wishes.counts)
		return true;
	if (series->lost.count > 0)
		table_note(report->tables[TEST_TABLE_ANSWERS], "%s: %s", name,
			   lost_points_note(&series->lost, series->n, lost));
	tool_stage(tool, "%s: periods", name);
	if (series_spectrum_open(series, 0, &input->spectrum, &err) != TR_OK ||
	    series_periods_find(series, input->spectrum, o->settings.level, &input->periods,
				&err) != TR_OK ||
	    (o->periods == PERIODS_REMOVED &&
	     series_periods_remove(series, &input->spectrum, &input->periods, &err) != TR_OK)) {
		tool_error(tool, "%s: %s", name, err.text);
		return false;
	}
	if (input->periods.count == 0)
		return true;
	series_periods_say(words, series_point_s(series), &input->periods);
	table_note(report->tables[TEST_TABLE_ANSWERS],
		   o->periods == PERIODS_REMOVED
			   ? "%s: %s was removed from the series before the other tests"
			   : "%s: %s biases the other tests (see --periods)",
		   name, words);
	return true;
}

// Runs the tests wanted on one input. True if an answer is no.
static bool run_tests(struct tool *tool, const struct flittest_options *o, const char *name,
		      const struct test_input *input, struct test_report *report)
{
	struct tr_error err;

	for (const struct test_kind *kind = test_kinds; kind->name; kind++) {
		if (!flittest_is_wanted(o, kind))
			continue;
		if (kind->arrivals && !input->has_arrivals) {
			if (flittest_is_named(o, kind))
				tool_error(tool,
					   "%s: the test %s needs arrivals, and the input has none",
					   name, kind->name);
			continue;
		}
		tool_stage(tool, "%s: %s", name, kind->name);
		if (kind->run(input, &o->settings, name, report, &err) == TR_OK)
			continue;
		tool_error(tool, "%s: %s: %s", name, kind->name, err.text);
		break; // out of memory, as the others would be
	}
	if (input->has_bursts)
		test_details_bursts(report, name, input);
	return test_report_join(report);
}

static bool test_inputs(struct tool *tool, const struct flittest_options *o,
			struct test_report *report)
{
	struct tr_source *source;
	bool answered_no = false;

	while (tool_next_source(tool, &source) == TR_OK) {
		struct test_input input = {.has_arrivals = false};
		char name[256];

		(void)snprintf(name, sizeof(name), "%s", tr_source_name(source));
		if (flittest_read_input(tool, o, source, &input) &&
		    find_periods(tool, o, name, &input, report))
			answered_no |= run_tests(tool, o, name, &input, report);
		test_input_clear(&input);
	}
	return answered_no;
}

static bool answers_no(struct tool *tool, struct flittest_options *o)
{
	struct test_report report;
	struct tr_error err;
	bool no;

	numeric_errors_give_nan();
	test_report_open(&report, o->intervals, o->points);
	no = test_inputs(tool, o, &report);
	if (tool_ok(tool) && test_report_print(&report, o->style, tool_stdout(tool), &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	test_report_close(&report);
	return no;
}

#define TESTS_MAX 31u

static void name_tests(struct opt_choice *words)
{
	for (size_t i = 0; i < TESTS_MAX && test_kinds[i].name; i++)
		words[i] = (struct opt_choice){test_kinds[i].name, 0, test_kinds[i].summary};
}

int main(int argc, char **argv)
{
	struct flittest_options o = {
		.wishes = {.interval = {1, 1}, .series = {.bin = {0, 1}, .text = &o.text}},
		.settings = {.share = 0.1, .shuffled.seed = 1},
		.memory_B = {(int64_t)1 << 32, 1},
		.level_percent = 95};
	struct opt_choice tests[TESTS_MAX + 1] = {{NULL, 0}};
	const struct opt opts[] = {
		OPT_WORDS('t', "test", "NAME", &o.tests, tests, "test to run" OPT_DEFAULT("all")),
		OPT_TIME('b', "bin", &o.wishes.series.bin, OPT_BIN_HELP OPT_DEFAULT("10ms")),
		OPT_CHOICE(0, "of", &o.of, of_words, "values to analyse"),
		OPT_PACKET_SIZE(&o.size),
		OPT_COLUMNS(&o.text.columns, series_text_words),
		OPT_ARRIVALS(&o.arrivals),
		OPT_TIME(0, "rate-interval", &o.wishes.interval,
			 "poisson: interval in which the rate is assumed constant"),
		OPT_FLAG(0, "rate-intervals", &o.intervals,
			 "poisson: print the results for each interval"),
		OPT_BURST_GAP(&o.burst_gap),
		OPT_PERIODS(&o.periods, periods_words),
		OPT_REAL(0, "share", &o.settings.share,
			 "tails: fraction of the values that form the tail"),
		OPT_LEVEL(&o.level_percent),
		OPT_POINTS(&o.points),
		OPT_NUMBER(0, "truncation", &o.lags, 0,
			   "stationarity, memory: truncation lag of the long-run variance"),
		OPT_NUMBER(0, "blocks", &o.blocks, 0, "constancy: number of blocks"),
		OPT_NUMBER(0, "block-points", &o.block_points, 0, "shuffle: points per block"),
		OPT_NUMBER(0, "controls", &o.controls, 0,
			   "shuffle: number of controls to rank among" OPT_DEFAULT("99")),
		OPT_SEED(&o.settings.shuffled.seed),
		OPT_MEMORY(&o.memory_B),
		TABLE_OPTIONS(&o.style),
		OPT_ONLY_WITH("rate-interval,rate-intervals", "test=poisson"),
		OPT_ONLY_WITH("share", "test=tails"),
		OPT_ONLY_WITH("burst-gap", "test=tails,of=bursts"),
		OPT_ONLY_WITH("points", "test=tails,test=memory"),
		OPT_ONLY_WITH("truncation", "test=stationarity,test=memory"),
		OPT_ONLY_WITH("blocks", "test=constancy"),
		OPT_ONLY_WITH("block-points,controls", "test=shuffle"),
		OPT_ONLY_WITH("seed", "test=poisson,test=shuffle"),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flittest", "[-t NAME] [-b TIME] [--rate-interval TIME] [FILE ...]",
		"Tests the assumptions of traffic models on a trace or a series.", opts};
	struct tool *tool;

	name_tests(tests);
	tool = tool_start(argc, argv, &spec);
	tool_watch_times(tool, &o.style);
	if (!flittest_set_options(tool, &o))
		return tool_finish(tool, TOOL_FAILED);
	return tool_finish(tool, answers_no(tool, &o) ? TOOL_NO : TOOL_OK);
}
