// SPDX-License-Identifier: GPL-3.0-or-later
// flithurst: the Hurst parameter of counts or bytes per bin, or of any series, by several
// estimators.
#include <stdlib.h>
#include <string.h>

#include "flithurst.h"
#include "series/series.h"
#include "series/series_periods.h"
#include "stat/hurst/estimation.h"
#include "stat/intervals/numeric_errors.h"
#include "stat/spectra/wavelet.h"
#include "stream/words.h"
#include "tool/tool.h"

struct flithurst_options {
	struct series_settings series;
	struct series_text text;
	int of;	  // enum measured
	int size; // enum tr_size_of
	struct opt_list methods;
	int periods; // enum periods_are
	struct estimate_options estimate;
	uint64_t scales;
	uint64_t vanishing;
	int level_percent;
	struct num_ratio every;
	struct num_ratio memory_B;
	bool arrivals, multiscale, sum;
	bool points;
	struct table_style style;
};

enum measured { OF_PACKETS, OF_BYTES };
enum flithurst_periods_are { PERIODS_KEPT, PERIODS_REMOVED };

static const struct opt_choice of_words[] = {
	{"packets", OF_PACKETS, "packets in each bin"},
	{"bytes", OF_BYTES, "bytes in each bin"},
	{NULL, 0},
};
static const struct opt_choice periods_words[] = {
	{"keep", PERIODS_KEPT, "take the series as it is"},
	{"remove", PERIODS_REMOVED, "subtract periods from the series first"},
	{NULL, 0},
};

static bool flithurst_set_options(struct tool *tool, struct flithurst_options *o)
{
	const bool scales_ok = (!tool_option_given(tool, "scale-min") ||
				o->estimate.scale_min > 0) &&
			       (!tool_option_given(tool, "scale-max") || o->estimate.scale_max > 0);

	o->series.of_bytes = o->of == OF_BYTES;
	o->text.needs_bytes = o->series.of_bytes;
	o->series.wire = o->size == TR_SIZE_WIRE;
	o->estimate.scales = o->scales;
	o->estimate.vanishing = (unsigned)o->vanishing;
	o->estimate.level = o->level_percent / 100.0;
	o->estimate.of_bytes = o->series.of_bytes;
	if (!scales_ok)
		tool_error(tool, "scales must be above 0");
	if (o->series.bin.num < 0 || (tool_option_given(tool, "bin") && o->series.bin.num == 0))
		tool_error(tool, "a bin must be wider than 0");
	for (size_t i = 0; i < o->methods.count; i++) {
		const struct estimator *estimator = estimator_find(o->methods.words[i]);

		if (tool_option_given(tool, "every") && !dyadic_estimator_find(estimator))
			tool_error(tool, "--every: the method %s needs the whole series",
				   estimator->name);
	}
	if (tool_option_given(tool, "every") && o->every.num <= 0)
		tool_error(tool, "--every must be above 0");
	(void)tool_memory_holds(tool, o->memory_B, SERIES_POINT_BYTES, 1, "point",
				&o->series.max_points);
	return tool_ok(tool);
}

static const char *const of_texts[] = {"columns", "arrivals", NULL};
static const char *const of_traces[] = {"bin", "of", "size", NULL};

// Reads one input and closes it. False after a failure.
static bool read_series(struct tool *tool, const struct flithurst_options *o,
			struct tr_source *source, struct series *series)
{
	const bool keep_going = tool_keep_going(tool);
	struct tr_reader *in;
	struct tr_error err;
	bool ok = true;

	if (tr_source_begins(source, TR_MAGIC, TR_MAGIC_BYTES)) {
		(void)tool_input_takes(tool, tr_source_name(source), "a trace", of_texts);
		in = tool_open_reader(tool, source);
		if (!in)
			return false;
		if (series_from_trace(series, in, &o->series, keep_going, &err) != TR_OK) {
			ok = false;
			if (!*tr_reader_error(in))
				tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
		}
		tool_close_input(tool, in);
		return ok;
	}
	if (!o->arrivals)
		(void)tool_input_takes(tool, tr_source_name(source), "a text of numbers",
				       of_traces);
	ok = (o->arrivals ? series_from_arrivals : series_from_text)(series, source, &o->series,
								     &err) == TR_OK;
	if (!ok)
		tool_error(tool, "%s", err.text);
	else
		tool_tell_text(tool, tr_source_name(source), o->text.note, o->text.odd);
	tr_source_close(source);
	return ok;
}

static bool flithurst_is_wanted(const struct flithurst_options *o,
				const struct estimator *estimator)
{
	for (size_t i = 0; i < o->methods.count; i++)
		if (strcmp(o->methods.words[i], estimator->name) == 0)
			return true;
	return o->methods.count == 0;
}

// The contents of a progress line.
struct flithurst_stage {
	struct tool *tool;
	const char *name;
	size_t n;
};

// An estimation_begins.
static void tell_stage(void *context, const struct estimator *estimator)
{
	const struct flithurst_stage *stage = context;

	tool_stage(stage->tool, "%s: %zu points: %s", stage->name, stage->n, estimator->name);
}

// The estimators wanted; freed by the caller. NULL if out of memory.
static struct estimation *flithurst_choose(const struct flithurst_options *o, size_t *count)
{
	struct estimation *estimations;
	size_t most = 0;

	while (estimators[most])
		most++;
	estimations = calloc(most, sizeof(*estimations));
	*count = 0;
	for (size_t i = 0; i < most && estimations; i++)
		if (flithurst_is_wanted(o, estimators[i]))
			estimations[(*count)++].estimator = estimators[i];
	return estimations;
}

static void estimate_all(struct tool *tool, const struct flithurst_options *o, const char *name,
			 const struct series *series, const struct spectrum *spectrum,
			 struct hurst_report *report)
{
	struct tr_error err;
	struct flithurst_stage stage = {tool, name, series->n};
	struct agreement agreement;
	size_t count;
	struct estimation *estimations = flithurst_choose(o, &count);

	if ((estimations ? estimations_make(series->x, series->n, spectrum, &o->estimate,
					    estimations, count, tell_stage, &stage, &err)
			 : tr_no_memory(&err, "estimates")) != TR_OK) {
		tool_error(tool, "%s: %s", name, err.text);
		free(estimations);
		return;
	}
	agreement_open(&agreement);
	for (size_t i = 0; i < count; i++) {
		const struct estimation *own = &estimations[i];

		hurst_report_estimate(report, name, own->estimator,
				      own->made ? &own->estimate : NULL, own->why.text);
		if (own->made)
			agreement_add(&agreement, own->estimator, &own->estimate);
	}
	hurst_report_agreement(report, name, &agreement);
	free(estimations);
}

// The verdict is on the original series, and ignores periods itself; they bias every estimate whose
// scales include them, so they are reported, or removed: the spectrum, NULL if the series has none,
// is then closed. False after a failure.
static bool flithurst_decide(struct tool *tool, const struct flithurst_options *o, const char *name,
			     struct series *series, struct spectrum **spectrum,
			     struct hurst_report *report)
{
	struct self_similarity verdict;
	struct periods periods;
	struct tr_error err;

	tool_stage(tool, "%s: %zu points: verdict", name, series->n);
	if (series_periods_find(series, *spectrum, o->estimate.level, &periods, &err) != TR_OK ||
	    (report->verdicts && series_verdict(series, *spectrum, &periods, o->estimate.level,
						&verdict, &err) != TR_OK) ||
	    (o->periods == PERIODS_REMOVED &&
	     series_periods_remove(series, spectrum, &periods, &err) != TR_OK)) {
		tool_error(tool, "%s: %s", name, err.text);
		return false;
	}
	if (report->verdicts)
		hurst_report_verdict(report, name, &verdict);
	hurst_report_periods(report, name, series, &periods, o->periods == PERIODS_REMOVED);
	return true;
}

static void flithurst_diagram(struct tool *tool, const struct flithurst_options *o,
			      const char *name, const struct series *series,
			      struct hurst_report *report)
{
	const struct multiscale_options options = {.vanishing = o->estimate.vanishing,
						   .level = o->estimate.level};
	const struct leaders_options leaders_options = {.vanishing = o->estimate.vanishing,
							.level = o->estimate.level};
	double *work = malloc((2 * series->n + 1) * sizeof(*work));
	struct multiscale made;
	struct leaders leaders;
	struct tr_error err;
	bool ok;

	tool_stage(tool, "%s: %zu points: multiscale diagram", name, series->n);
	if (!work) {
		tool_no_memory(tool, "a multiscale diagram of %zu points", series->n);
		return;
	}
	ok = multiscale_make(series->x, series->n, &options, work, &made, &err) == TR_OK;
	hurst_report_multiscale(report, name, ok ? &made : NULL, err.text);
	ok = leaders_make(series->x, series->n, &leaders_options, work, &leaders, &err) == TR_OK;
	hurst_report_leaders(report, name, ok ? &leaders : NULL, err.text);
	free(work);
}

static void analyse_series(struct tool *tool, const struct flithurst_options *o, const char *name,
			   struct series *series, struct hurst_report *report)
{
	struct spectrum *spectrum = NULL;
	struct tr_error err;

	hurst_report_series(report, name, series);
	if (series_spectrum_open(series, estimation_low_count(series->n, &o->estimate), &spectrum,
				 &err) != TR_OK)
		tool_error(tool, "%s: %s", name, err.text);
	else if (flithurst_decide(tool, o, name, series, &spectrum, report))
		estimate_all(tool, o, name, series, spectrum, report);
	spectrum_close(spectrum);
	if (o->multiscale)
		flithurst_diagram(tool, o, name, series, report);
}

static void flithurst_analyse(struct tool *tool, const struct flithurst_options *o,
			      struct hurst_report *report)
{
	struct tr_source *source;

	while (tool_next_source(tool, &source) == TR_OK) {
		struct series series = {0};
		char name[256];

		(void)snprintf(name, sizeof(name), "%s", tr_source_name(source));
		if (read_series(tool, o, source, &series))
			analyse_series(tool, o, name, &series, report);
		series_clear(&series);
	}
}

// Adds the bins of one input, which it closes.
static void add_input(struct tool *tool, const struct flithurst_options *o,
		      struct tr_source *source, struct series_bins *store, struct bin_feed *feed)
{
	const bool trace = tr_source_begins(source, TR_MAGIC, TR_MAGIC_BYTES);
	struct tr_reader *in = trace ? tool_open_reader(tool, source) : NULL;
	struct tr_error err;

	if (in) {
		if (feed->bin.num == 0 && tr_kind_has_packet(tr_reader_header(in)->kind))
			feed->bin = series_bins_finest(store, tr_reader_header(in)->ticks_per_s);
		if (bin_feed_trace(feed, in, &err) != TR_OK)
			tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
		tool_close_input(tool, in);
	} else if (!trace) {
		if (!o->arrivals)
			(void)tr_fail(&err, "%s: --sum needs traces, series streams or --arrivals",
				      tr_source_name(source));
		else if (feed->bin.num == 0)
			feed->bin = series_bins_finest(store, ARRIVAL_TICKS_PER_S);
		if (!o->arrivals || bin_feed_arrivals(feed, source, &err) != TR_OK)
			tool_error(tool, "%s", err.text);
		else
			tool_tell_text(tool, tr_source_name(source), o->text.note, o->text.odd);
		tr_source_close(source);
	}
}

// All inputs as one series: the sum of their bins, at the same time.
static void analyse_sum(struct tool *tool, const struct flithurst_options *o,
			struct hurst_report *report)
{
	struct series_bins store = {.bins.max_bins = o->series.max_points + 2 * BINS_PAGE};
	struct bin_feed feed = {.bin = o->series.bin,
				.wire = o->series.wire,
				.aligned = true,
				.sink = series_bins_take,
				.text = o->series.text,
				.context = &store,
				.lost = &store.lost};
	struct series series = {0};
	struct tr_source *source;
	struct tr_error err;
	char name[64];

	while (tool_next_source(tool, &source) == TR_OK)
		add_input(tool, o, source, &store, &feed);
	(void)snprintf(name, sizeof(name), "sum of %zu", tool_operand_count(tool));
	series.bin = feed.bin;
	if (tool_ok(tool) && series_bins_make(&series, &store, &o->series, &err) != TR_OK)
		tool_error(tool, "%s: %s", name, err.text);
	if (tool_ok(tool))
		analyse_series(tool, o, name, &series, report);
	series_bins_clear(&store);
	series_clear(&series);
}

// tool_finish finds and reports a failed output.
static void flithurst_say(struct tool *tool, const char *name, const struct tr_error *err)
{
	if (!ferror(stdout))
		tool_error(tool, "%s: %s", name, err->text);
}

// Estimates while one input arrives, and closes it.
static void follow(struct tool *tool, const struct flithurst_options *o, struct hurst_live *live,
		   struct tr_source *source)
{
	enum tr_status status;
	struct tr_reader *in;
	struct tr_error err;

	if (!tr_source_begins(source, TR_MAGIC, TR_MAGIC_BYTES)) {
		status = o->arrivals ? bin_feed_arrivals(&live->feed, source, &err)
				     : tr_fail(&err,
					       "%s: --every needs a trace, a series stream or "
					       "--arrivals",
					       tr_source_name(source));
		if (status != TR_OK && !ferror(stdout))
			tool_error(tool, "%s", err.text);
		else if (status == TR_OK && hurst_live_end(live, &err) != TR_OK)
			flithurst_say(tool, tr_source_name(source), &err);
		else
			tool_tell_text(tool, tr_source_name(source), o->text.note, o->text.odd);
		tr_source_close(source);
		return;
	}
	in = tool_open_reader(tool, source);
	if (!in)
		return;
	if (bin_feed_trace(&live->feed, in, &err) != TR_OK ||
	    ((!*tr_reader_error(in) || tool_keep_going(tool)) &&
	     hurst_live_end(live, &err) != TR_OK))
		flithurst_say(tool, tr_reader_name(in), &err);
	tool_close_input(tool, in);
}

static void monitor(struct tool *tool, const struct flithurst_options *o)
{
	struct hurst_live live = {.every = o->every,
				  .estimate = &o->estimate,
				  .points = o->points,
				  .style = o->style,
				  .out = tool_stdout(tool)};
	struct tr_source *source;

	for (size_t i = 0; i < DYADIC_ESTIMATORS; i++)
		live.wanted[i] = flithurst_is_wanted(o, dyadic_estimators[i].like);
	while (tool_next_source(tool, &source) == TR_OK) {
		char name[256];

		(void)snprintf(name, sizeof(name), "%s", tr_source_name(source));
		hurst_live_start(&live, name, o->series.of_bytes);
		live.feed.bin = o->series.bin;
		live.feed.wire = o->series.wire;
		live.feed.text = o->series.text;
		follow(tool, o, &live, source);
	}
}

#define METHODS_MAX 63u

static void name_methods(struct opt_choice *words)
{
	for (size_t i = 0; i < METHODS_MAX && estimators[i]; i++)
		words[i] = (struct opt_choice){estimators[i]->name, 0, estimators[i]->title};
}

static void flithurst_report(struct tool *tool, const struct flithurst_options *o)
{
	struct hurst_report report;
	struct tr_error err;

	hurst_report_open(&report, o->methods.count == 0, o->points, o->multiscale,
			  o->estimate.level);
	(o->sum ? analyse_sum : flithurst_analyse)(tool, o, &report);
	if (tool_ok(tool) &&
	    hurst_report_print(&report, o->style, tool_stdout(tool), &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	hurst_report_close(&report);
}

int main(int argc, char **argv)
{
	struct flithurst_options o = {.series = {.bin = {0, 1}, .text = &o.text},
				      .memory_B = {(int64_t)1 << 32, 1},
				      .level_percent = 95};
	struct opt_choice methods[METHODS_MAX + 1] = {{NULL, 0}};
	const struct opt opts[] = {
		OPT_TIME('b', "bin", &o.series.bin,
			 OPT_BIN_HELP OPT_DEFAULT("by the length of the trace")),
		OPT_CHOICE(0, "of", &o.of, of_words, "values to analyse"),
		OPT_PACKET_SIZE(&o.size),
		OPT_COLUMNS(&o.text.columns, series_text_words),
		OPT_WORDS('m', "estimator", "NAME", &o.methods, methods,
			  "estimator of H" OPT_DEFAULT("all")),
		OPT_REAL(0, "scale-min", &o.estimate.scale_min,
			 "shortest scale of the fit, in points (for frequencies: the period)"),
		OPT_REAL(0, "scale-max", &o.estimate.scale_max,
			 "longest scale of the fit, in points"),
		OPT_NUMBER(0, "scales", &o.scales, ESTIMATE_POINTS_MAX, "number of scales"),
		OPT_NUMBER(0, "vanishing", &o.vanishing, WAVELET_VANISHING_MAX,
			   "vanishing moments of the wavelet" OPT_DEFAULT("3")),
		OPT_PERIODS(&o.periods, periods_words),
		OPT_LEVEL(&o.level_percent),
		OPT_POINTS(&o.points),
		OPT_FLAG(0, "multiscale", &o.multiscale,
			 "also print the multiscale diagram and wavelet leaders"),
		OPT_ARRIVALS(&o.arrivals),
		OPT_FLAG(0, "sum", &o.sum, "add the bins of all inputs to one series"),
		OPT_EVERY(&o.every),
		OPT_MEMORY(&o.memory_B),
		TABLE_OPTIONS(&o.style),
		OPT_NOT_WITH("multiscale", "every"),
		OPT_NOT_WITH("sum", "every"),
		OPT_NOT_WITH("periods", "every"),
		OPT_ONLY_WITH("vanishing", "estimator=wavelet,multiscale"),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flithurst", "[-b TIME] [-m NAME] [--every TIME] [FILE ...]",
		"Tests a trace or a series for self-similarity and estimates its Hurst parameter.",
		opts};
	struct tool *tool;

	name_methods(methods);
	tool = tool_start(argc, argv, &spec);
	tool_watch_times(tool, &o.style);
	if (!flithurst_set_options(tool, &o))
		return tool_finish(tool, TOOL_FAILED);
	numeric_errors_give_nan();
	(tool_option_given(tool, "every") ? monitor : flithurst_report)(tool, &o);
	return tool_finish(tool, TOOL_OK);
}
