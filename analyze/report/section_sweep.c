// SPDX-License-Identifier: GPL-3.0-or-later
// Which network: tables of sweeps as latency and throughput over load, with what each configuration
// carries, on the first screen.
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "report/drawing.h"
#include "report/printed_tables.h"
#include "report/section.h"
#include "value/number.h"

// ---- the answer

#define TOLD 4u	  // configurations in a sentence
#define GROUPS 6u // sentences
#define DROPS .95 // of what was carried at most: less counts as a drop

// What a configuration carries at a point, as a share of its links: as its table says, else in
// proportion to what the lowest load carries; NaN if that says nothing.
static double carried_share(const struct load_curve *curve, const struct load_point *point)
{
	const struct load_point *first = &curve->points[0];

	if (isfinite(point->of[LOAD_CARRIED_PERCENT].mean))
		return point->of[LOAD_CARRIED_PERCENT].mean / 100;
	return first->load * point->of[LOAD_THROUGHPUT_MBPS].mean /
	       first->of[LOAD_THROUGHPUT_MBPS].mean;
}

// The most that it carries; NaN if it never saturates, so that more is possible, or this is not
// known.
static double most_carried(const struct load_curve *curve)
{
	double most = NAN;

	if (curve->saturated == SIZE_MAX ||
	    (curve->saturated == 0 && !isfinite(curve->points[0].of[LOAD_CARRIED_PERCENT].mean)))
		return NAN;
	for (size_t k = 0; k < curve->count; k++)
		most = fmax(most, carried_share(curve, &curve->points[k]));
	return most;
}

// "stands still (deadlock) from .45 on in 17 of 18 runs"; false if no run did.
static bool say_standstill(const struct load_curve *curve, char *text, size_t text_bytes)
{
	size_t from = 0, runs = 0, stood = 0;

	while (from < curve->count && curve->points[from].stood == 0)
		from++;
	for (size_t k = from; k < curve->count; k++) {
		runs += curve->points[k].runs;
		stood += curve->points[k].stood;
	}
	if (stood > 0)
		text_append(text, text_bytes, "stands still (%s) from %s on in %zu of %zu run%s",
			    curve->points[from].end.word,
			    number_real(curve->points[from].load, 3).text, stood, runs,
			    runs == 1 ? "" : "s");
	return stood > 0;
}

// "carries 0.10 of its links and drops to 0.084 at a load of 0.8"; whether this is known.
static bool section_sweep_say_carried(const struct load_curve *curve, char *text, size_t text_bytes)
{
	const struct load_point *last = &curve->points[curve->count - 1];
	const double most = most_carried(curve), at_last = carried_share(curve, last);
	const bool measured = isfinite(curve->points[0].of[LOAD_CARRIED_PERCENT].mean);

	if (!isfinite(most))
		return false;
	text_append(text, text_bytes, "carries %s%s of its links", measured ? "" : "about ",
		    number_real(most, 3).text);
	if (at_last < DROPS * most)
		text_append(text, text_bytes, " and drops to %s", number_real(at_last, 3).text);
	if (at_last < DROPS * most)
		text_append(text, text_bytes, " at a load of %s", number_real(last->load, 3).text);
	return true;
}

static void say_curve(const struct load_curve *curve, char *text, size_t text_bytes)
{
	const struct load_point *last = &curve->points[curve->count - 1];

	text_append(text, text_bytes, "%s ", *curve->name ? curve->name : "the network");
	if (say_standstill(curve, text, text_bytes))
		return;
	if (curve->saturated == SIZE_MAX)
		text_append(text, text_bytes, "keeps up to a load of %s, the highest",
			    number_real(last->load, 3).text);
	else if (curve->saturated == 0)
		text_append(text, text_bytes, "is already saturated at %s",
			    number_real(curve->points[0].load, 3).text);
	if (curve->saturated == SIZE_MAX ||
	    (curve->saturated == 0 && !isfinite(most_carried(curve))))
		return;
	if (curve->saturated == 0)
		text_append(text, text_bytes, " and ");
	if (!section_sweep_say_carried(curve, text, text_bytes))
		text_append(text, text_bytes, "keeps up to a load of %s",
			    number_real(curve->points[curve->saturated - 1].load, 3).text);
}

// "of 6 configurations 2 keep up to the highest load (tree, switch)"; how many do.
static size_t say_unsaturated(const struct load_curve *list, size_t count, char *text,
			      size_t text_bytes)
{
	size_t all = 0, named = 0;

	for (size_t i = 0; i < count; i++)
		all += list[i].saturated == SIZE_MAX;
	text_append(text, text_bytes, "of %zu configurations ", count);
	if (all == 0)
		return 0;
	text_append(text, text_bytes, "%zu keep%s up to the highest load", all,
		    all == 1 ? "s" : "");
	for (size_t i = 0; i < count && all <= TOLD; i++)
		if (list[i].saturated == SIZE_MAX)
			text_append(text, text_bytes, "%s%s", named++ > 0 ? ", " : " (",
				    list[i].name);
	text_append(text, text_bytes, "%s", named > 0 ? ")" : "");
	return all;
}

// Configurations that carry about as much as this one at most.
static size_t count_near(const struct load_curve *list, size_t count, const struct load_curve *best)
{
	size_t near = 0;

	for (size_t i = 0; best && i < count; i++)
		near += most_carried(&list[i]) >= DROPS * most_carried(best);
	return near;
}

// Which configuration carries the most, of many; one that never saturates carries more than any
// other.
static void say_best(const struct load_curve *list, size_t count, char *text, size_t text_bytes)
{
	const struct load_curve *best = NULL;
	size_t near, unsaturated;

	for (size_t i = 0; i < count; i++)
		if (isfinite(most_carried(&list[i])) &&
		    (!best || most_carried(&list[i]) > most_carried(best)))
			best = &list[i];
	near = count_near(list, count, best);
	if (near == count) {
		text_append(text, text_bytes,
			    "all %zu configurations carry about %s of their links", count,
			    number_real(most_carried(best), 3).text);
		return;
	}
	unsaturated = say_unsaturated(list, count, text, text_bytes);
	if (!best) {
		text_append(text, text_bytes, "%s",
			    unsaturated > 0 ? "" : "none says how much it carries");
		return;
	}
	text_append(text, text_bytes, "%s", unsaturated > 0 ? "; of the others " : "");
	if (near > 1)
		text_append(text, text_bytes, "%zu carry the most, about %s of their links", near,
			    number_real(most_carried(best), 3).text);
	else
		text_append(text, text_bytes, "%s carries the most, %s of its links", best->name,
			    number_real(most_carried(best), 3).text);
}

// A sentence for each traffic. begin: what the table is, if there are several.
static void lead_with_answer(struct page *page, const struct load_curves *curves, const char *begin)
{
	for (size_t from = 0, end; from < curves->count; from = end) {
		const size_t group = curves->list[from].group;
		char text[1024] = "";

		for (end = from; end < curves->count && curves->list[end].group == group; end++)
			;
		if (group >= GROUPS)
			break;
		text_append(text, sizeof(text), "%s%s%s%s", begin, *begin ? ": " : "",
			    curves->groups[group], *curves->groups[group] ? ": " : "");
		for (size_t i = from; i < end && end - from <= TOLD; i++) {
			text_append(text, sizeof(text), "%s", i > from ? ", " : "");
			say_curve(&curves->list[i], text, sizeof(text));
		}
		if (end - from > TOLD)
			say_best(curves->list + from, end - from, text, sizeof(text));
		if (*text >= 'a' && *text <= 'z' &&
		    (end - from > TOLD || !*curves->list[from].name) && !*begin &&
		    !*curves->groups[group])
			*text = (char)(*text - 'a' + 'A');
		page_answer(page, "%s.", text);
	}
	if (curves->group_count > GROUPS)
		page_paragraph(page, "The table of saturation lists %zu more kinds of traffic.",
			       curves->group_count - GROUPS);
}

// ---- the table

// "deadlock at 0.3, 0.6; saturated at 0.8" for the points that ended so, or no worse; "" for none.
// Returns text.
static const char *ends_text(const struct load_curve *curve, enum tr_ending least, char *text,
			     size_t text_bytes)
{
	const char *word = NULL;
	size_t used = 0;

	*text = '\0';
	for (size_t k = 0; k < curve->count && used < text_bytes; k++) {
		const struct load_point *point = &curve->points[k];

		if (point->end.ending < least)
			continue;
		if (point->end.word != word)
			used += (size_t)snprintf(text + used, text_bytes - used, "%s%s at ",
						 word ? "; " : "", point->end.word);
		else
			used += (size_t)snprintf(text + used, text_bytes - used, ", ");
		word = point->end.word;
		if (used < text_bytes)
			used += (size_t)snprintf(text + used, text_bytes - used, "%.40s",
						 number_real(point->load, 3).text);
	}
	return text;
}

static void add_saturation(struct table *shown, const struct load_curve *curve)
{
	const size_t at = curve->saturated;

	if (at == SIZE_MAX) {
		char above[48];

		(void)snprintf(above, sizeof(above), "above %.40s",
			       number_real(curve->points[curve->count - 1].load, 3).text);
		table_text(shown, above);
	} else if (at == 0) {
		char below[48];

		(void)snprintf(below, sizeof(below), "up to %.40s",
			       number_real(curve->points[0].load, 3).text);
		table_text(shown, below);
	} else {
		table_range(shown, curve->points[at - 1].load, curve->points[at].load, 3);
	}
}

static void tabulate_loads(const struct report *report, struct page *page,
			   const struct input *input, const struct load_curves *curves,
			   size_t left_out)
{
	struct table *shown = page_table(
		page, "Saturation, %s (%g %% confidence intervals over replications).", input->name,
		report->level * 100);
	char ends[200];
	bool any = false;

	if (curves->group_count > 1)
		table_words(shown, curves->traffic);
	table_words(shown, *curves->varied ? curves->varied : "configuration");
	table_numbers(shown, "loads");
	table_numbers(shown, "saturation between loads");
	table_numbers(shown, "most payload carried (MB/s)");
	if (curves->has[LOAD_CARRIED_PERCENT])
		table_numbers(shown, "of its links");
	table_numbers(shown, "latency at the lowest load (µs)");
	table_numbers(shown, "interval");
	table_numbers(shown, "99 % at the lowest load (µs)");
	for (size_t i = 0; i < curves->count; i++)
		any = any || *ends_text(&curves->list[i], TR_GREW, ends, sizeof(ends)) != '\0';
	if (any)
		table_words(shown, "ended by");
	for (size_t i = 0; i < curves->count; i++) {
		const struct load_curve *curve = &curves->list[i];
		const struct load_measure *latency = &curve->points[0].of[LOAD_LATENCY_US];
		double most = NAN, share = NAN;

		for (size_t k = 0; k < curve->count; k++) {
			most = fmax(most, curve->points[k].of[LOAD_THROUGHPUT_MBPS].mean);
			share = fmax(share, curve->points[k].of[LOAD_CARRIED_PERCENT].mean / 100);
		}
		if (curves->group_count > 1)
			table_text(shown, curves->groups[curve->group]);
		table_text(shown, *curve->name ? curve->name : "all rows");
		table_count(shown, curve->count);
		add_saturation(shown, curve);
		table_real(shown, most, 4);
		if (curves->has[LOAD_CARRIED_PERCENT])
			table_real(shown, share, 3);
		table_error(shown, latency->mean, latency->interval.lo, latency->interval.hi);
		table_error_range(shown, latency->interval.lo, latency->interval.hi);
		table_real(shown, curve->points[0].of[LOAD_P99_US].mean, 4);
		if (any)
			table_text(shown, ends_text(curve, TR_GREW, ends, sizeof(ends)));
	}
	if (left_out > 0)
		table_note(shown, "%s further row%s of the sweep left out.",
			   number_count(left_out).text, left_out == 1 ? " is" : "s are");
	if (curves->drained)
		table_note(shown,
			   "Carried: over the time until the last delivery, also behind the "
			   "last arrival; flitsim --stop ends runs before their traffic does.");
}

static size_t count_sweeps(const struct report *report)
{
	size_t tables = 0;

	for (size_t i = 0; i < report->count; i++)
		tables += report->inputs[i].tables.count;
	return tables;
}

static void add_curves(const struct report *report, struct page *page, const struct input *input,
		       const struct printed_table *table)
{
	const char *name = table->title ? table->title : input->name;
	struct load_curves curves;
	struct tr_error ignored;
	char what[3 * LOAD_NAME_BYTES] = "";

	if (load_curves_make(&curves, table, report->level, &ignored) != TR_OK) {
		page->failed = true;
		return;
	}
	if (curves.count > 0) {
		const bool several = count_sweeps(report) > 1;

		text_append(what, sizeof(what), "%s%s%s", curves.varied,
			    *curves.traffic ? ", " : "", curves.traffic);
		text_append(what, sizeof(what), "%s%s", several && *what ? ", " : "",
			    several ? input->name : "");
		lead_with_answer(page, &curves, several ? name : "");
		load_figures_draw(page, &curves, table->title, what, input->name);
		tabulate_loads(report, page, input, &curves, table->left_out);
	}
	load_curves_clear(&curves);
}

void sweeps_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++)
		for (size_t k = 0; k < report->inputs[i].tables.count; k++)
			add_curves(report, page, &report->inputs[i],
				   &report->inputs[i].tables.list[k]);
}
