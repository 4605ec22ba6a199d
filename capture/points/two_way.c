// SPDX-License-Identifier: GPL-3.0-or-later
// How the limit of what even the fastest packets waited is found. The samples of a direction, less the line, are cut into pieces
// of time; the least of each piece are about independent. Near the least possible value e the number of values below e + x grows
// as x^SHAPE if so many independent queues must be nearly empty at once, and the SHAPE-th powers of the distances are then
// uniform. The smallest of n, less e, is a share u of the RANK-th smallest less e, where u^SHAPE exceeds 1 - a^(1 / (RANK - 1))
// with probability a (Robson, Whitlock: Estimation of a truncation point, Biometrika 51, 1964, for RANK 2 and SHAPE 1: there
// the distance is below (1 - a) / a times that of the two smallest). If a share of the packets finds all queues empty, the
// smallest values are equal and the limit is 0, as it should be. SHAPE is a choice, checked by tests/property/points_test.c.
#include "points/two_way.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRIFT_MAX 1e-3	// of two clocks; quartz is within 1e-4
#define PIECES_MAX 64u
#define PIECE_PACKETS 8u // at least, of each direction
#define RANK 10u
#define RANK_LEAST 4u // with fewer pieces nothing is claimed but the bound
#define SHAPE 2.0
#define LEVEL 0.0125	   // of each direction: the two and what the halves decide make less than 0.05
#define ONE_SIZE_PACKETS 64u // of a size, of each direction, to use it alone
#define SIZES_MAX 16384u     // larger frames are not counted by size
#define DEPTH_MAX 8	   // halves of halves: TWO_WAY_LINES_MAX

struct point {
	double x, y; // ns
};

// The samples of a range of time, and the hulls of those of one size: lower of the forward ones, upper of the others.
struct view {
	const struct two_way_sample *samples;
	size_t count;
	int64_t origin_ns, base_ns;
	uint32_t wire_bytes; // 0: any
	struct point *hull[2];
	size_t hull_count[2];
	uint64_t packets[2];
	uint32_t (*sizes)[2]; // SIZES_MAX: packets by size, back and forward
	double unit_ns[2];    // by which differences may be too large (back), and too small (forward)
};

// Lines of slope b leave a gap.
struct fit {
	double slope;	  // that leaves the widest
	double gap_ns;	  // which is this
	double waited_ns; // limit of what the fastest packets waited
	bool claimed;	  // waited_ns is known
};

static bool is_used(const struct view *view, const struct two_way_sample *sample)
{
	return !view->wire_bytes || sample->wire_bytes == view->wire_bytes;
}

static struct point point_of(const struct view *view, const struct two_way_sample *sample)
{
	return (struct point){(double)(sample->at_ns - view->origin_ns), (double)(sample->apart_ns - view->base_ns)};
}

// ---- hulls: Andrew's monotone chain (Another efficient algorithm for convex hulls in two dimensions, IPL 9, 1979)

static double turn(struct point a, struct point b, struct point c)
{
	return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Adds a point, whose x is not below that of the last; sign 1 for a lower hull, -1 for an upper one.
static void hull_add(struct point *hull, size_t *count, struct point point, double sign)
{
	if (*count && hull[*count - 1].x == point.x) {
		if (sign * (hull[*count - 1].y - point.y) <= 0)
			return;
		--*count;
	}
	while (*count > 1 && sign * turn(hull[*count - 2], hull[*count - 1], point) <= 0)
		--*count;
	hull[(*count)++] = point;
}

static void make_hulls(struct view *view)
{
	for (int forward = 0; forward < 2; forward++)
		view->hull_count[forward] = view->packets[forward] = 0;
	for (size_t i = 0; i < view->count; i++) {
		const unsigned forward = view->samples[i].forward;

		if (!is_used(view, &view->samples[i]))
			continue;
		view->packets[forward]++;
		hull_add(view->hull[forward], &view->hull_count[forward], point_of(view, &view->samples[i]), forward ? 1 : -1);
	}
}

// The least y - slope (x - at) of the forward packets, or the largest of the others; *x is where.
static double support(const struct view *view, int forward, double slope, double at, double *x)
{
	const struct point *hull = view->hull[forward];
	const double sign = forward ? 1 : -1;
	double best = INFINITY;

	for (size_t i = 0; i < view->hull_count[forward]; i++) {
		const double value = sign * (hull[i].y - slope * (hull[i].x - at));

		if (value >= best)
			continue;
		best = value;
		*x = hull[i].x;
	}
	return sign * best;
}

static double gap_at(const struct view *view, double slope, double *rise)
{
	double above = 0, below = 0;
	const double gap = support(view, 1, slope, 0, &above) - support(view, 0, slope, 0, &below);

	*rise = below - above;
	return gap;
}

// The last slope from one at which a condition holds towards another.
static double bisect(const struct view *view, double from, double towards,
		     bool (*is)(const struct view *view, double slope, double limit), double limit)
{
	if (is(view, towards, limit))
		return towards;
	for (int i = 0; i < 100; i++) {
		const double middle = from + (towards - from) / 2;

		if (middle == from || middle == towards)
			break;
		if (is(view, middle, limit))
			from = middle;
		else
			towards = middle;
	}
	return from;
}

static bool is_rising(const struct view *view, double slope, double limit)
{
	double rise;

	(void)limit;
	(void)gap_at(view, slope, &rise);
	return rise > 0;
}

static bool is_not_falling(const struct view *view, double slope, double limit)
{
	double rise;

	(void)limit;
	(void)gap_at(view, slope, &rise);
	return rise >= 0;
}

static bool is_as_wide(const struct view *view, double slope, double limit)
{
	double rise;

	return gap_at(view, slope, &rise) >= limit;
}

// The gap is concave in the slope: its widest is where it stops to rise, the middle of it if that is a range.
static void find_slope(const struct view *view, struct fit *fit)
{
	const double first = bisect(view, -DRIFT_MAX, DRIFT_MAX, is_rising, 0);
	const double last = bisect(view, first, DRIFT_MAX, is_not_falling, 0);
	double rise;

	fit->slope = first + (last - first) / 2;
	fit->gap_ns = gap_at(view, fit->slope, &rise);
}

// ---- what the fastest packets waited

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

// The limit for a direction; false if there are too few packets.
static bool limit_waits(const struct view *view, unsigned forward, double slope, double *waited_ns)
{
	double least[PIECES_MAX], share;
	size_t pieces = view->packets[forward] / PIECE_PACKETS, rank, piece, seen = 0;

	pieces = pieces > PIECES_MAX ? PIECES_MAX : pieces;
	rank = pieces < RANK ? pieces : RANK;
	if (rank < RANK_LEAST)
		return false;
	for (piece = 0; piece < pieces; piece++)
		least[piece] = INFINITY;
	for (size_t i = 0; i < view->count; i++) {
		const struct point point = point_of(view, &view->samples[i]);
		const double value = (forward ? 1 : -1) * (point.y - slope * point.x);

		if (view->samples[i].forward != forward || !is_used(view, &view->samples[i]))
			continue;
		piece = seen++ * pieces / view->packets[forward];
		if (value < least[piece])
			least[piece] = value;
	}
	qsort(least, pieces, sizeof(*least), compare);
	share = pow(1 - pow(LEVEL, 1.0 / (double)(rank - 1)), 1 / SHAPE);
	*waited_ns = (least[rank - 1] - least[0]) * share / (1 - share);
	return true;
}

static void fit_view(struct view *view, struct fit *fit)
{
	double waited_ns[2];

	make_hulls(view);
	find_slope(view, fit);
	fit->claimed = limit_waits(view, 0, fit->slope, &waited_ns[0]) && limit_waits(view, 1, fit->slope, &waited_ns[1]);
	fit->waited_ns = fit->claimed ? waited_ns[0] + waited_ns[1] : 0;
}

// ---- from a fit to a line

// Where a line may be at the begin and the end of the packets.
struct range {
	double lo[2], hi[2];
};

static double time_of(const struct view *view, unsigned end)
{
	return (double)(view->samples[end ? view->count - 1 : 0].at_ns - view->origin_ns);
}

// The range of all lines that leave a gap of 2 least_ns. The highest at the end is the steepest, at the begin the flattest.
static struct range range_of(const struct view *view, const struct fit *fit, double least_ns)
{
	const double limit = 2 * least_ns - view->unit_ns[0] - view->unit_ns[1];
	const double flattest = bisect(view, fit->slope, -DRIFT_MAX, is_as_wide, limit);
	const double steepest = bisect(view, fit->slope, DRIFT_MAX, is_as_wide, limit);
	struct range range;

	for (unsigned end = 0; end < 2; end++) {
		const double at = time_of(view, end);
		double x;

		range.hi[end] = support(view, 1, end ? steepest : flattest, at, &x) - least_ns + view->unit_ns[1];
		range.lo[end] = support(view, 0, end ? flattest : steepest, at, &x) + least_ns - view->unit_ns[0];
	}
	return range;
}

// What both allow; false if that is nothing.
static bool narrow(struct range *range, const struct range *other)
{
	for (unsigned end = 0; end < 2; end++) {
		range->lo[end] = fmax(range->lo[end], other->lo[end]);
		range->hi[end] = fmin(range->hi[end], other->hi[end]);
	}
	return range->lo[0] <= range->hi[0] && range->lo[1] <= range->hi[1];
}

static double half(const struct range *range)
{
	return fmax(range->hi[0] - range->lo[0], range->hi[1] - range->lo[1]) / 2;
}

// The size of which most packets went in the direction that has fewer; 0: no size has enough.
static uint32_t choose_size(const struct view *view)
{
	uint32_t best = 0, most = ONE_SIZE_PACKETS - 1;

	memset(view->sizes, 0, SIZES_MAX * sizeof(*view->sizes));
	for (size_t i = 0; i < view->count; i++)
		if (view->samples[i].wire_bytes < SIZES_MAX)
			view->sizes[view->samples[i].wire_bytes][view->samples[i].forward]++;
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

// The least a delay there and back can be.
static double least_of(const struct view *view, const struct fit *fit)
{
	return fit->claimed ? fmax(0, fit->gap_ns - fit->waited_ns - view->unit_ns[0] - view->unit_ns[1]) : 0;
}

static void set_line(const struct view *view, const struct fit *fit, struct two_way_line *line)
{
	*line = (struct two_way_line){
		.from_ns = view->samples[0].at_ns,
		.to_ns = view->samples[view->count - 1].at_ns,
		.base_ns = view->base_ns,
		.gap_ns = fit->gap_ns,
		.waited_ns = fit->waited_ns,
		.packets = {view->packets[0], view->packets[1]},
		.wire_bytes = view->wire_bytes,
	};
	if (line->to_ns == line->from_ns)
		line->to_ns++;
}

// Fits the samples of the view; *whole is of all sizes. false: no line lies between them.
static bool fit_line(struct view *view, struct fit *whole, struct two_way_line *line)
{
	struct range all, range;
	struct fit fit;

	view->wire_bytes = 0;
	fit_view(view, whole);
	if (whole->gap_ns < -view->unit_ns[0] - view->unit_ns[1])
		return false;
	all = range = range_of(view, whole, 0);
	set_line(view, whole, line);
	view->wire_bytes = choose_size(view);
	if (view->wire_bytes) {
		fit_view(view, &fit);
		range = range_of(view, &fit, least_of(view, &fit) / 2);
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

struct fitting {
	struct view view;
	struct two_way_line *lines;
	size_t count;
	bool broken; // no line lies between the packets of some part
};

static bool has_both(const struct two_way_sample *samples, size_t count)
{
	uint64_t packets[2] = {0, 0};

	for (size_t i = 0; i < count; i++)
		packets[samples[i].forward]++;
	return packets[0] && packets[1];
}

// The least gap that the clocks of a part must leave if they keep to a line; -INFINITY if it says nothing.
static double least_gap(struct fitting *fitting, const struct two_way_sample *samples, size_t count)
{
	struct view *view = &fitting->view;
	struct fit fit;

	if (!has_both(samples, count))
		return -INFINITY;
	view->samples = samples;
	view->count = count;
	view->wire_bytes = 0;
	fit_view(view, &fit);
	return fit.claimed ? least_of(view, &fit) : -INFINITY;
}

static void fit_part(struct fitting *fitting, const struct two_way_sample *samples, size_t count, int depth)
{
	const int64_t middle_ns = samples[0].at_ns + (samples[count - 1].at_ns - samples[0].at_ns) / 2;
	struct view *view = &fitting->view;
	struct two_way_line line;
	struct fit whole;
	size_t first = 0;
	bool fits;

	while (samples[first].at_ns < middle_ns)
		first++;
	view->samples = samples;
	view->count = count;
	fits = fit_line(view, &whole, &line);
	if (depth < DEPTH_MAX && has_both(samples, first) && has_both(samples + first, count - first) &&
	    (!fits || fmax(least_gap(fitting, samples, first), least_gap(fitting, samples + first, count - first)) >
			      whole.gap_ns + view->unit_ns[0] + view->unit_ns[1])) {
		fit_part(fitting, samples, first, depth + 1);
		fit_part(fitting, samples + first, count - first, depth + 1);
		return;
	}
	fitting->broken |= !fits;
	if (fits)
		fitting->lines[fitting->count++] = line;
}

static int by_time(const void *a, const void *b)
{
	const struct two_way_sample *x = a, *y = b;

	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

// Where one line ends and the next begins: between their packets.
static void join_lines(struct fitting *fitting)
{
	struct two_way_line *lines = fitting->lines;

	for (size_t i = 0; i < fitting->count; i++) {
		lines[i].begin_ns = i ? lines[i - 1].end_ns : INT64_MIN;
		lines[i].end_ns = i + 1 < fitting->count ? lines[i + 1].from_ns : INT64_MAX;
	}
}

static bool reserve(struct view *view, size_t count)
{
	view->hull[0] = calloc(count, sizeof(*view->hull[0]));
	view->hull[1] = calloc(count, sizeof(*view->hull[1]));
	view->sizes = calloc(SIZES_MAX, sizeof(*view->sizes));
	return view->hull[0] && view->hull[1] && view->sizes;
}

enum tr_status two_way_fit(struct two_way_sample *samples, size_t sample_count, const struct two_way_options *options,
			   struct two_way_line *lines, size_t *count, struct tr_error *err)
{
	struct fitting fitting = {.lines = lines};
	struct view *view = &fitting.view;

	*count = 0;
	if (!has_both(samples, sample_count))
		return tr_fail(err, "%zu packets were seen by both, none of them %s", sample_count,
			       sample_count && samples[0].forward ? "on the way back" : "on the way there");
	if (!reserve(view, sample_count)) {
		(void)tr_no_memory(err, "the packets of two points");
	} else {
		qsort(samples, sample_count, sizeof(*samples), by_time);
		view->origin_ns = samples[0].at_ns;
		view->base_ns = samples[0].apart_ns;
		view->unit_ns[0] = (double)options->first_unit_ns;
		view->unit_ns[1] = (double)options->second_unit_ns;
		fit_part(&fitting, samples, sample_count, 0);
		join_lines(&fitting);
		*count = fitting.broken ? 0 : fitting.count;
		if (!*count)
			(void)tr_fail(err, "their clocks do not keep to lines that differ by less than %g ppm", DRIFT_MAX * 1e6);
	}
	free(view->hull[0]);
	free(view->hull[1]);
	free(view->sizes);
	return *count ? TR_OK : TR_ERROR;
}

// ---- using lines

const struct two_way_line *two_way_at(const struct two_way_line *lines, size_t count, int64_t first_ns)
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

static double slope_of(const struct two_way_line *line)
{
	return (line->at_end_ns - line->at_begin_ns) / (double)(line->to_ns - line->from_ns);
}

int64_t two_way_to_second(const struct two_way_line *line, int64_t first_ns)
{
	return first_ns + line->base_ns + llround(line->at_begin_ns + slope_of(line) * (double)(first_ns - line->from_ns));
}

// With f the first clock since from_ns: second = from_ns + f + base + at_begin + slope f.
int64_t two_way_to_first(const struct two_way_line *lines, size_t count, int64_t second_ns)
{
	const struct two_way_line *line = two_way_at(lines, count, second_ns - lines[0].base_ns);
	const double slope = slope_of(line);
	const int64_t since_ns = second_ns - line->base_ns - line->from_ns;

	return second_ns - line->base_ns - llround((line->at_begin_ns + slope * (double)since_ns) / (1 + slope));
}

double two_way_drift_ppm(const struct two_way_line *line)
{
	return slope_of(line) * 1e6;
}
