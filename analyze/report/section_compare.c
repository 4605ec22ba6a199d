// SPDX-License-Identifier: GPL-3.0-or-later
// The page of --compare, up to its sections: what changed, which input is nearest to the first, and
// how they differ.
#include <math.h>
#include <stdio.h>

#include "report/section.h"
#include "report/side_by_side.h"
#include "table/table_rows.h"
#include "value/number.h"

#define DETAILED 4u // nearest of the others, whose differences and distances are listed

// An input's mean minus the first's, and its interval; NaN if there are too few batches.
struct difference {
	double value;
	struct interval interval;
	bool differ;
};

static struct difference difference_of(const struct side *first, const struct side *side,
				       enum compared_quantity which, double level)
{
	struct difference out = {
		side->means[which].mean - first->means[which].mean, {NAN, NAN}, false};
	struct comparison made;

	if (isnan(first->means[which].n) || isnan(side->means[which].n))
		return out;
	made = sample_compare(&side->means[which], &first->means[which], level);
	out.interval = made.interval;
	out.differ = out.interval.lo > 0 || out.interval.hi < 0;
	return out;
}

static void tell_nearest(struct page *page, const struct side_by_side *all)
{
	const struct side *nearest = &all->sides[1];
	char text[1024] = "";

	for (size_t i = 2; i < all->count && i < 1 + DETAILED; i++)
		text_append(text, sizeof(text), "%s%.60s (%s)", i == 2 ? ", then " : ", ",
			    all->sides[i].input->name, number_real(all->sides[i].score, 2).text);
	if (isfinite(nearest->score))
		page_answer(page, "%s to %s: %s (mean Kolmogorov-Smirnov distance %s)%s.",
			    all->count > 2 ? "Nearest" : "Distance", all->sides[0].input->name,
			    nearest->input->name, number_real(nearest->score, 2).text, text);
	else
		page_answer(page, "%s has no quantity in common with the other inputs.",
			    all->sides[0].input->name);
}

static void list_name(char *text, size_t bytes, const char *name)
{
	text_append(text, bytes, "%s%s", *text ? ", " : "", name);
}

// Which means differ, do not, or are not known well enough, of all packets whichever hosts they are
// of.
static void tell_means(const struct report *report, struct page *page, const struct side *first,
		       const struct side *nearest)
{
	char differ[256] = "", same[256] = "", unknown[256] = "", text[1024] = "";

	for (unsigned i = 0; i < COMPARED_QUANTITIES; i++) {
		const struct difference made = difference_of(first, nearest, i, report->level);

		if (!first->of[i] || !nearest->of[i])
			continue;
		if (isnan(made.interval.lo))
			list_name(unknown, sizeof(unknown), compared_name(i));
		else if (made.differ)
			list_name(differ, sizeof(differ), compared_name(i));
		else
			list_name(same, sizeof(same), compared_name(i));
	}
	if (*differ)
		text_append(text, sizeof(text), "; different: %s", differ);
	if (*same)
		text_append(text, sizeof(text), "; not known to differ: %s", same);
	if (*unknown)
		text_append(text, sizeof(text), "; without an interval: %s", unknown);
	page_paragraph(page, "Means at %g %%, over all packets and not by host%s.",
		       report->level * 100, text);
}

// Tells in which quantity the nearest input is farthest, and which means differ.
static void tell_farthest(const struct report *report, struct page *page,
			  const struct side_by_side *all)
{
	const struct side *first = &all->sides[0], *nearest = &all->sides[1];
	unsigned worst = COMPARED_QUANTITIES;

	for (unsigned i = 0; i < COMPARED_QUANTITIES; i++)
		if (!isnan(nearest->apart[i].ks) &&
		    (worst == COMPARED_QUANTITIES ||
		     nearest->apart[i].ks > nearest->apart[worst].ks))
			worst = i;
	if (worst == COMPARED_QUANTITIES)
		return;
	if (nearest->apart[worst].ks == 0) {
		page_paragraph(page, "Their distributions are the same.");
		return;
	}
	page_paragraph(page, "%s is farthest from %s in its %s.", nearest->input->name,
		       first->input->name, compared_name(worst));
	tell_means(report, page, first, nearest);
}

TABLE_ROW(distance, (text, input), (text, quantity), (real, ks, 2, "KS"), (real, ad, 3, "AD"),
	  (real, emd, 3, "EMD"));

static void add_distances(struct page *page, const struct side_by_side *all)
{
	struct table *table = page_table(
		page,
		"Distances between the distributions and those of %s, the nearest first: "
		"Kolmogorov-Smirnov (KS, 0 to 1), Anderson-Darling (AD) and earth mover's distance "
		"(EMD, in the unit of the quantity).",
		all->sides[0].input->name);
	char name[80];

	table_heads(table, distance_fields);
	for (size_t k = 1; k < all->count; k++) {
		const struct side *side = &all->sides[k];

		for (unsigned i = 0; k <= DETAILED && i < COMPARED_QUANTITIES; i++) {
			if (isnan(side->apart[i].ks))
				continue;
			(void)snprintf(name, sizeof(name), *compared_unit(i) ? "%s (%s)" : "%s",
				       compared_name(i), compared_unit(i));
			TABLE_PUT(table, distance, .input = side->input->name, .quantity = name,
				  .ks = side->apart[i].ks, .ad = side->apart[i].ad,
				  .emd = side->apart[i].emd);
		}
		TABLE_PUT(table, distance, .input = side->input->name, .quantity = "mean of all",
			  .ks = side->score, .ad = NAN, .emd = NAN);
	}
	table_note(table,
		   "AD emphasises the tails and grows with the number of values; flitcmp tests the "
		   "distances.%s%s%s",
		   all->width.series < COUNTS_SERIES ? " Packets are counted in bins of " : "",
		   all->width.series < COUNTS_SERIES ? number_width(all->width.seconds).text : "",
		   all->width.series < COUNTS_SERIES ? "." : "");
}

TABLE_ROW(difference, (text, input), (text, quantity), (error, first, 0, "first input"),
	  (error, own, 0, "this input"), (known, difference), (text, differ));

// Adds one quantity of an input beside the first's.
static void add_difference(struct table *table, const struct side *first, const struct side *side,
			   enum compared_quantity which, double level)
{
	const struct difference made = difference_of(first, side, which, level);
	const double lo = made.interval.lo, hi = made.interval.hi;
	char name[80];

	(void)snprintf(name, sizeof(name), *compared_unit(which) ? "mean %s (%s)" : "mean %s",
		       compared_name(which), compared_unit(which));
	TABLE_PUT(table, difference, .input = side->input->name, .quantity = name,
		  .first = {first->means[which].mean, lo, hi},
		  .own = {side->means[which].mean, lo, hi}, .difference = {made.value, lo, hi},
		  .differ = isnan(lo)	  ? "-"
			    : made.differ ? "yes"
					  : "no");
}

static void add_slope(struct table *table, const struct side *first, const struct side *side)
{
	const struct variance_slope *a = &side->input->stream->hurst.slope,
				    *b = &first->input->stream->hurst.slope;
	const double apart = a->slope - b->slope,
		     half = hypot((a->hi - a->lo) / 2, (b->hi - b->lo) / 2);

	TABLE_PUT(table, difference, .input = side->input->name, .quantity = "variance-time slope",
		  .first = {b->slope, b->lo, b->hi}, .own = {a->slope, a->lo, a->hi},
		  .difference = {apart, apart - half, apart + half},
		  .differ = !isfinite(half)	 ? "-"
			    : fabs(apart) > half ? "yes"
						 : "no");
}

static void add_differences(const struct report *report, struct page *page,
			    const struct side_by_side *all)
{
	const struct side *first = &all->sides[0];
	struct table *table = page_table(page, "Differences from %s (%g %% confidence intervals).",
					 first->input->name, report->level * 100);

	table_heads(table, difference_fields);
	for (size_t k = 1; k < all->count && k <= DETAILED; k++) {
		for (unsigned i = 0; i < COMPARED_QUANTITIES; i++)
			if (first->of[i] && all->sides[k].of[i])
				add_difference(table, first, &all->sides[k], i, report->level);
		add_slope(table, first, &all->sides[k]);
	}
	table_note(table,
		   "Confidence intervals: of means, Welch's, for dependent values "
		   "(flitline-intervals(7)), none where an input is too short; of slopes, from "
		   "both intervals.%s",
		   all->count > 1 + DETAILED ? " Only the nearest inputs are listed." : "");
}

void compare_build(const struct report *report, struct page *page)
{
	struct side_by_side all;
	struct overview overview = {.report = report};
	struct tr_error err;

	if (side_by_side_open(&all, report, &err) != TR_OK) {
		page->failed = true;
		return;
	}
	for (size_t i = 1; i < all.count && i <= DETAILED; i++)
		changes_build(all.sides[0].input->stream, all.sides[i].input->stream, report->level,
			      page);
	tell_nearest(page, &all);
	tell_farthest(report, page, &all);
	for (size_t i = 0; i < all.count; i++)
		overview_add(&overview, all.sides[i].input->stream);
	who_talks_build(&overview, page);
	overview_draw(&overview, page);
	add_differences(report, page, &all);
	add_distances(page, &all);
	side_by_side_close(&all);
}
