// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/two_way.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "points/gap.h"

#define SPLIT_SHARE 0.05 // of the gap: a smaller change of the clocks' rates is taken for a line
#define ONE_SIZE_PACKETS 64u // of a size, of each direction, to use it alone
#define SIZES_MAX 16384u     // larger frames are not counted by size
#define DEPTH_MAX 8	     // halves of halves, with the lines between them TWO_WAY_LINES_MAX

// What is fitted, and what it takes.
struct two_way {
	struct gap_view gap;
	int64_t begin_ns, end_ns; // where a line must hold
	uint32_t (*sizes)[2];	  // SIZES_MAX: packets by size, back and forward
	double unit_ns[2]; // by which differences may be too large (back), and too small (forward)
};

// ---- from a fit to a line

// Where a line may be at the begin and the end of the time for which it must hold.
struct two_way_range {
	double lo[2], hi[2];
};

static double time_of(const struct two_way *view, unsigned end)
{
	return (double)((end ? view->end_ns : view->begin_ns) - view->gap.origin_ns);
}

// The range of all lines that leave a gap of least_ns below the forward differences and above the
// others, of which the former may be too small by so much and the latter too large. The highest at
// the end is the steepest, at the begin the flattest.
static struct two_way_range two_way_range_of(const struct two_way *view, const struct gap_fit *fit,
					     double least_ns, const double wrong_ns[2])
{
	const double limit = 2 * least_ns - wrong_ns[0] - wrong_ns[1];
	const double flattest = gap_reach(&view->gap, fit->slope, -GAP_DRIFT_MAX, limit);
	const double steepest = gap_reach(&view->gap, fit->slope, GAP_DRIFT_MAX, limit);
	struct two_way_range range;

	for (unsigned end = 0; end < 2; end++) {
		const double at = time_of(view, end);

		range.hi[end] = gap_touch(&view->gap, 1, end ? steepest : flattest, at) - least_ns +
				wrong_ns[1];
		range.lo[end] = gap_touch(&view->gap, 0, end ? flattest : steepest, at) + least_ns -
				wrong_ns[0];
	}
	return range;
}

// What both allow; false if that is nothing.
static bool narrow(struct two_way_range *range, const struct two_way_range *other)
{
	for (unsigned end = 0; end < 2; end++) {
		range->lo[end] = fmax(range->lo[end], other->lo[end]);
		range->hi[end] = fmin(range->hi[end], other->hi[end]);
	}
	return range->lo[0] <= range->hi[0] && range->lo[1] <= range->hi[1];
}

static double half(const struct two_way_range *range)
{
	return fmax(range->hi[0] - range->lo[0], range->hi[1] - range->lo[1]) / 2;
}

// The size of which most packets went in the direction that has fewer; 0: no size has enough.
static uint32_t choose_size(const struct two_way *view)
{
	uint32_t best = 0, most = ONE_SIZE_PACKETS - 1;

	memset(view->sizes, 0, SIZES_MAX * sizeof(*view->sizes));
	for (size_t i = 0; i < view->gap.count; i++)
		if (view->gap.samples[i].wire_bytes < SIZES_MAX)
			view->sizes[view->gap.samples[i].wire_bytes]
				   [view->gap.samples[i].forward]++;
	for (uint32_t size = 1; size < SIZES_MAX; size++) {
		const uint32_t *packets = view->sizes[size];
		const uint32_t fewer = packets[0] < packets[1] ? packets[0] : packets[1];

		if (fewer <= most)
			continue;
		most = fewer;
		best = size;
	}
	return best;
}

// The least that the stamps of a packet there and one back can add up to.
static double least_of(const struct two_way *view, const struct gap_fit *fit)
{
	return fit->claimed ? fmax(0, fit->gap_ns - fit->waited_ns -
					      (view->unit_ns[0] + view->unit_ns[1]) / 2)
			    : 0;
}

static void set_line(const struct two_way *view, const struct gap_fit *fit,
		     struct two_way_line *line)
{
	*line = (struct two_way_line){
		.from_ns = view->begin_ns,
		.to_ns = view->end_ns,
		.base_ns = view->gap.base_ns,
		.gap_ns = fit->gap_ns,
		.waited_ns = fit->waited_ns,
		.packets = {view->gap.packets[0], view->gap.packets[1]},
		.wire_bytes = view->gap.wire_bytes,
	};
}

// Fits the samples of the view; *whole is of all sizes. false: no line lies between them.
static bool fit_line(struct two_way *view, struct gap_fit *whole, struct two_way_line *line)
{
	// Stamps are cut to units, so the differences of the fastest packets are too small by up to
	// a unit, on both sides, and among many some nearly are. That acts like a shorter way,
	// which only units that differ shift; clocks in step, whose differences are all whole
	// units, may still hide half of one.
	const double shift_ns = (view->unit_ns[1] - view->unit_ns[0]) / 2;
	const double half_ns[2] = {-shift_ns, shift_ns};
	struct two_way_range all, range;
	struct gap_fit fit;

	view->gap.wire_bytes = 0;
	gap_fit(&view->gap, whole);
	if (whole->gap_ns < -view->unit_ns[0] - view->unit_ns[1])
		return false;
	all = range = two_way_range_of(view, whole, 0, view->unit_ns);
	set_line(view, whole, line);
	view->gap.wire_bytes = choose_size(view);
	if (view->gap.wire_bytes) {
		gap_fit(&view->gap, &fit);
		range = two_way_range_of(view, &fit, least_of(view, &fit) / 2, half_ns);
		if (narrow(&range, &all))
			set_line(view, &fit, line);
		else
			range = all;
	}
	line->at_begin_ns = range.lo[0] + (range.hi[0] - range.lo[0]) / 2;
	line->at_end_ns = range.lo[1] + (range.hi[1] - range.lo[1]) / 2;
	line->error_ns = half(&range);
	line->bound_ns = half(&all);
	return true;
}

// ---- one line or several

struct two_way_fitting {
	struct two_way view;
	struct two_way_line *lines;
	size_t count;
	double wide[TWO_WAY_LINES_MAX]; // by line: what its bound becomes at least
	bool broken;			// no line lies between the packets of some part
	bool one_way; // a part between two steps has packets in one direction only
};

static bool has_both(const struct two_way_sample *samples, size_t count)
{
	uint64_t packets[2] = {0, 0};

	for (size_t i = 0; i < count; i++)
		packets[samples[i].forward]++;
	return packets[0] && packets[1];
}

// A part of the samples, and the time for which its line must hold.
struct two_way_part {
	const struct two_way_sample *samples;
	size_t count;
	int64_t begin_ns, end_ns;
};

static void two_way_look_at(struct two_way *view, const struct two_way_part *part)
{
	view->gap.samples = part->samples;
	view->gap.count = part->count;
	view->begin_ns = part->begin_ns;
	view->end_ns = part->end_ns;
}

// The least gap that the clocks of a part must leave if they keep to a line, with room for what was
// allowed; -INFINITY if it says nothing.
static double least_gap(struct two_way *view, const struct two_way_part *part)
{
	struct gap_fit fit;

	two_way_look_at(view, part);
	view->gap.wire_bytes = 0;
	gap_fit(&view->gap, &fit);
	return fit.claimed ? least_of(view, &fit) - fit.waited_ns - SPLIT_SHARE * fit.gap_ns
			   : -INFINITY;
}

// The halves of a part by time; false if one has packets in one direction only.
static bool two_way_split(const struct two_way_part *part, struct two_way_part halves[2])
{
	const int64_t middle_ns = part->begin_ns + (part->end_ns - part->begin_ns) / 2;
	size_t first = 0;

	while (first < part->count && part->samples[first].at_ns < middle_ns)
		first++;
	if (!has_both(part->samples, first) ||
	    !has_both(part->samples + first, part->count - first))
		return false;
	halves[0] = (struct two_way_part){part->samples, first, part->begin_ns,
					  part->samples[first - 1].at_ns};
	halves[1] = (struct two_way_part){part->samples + first, part->count - first,
					  part->samples[first].at_ns, part->end_ns};
	return halves[0].begin_ns < halves[0].end_ns && halves[1].begin_ns < halves[1].end_ns;
}

static void fit_part(struct two_way_fitting *fitting, const struct two_way_part *part, int depth)
{
	struct two_way *view = &fitting->view;
	struct two_way_line line;
	struct two_way_part halves[2];
	struct gap_fit whole;
	bool fits;

	two_way_look_at(view, part);
	fits = fit_line(view, &whole, &line);
	if (depth < DEPTH_MAX && two_way_split(part, halves) &&
	    (!fits ||
	     fmax(least_gap(view, &halves[0]), least_gap(view, &halves[1])) > whole.gap_ns)) {
		fit_part(fitting, &halves[0], depth + 1);
		fit_part(fitting, &halves[1], depth + 1);
		return;
	}
	fitting->broken |= !fits;
	if (fits)
		fitting->lines[fitting->count++] = line;
}

// A part between two steps of a clock has a line of its own from the one to the other.
static void fit_cut(struct two_way_fitting *fitting, const struct two_way_part *part)
{
	if (part->count && has_both(part->samples, part->count))
		fit_part(fitting, part, 0);
	else
		fitting->one_way = true;
}

static void fit_parts(struct two_way_fitting *fitting, const struct two_way_part *whole,
		      const struct two_way_options *options)
{
	struct two_way_part part = *whole;

	for (size_t i = 0; i < options->cut_count; i++) {
		struct two_way_part rest = part;

		while (rest.count && rest.samples->at_ns < options->cuts_ns[i]) {
			rest.samples++;
			rest.count--;
		}
		if (rest.count == part.count)
			continue;
		part.count -= rest.count;
		part.end_ns = rest.begin_ns = options->cuts_ns[i];
		fit_cut(fitting, &part);
		part = rest;
	}
	fit_cut(fitting, &part);
}

static int by_time(const void *a, const void *b)
{
	const struct two_way_sample *x = a, *y = b;

	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

static bool two_way_in_order(const struct two_way_sample *samples, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (samples[i - 1].at_ns > samples[i].at_ns)
			return false;
	return true;
}

static double two_way_slope_of(const struct two_way_line *line)
{
	return (line->at_end_ns - line->at_begin_ns) / (double)(line->to_ns - line->from_ns);
}

// Puts a line between each two, so that there is no step, and has each hold up to the next.
static void join_lines(struct two_way_fitting *fitting)
{
	struct two_way_line *lines = fitting->lines;
	const size_t count = fitting->count;

	if (!count)
		return;
	fitting->count = 2 * count - 1;
	for (size_t i = count; i-- > 0;) {
		lines[2 * i] = lines[i];
		if (i + 1 == count)
			continue;
		lines[2 * i + 1] = lines[2 * i].error_ns > lines[2 * i + 2].error_ns
					   ? lines[2 * i]
					   : lines[2 * i + 2];
		lines[2 * i + 1].from_ns = lines[2 * i].to_ns;
		lines[2 * i + 1].to_ns = lines[2 * i + 2].from_ns;
		lines[2 * i + 1].at_begin_ns = lines[2 * i].at_end_ns;
		lines[2 * i + 1].at_end_ns = lines[2 * i + 2].at_begin_ns;
		if (lines[2 * i + 1].from_ns ==
		    lines[2 * i + 1].to_ns) { // at a step, which was taken out about
			const double rise_ns = fabs(lines[2 * i + 1].at_end_ns -
						    lines[2 * i + 1].at_begin_ns);

			lines[2 * i + 1].error_ns += rise_ns;
			lines[2 * i + 1].bound_ns += rise_ns;
		}
	}
	for (size_t i = 0; i < fitting->count; i++) {
		lines[i].begin_ns = i ? lines[i].from_ns : INT64_MIN;
		lines[i].end_ns = i + 1 < fitting->count ? lines[i].to_ns : INT64_MAX;
	}
}

// How far a line is from its neighbour's, extended over it, at most; 0 if that is within the bounds
// of the two, or a known step is between.
static double leaves(const struct two_way_line *line, const struct two_way_line *neighbour,
		     bool later)
{
	const int64_t far_ns = later ? line->from_ns : line->to_ns;
	const double extended_ns = neighbour->at_begin_ns +
				   two_way_slope_of(neighbour) *
					   (double)(far_ns - neighbour->from_ns);
	const double apart_ns = fabs(extended_ns - (later ? line->at_begin_ns : line->at_end_ns));

	return apart_ns > line->bound_ns + neighbour->bound_ns ? apart_ns + neighbour->bound_ns : 0;
}

// A step that is too small for its packets to show it still leaves a piece that its neighbours,
// extended, do not meet. The clock may have kept to one of these up to the step, so the piece is
// known no better.
static void widen_lines(struct two_way_fitting *fitting)
{
	struct two_way_line *lines = fitting->lines;

	for (size_t i = 0; i < fitting->count; i++) {
		const size_t before = i % 2 ? i - 1 : i - 2,
			     after = i % 2 ? i + 1 : i + 2; // the pieces beside it
		double wide_ns = 0;

		if (lines[i].from_ns == lines[i].to_ns)
			continue;
		if (i > 0 && (i % 2 || lines[i - 1].from_ns < lines[i - 1].to_ns))
			wide_ns = leaves(&lines[i], &lines[before], false);
		if (i + 1 < fitting->count && (i % 2 || lines[i + 1].from_ns < lines[i + 1].to_ns))
			wide_ns = fmax(wide_ns, leaves(&lines[i], &lines[after], true));
		fitting->wide[i] = wide_ns;
	}
	for (size_t i = 0; i < fitting->count; i++) {
		lines[i].error_ns = fmax(lines[i].error_ns, fitting->wide[i]);
		lines[i].bound_ns = fmax(lines[i].bound_ns, fitting->wide[i]);
	}
}

static bool two_way_reserve(struct two_way *view, size_t count)
{
	view->gap.hull[0] = calloc(count, sizeof(*view->gap.hull[0]));
	view->gap.hull[1] = calloc(count, sizeof(*view->gap.hull[1]));
	view->sizes = calloc(SIZES_MAX, sizeof(*view->sizes));
	return view->gap.hull[0] && view->gap.hull[1] && view->sizes;
}

static struct two_way_part whole_of(const struct two_way_sample *samples, size_t count,
				    const struct two_way_options *options)
{
	struct two_way_part whole = {samples, count, samples[0].at_ns,
				     samples[count - 1].at_ns + 1};

	if (options->begin_ns < whole.begin_ns)
		whole.begin_ns = options->begin_ns;
	if (options->end_ns > whole.end_ns)
		whole.end_ns = options->end_ns;
	return whole;
}

enum tr_status two_way_fit(struct two_way_sample *samples, size_t sample_count,
			   const struct two_way_options *options, struct two_way_line *lines,
			   size_t *count, struct tr_error *err)
{
	struct two_way_fitting fitting = {.lines = lines};
	struct two_way *view = &fitting.view;
	struct two_way_part whole;

	*count = 0;
	if (!has_both(samples, sample_count))
		return tr_fail(err, "packets in both directions are needed, to tell an offset of "
				    "clocks from a delay");
	if (!two_way_reserve(view, sample_count)) {
		(void)tr_no_memory(err, "the packets of two points");
	} else {
		if (!two_way_in_order(samples, sample_count)) // else qsort would keep it
			qsort(samples, sample_count, sizeof(*samples), by_time);
		view->gap.origin_ns = samples[0].at_ns;
		view->gap.base_ns = samples[0].apart_ns;
		view->unit_ns[0] = (double)options->first_unit_ns;
		view->unit_ns[1] = (double)options->second_unit_ns;
		whole = whole_of(samples, sample_count, options);
		fit_parts(&fitting, &whole, options);
		join_lines(&fitting);
		widen_lines(&fitting);
		*count = fitting.broken || fitting.one_way ? 0 : fitting.count;
		if (fitting.one_way)
			(void)tr_fail(err, "packets in both directions are needed, but there are "
					   "none between two steps of a clock or after the last");
		else if (!*count)
			(void)tr_fail(err,
				      "their clocks do not follow lines whose rates differ by less "
				      "than %g ppm",
				      GAP_DRIFT_MAX * 1e6);
	}
	free(view->gap.hull[0]);
	free(view->gap.hull[1]);
	free(view->sizes);
	return *count ? TR_OK : TR_ERROR;
}

// ---- using lines

const struct two_way_line *two_way_at(const struct two_way_line *lines, size_t count,
				      int64_t first_ns)
{
	size_t lo = 0, hi = count - 1;

	while (lo < hi) {
		const size_t middle = lo + (hi - lo) / 2;

		if (first_ns < lines[middle].end_ns)
			hi = middle;
		else
			lo = middle + 1;
	}
	return &lines[lo];
}

int64_t two_way_to_second(const struct two_way_line *line, int64_t first_ns)
{
	return first_ns + line->base_ns +
	       llround(line->at_begin_ns +
		       two_way_slope_of(line) * (double)(first_ns - line->from_ns));
}

// With f the first clock since from_ns: second = from_ns + f + base + at_begin + slope f.
static int64_t to_first(const struct two_way_line *line, int64_t second_ns)
{
	const double slope = two_way_slope_of(line);
	const int64_t since_ns = second_ns - line->base_ns - line->from_ns;

	return second_ns - line->base_ns -
	       llround((line->at_begin_ns + slope * (double)since_ns) / (1 + slope));
}

int64_t two_way_to_first(const struct two_way_line *lines, size_t count, int64_t second_ns)
{
	const struct two_way_line *about = two_way_at(lines, count, second_ns - lines[0].base_ns);
	const int64_t about_ns = to_first(about, second_ns);
	const struct two_way_line *line = two_way_at(lines, count, about_ns);

	return line == about ? about_ns : to_first(line, second_ns);
}

double two_way_drift_ppm(const struct two_way_line *line)
{
	return two_way_slope_of(line) * 1e6;
}
