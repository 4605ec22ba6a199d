// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/step_place.h"

#include <math.h>
#include <stdlib.h>

#include "points/gap.h"
#include "points/steps.h"

#define PASSED_WEIGHT 8.0 // of what a packet is beyond a line that none can pass
#define LINE_REACH \
	8.0 // a line is through packets within so many times the time in which the step is
#define LINE_PACKETS 256u // and through so many, if there are

// ---- bounds

struct step_bounds step_bounds_any(void)
{
	return (struct step_bounds){-INFINITY, INFINITY};
}

void step_bounds_take(struct step_bounds *bounds, bool forward, double apart_ns, double drift_ns)
{
	if (forward)
		bounds->hi = fmin(bounds->hi, apart_ns + drift_ns);
	else
		bounds->lo = fmax(bounds->lo, apart_ns - drift_ns);
}

bool step_bounds_contradict(const struct step_bounds *bounds, double room_ns)
{
	return bounds->lo > bounds->hi + room_ns;
}

double step_time_between(const struct step_packet *a, const struct step_packet *b)
{
	const double first_ns = fabs((double)(b->at_ns - a->at_ns));
	const double second_ns = fabs((double)(b->at_ns - a->at_ns) +
				      (double)(b->apart_ns - a->apart_ns));

	return fmin(first_ns, second_ns);
}

// ---- what is sure

static int step_packet_order(const void *a, const void *b)
{
	const struct step_packet *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

void step_packets_sort(struct step_packets *packets)
{
	if (packets->count)
		qsort(packets->packets, packets->count, sizeof(*packets->packets),
		      step_packet_order);
	for (size_t i = 0; i < packets->count; i++)
		packets->packets[i].passed_ns = i ? packets->packets[i - 1].passed_ns +
								step_time_between(
									&packets->packets[i - 1],
									&packets->packets[i])
						  : 0;
}

static double apart_of(const struct step_packets *packets, size_t i)
{
	return (double)(packets->packets[i].apart_ns - packets->packets[0].apart_ns);
}

static void step_packets_bound(const struct step_packets *packets, struct step_bounds *bounds,
			       size_t i, double at_ns)
{
	step_bounds_take(bounds, packets->packets[i].forward, apart_of(packets, i),
			 PT_DRIFT_MAX * fabs(packets->packets[i].passed_ns - at_ns));
}

// The first packet that contradicts those from one on, or back if back; count if none does.
static size_t read_from(const struct step_packets *packets, size_t from, bool back)
{
	struct step_bounds bounds = step_bounds_any();

	for (size_t i = from; i < packets->count; i = back ? i - 1 : i + 1) {
		const size_t before = back ? i + 1 : i - 1;

		if (i != from) {
			const double drift_ns = PT_DRIFT_MAX *
						fabs(packets->packets[i].passed_ns -
						     packets->packets[before].passed_ns);

			bounds.lo -= drift_ns;
			bounds.hi += drift_ns;
		}
		step_packets_bound(packets, &bounds, i, packets->packets[i].passed_ns);
		if (step_bounds_contradict(&bounds, packets->room_ns))
			return i;
	}
	return packets->count;
}

// The end of the packets from one on that are before another step for sure.
static size_t end_alone(const struct step_packets *packets, size_t from)
{
	const size_t other = read_from(packets, from, false);
	size_t last;

	if (other == packets->count)
		return other;
	last = read_from(packets, other, true);
	return last == packets->count || last < from ? from + 1 : last + 1;
}

// Likewise back: the first of them.
static size_t begin_alone(const struct step_packets *packets, size_t from)
{
	const size_t other = read_from(packets, from, true);
	size_t first;

	if (other == packets->count)
		return 0;
	first = read_from(packets, other, false);
	return first > from ? from : first;
}

bool step_place_search(const struct step_packets *packets, struct step_place *place)
{
	place->next = read_from(packets, 0, false);
	if (place->next == packets->count)
		return false;
	place->last = read_from(packets, end_alone(packets, place->next) - 1, true);
	return place->last < place->next;
}

// ---- lines

// The packets from the one at the edge on, or back, that a line is through: *first <= i < *end.
static void reach_of(const struct step_packets *packets, const struct step_place *place, bool after,
		     size_t *first, size_t *end)
{
	const struct step_packet *all = packets->packets;
	const double reach_ns = LINE_REACH *
				(all[place->next].passed_ns - all[place->last].passed_ns);
	const size_t edge = after ? place->next : place->last;

	*first = after ? edge : place->begin;
	*end = after ? place->end : edge + 1;
	while (*end - *first > LINE_PACKETS &&
	       fabs(all[after ? *end - 1 : *first].passed_ns - all[edge].passed_ns) > reach_ns) {
		*first += !after;
		*end -= after;
	}
}

// A line through packets of both directions; through those of one it is level, and says nothing of
// the other.
static bool step_line_fit(const struct step_packets *packets, size_t first, size_t end, size_t edge,
			  struct step_line *line)
{
	const size_t count = end - first;
	struct two_way_sample *samples = calloc(count, sizeof(*samples));
	struct gap_view view = {.samples = samples, .count = count};
	size_t packets_of[2] = {0, 0};
	struct gap_fit fit;

	*line = (struct step_line){.bounds = step_bounds_any(),
				   .at_ns = packets->packets[edge].passed_ns};
	view.hull[0] = calloc(count, sizeof(*view.hull[0]));
	view.hull[1] = calloc(count, sizeof(*view.hull[1]));
	for (size_t i = 0; samples && i < count; i++) {
		const struct step_packet *packet = &packets->packets[first + i];

		samples[i] = (struct two_way_sample){
			llround(packet->passed_ns - line->at_ns),
			packet->apart_ns - packets->packets[0].apart_ns, 0, packet->forward};
		packets_of[packet->forward]++;
		step_packets_bound(packets, &line->bounds, first + i, line->at_ns);
	}
	if (samples && view.hull[0] && view.hull[1] && packets_of[0] && packets_of[1]) {
		gap_fit(&view, &fit);
		line->slope = fit.slope;
		line->bounds.lo = gap_touch(&view, 0, fit.slope, 0);
		line->bounds.hi = gap_touch(&view, 1, fit.slope, 0);
	}
	free(view.hull[0]);
	free(view.hull[1]);
	free(samples);
	return samples && view.hull[0] && view.hull[1];
}

static struct step_bounds line_at(const struct step_line *line, double at_ns)
{
	const double rise_ns = line->slope * (at_ns - line->at_ns);

	return (struct step_bounds){line->bounds.lo + rise_ns, line->bounds.hi + rise_ns};
}

// How the offset changed, from what both directions say, or one.
static double change_of(const struct step_bounds *before, const struct step_bounds *after)
{
	const bool lo = isfinite(before->lo) && isfinite(after->lo),
		   hi = isfinite(before->hi) && isfinite(after->hi);

	if (lo && hi)
		return (after->lo - before->lo + after->hi - before->hi) / 2;
	if (lo || hi)
		return hi ? after->hi - before->hi : after->lo - before->lo;
	return isfinite(after->lo) ? after->lo - before->hi : after->hi - before->lo; // at least
}

// Fills in what packets of one direction do not say, by the change.
static void step_lines_complete(struct step_line lines[2], double change_ns)
{
	for (unsigned i = 0; i < 2; i++) {
		struct step_bounds *own = &lines[i].bounds;
		const struct step_bounds *other = &lines[!i].bounds;
		const double by_ns = i ? change_ns : -change_ns;

		if (!isfinite(own->lo))
			own->lo = isfinite(other->lo) ? other->lo + by_ns : own->hi;
		if (!isfinite(own->hi))
			own->hi = isfinite(other->hi) ? other->hi + by_ns : own->lo;
	}
}

bool step_place_measure(const struct step_packets *packets, struct step_place *place)
{
	const struct step_packet *all = packets->packets;
	const double middle_ns = (all[place->last].passed_ns + all[place->next].passed_ns) / 2;
	struct step_bounds around[2];

	place->begin = begin_alone(packets, place->last);
	place->end = end_alone(packets, place->next);
	for (unsigned after = 0; after < 2; after++) {
		size_t first, end;

		reach_of(packets, place, after, &first, &end);
		if (!step_line_fit(packets, first, end, after ? place->next : place->last,
				   &place->lines[after]))
			return false;
		around[after] = line_at(&place->lines[after], middle_ns);
	}
	place->change_ns = change_of(&around[0], &around[1]);
	step_lines_complete(place->lines, place->change_ns);
	return true;
}

// ---- what is likely

// How far a packet is from a line, which none can pass.
static double far_from(const struct step_packets *packets, size_t i, const struct step_line *line)
{
	const struct step_bounds bounds = line_at(line, packets->packets[i].passed_ns);
	const double apart_ns = apart_of(packets, i);
	const double waited_ns = packets->packets[i].forward ? apart_ns - bounds.hi
							     : bounds.lo - apart_ns;

	return waited_ns > 0 ? waited_ns : -PASSED_WEIGHT * waited_ns;
}

// By how much a packet is further off than it need be, if it is before the step or after it.
static double worse_by(const struct step_packets *packets, size_t i,
		       const struct step_line lines[2], bool after)
{
	const double far_ns = far_from(packets, i, &lines[after]);

	return fmax(0, far_ns - far_from(packets, i, &lines[!after]));
}

double step_place_likely(const struct step_packets *packets, const struct step_place *place,
			 size_t *first, size_t *end)
{
	const double margin_ns = fabs(place->change_ns) / 2;
	double least_ns = INFINITY;

	*first = *end = 0;
	for (unsigned look = 0; look < 2; look++) {
		double cost_ns = 0;

		for (size_t i = place->last + 1; i <= place->next; i++)
			cost_ns += worse_by(packets, i, place->lines, true);
		for (size_t next = place->last + 1; next <= place->next; next++) {
			if (look == 0)
				least_ns = fmin(least_ns, cost_ns);
			else if (cost_ns <= least_ns + margin_ns) {
				*first = *first ? *first : next;
				*end = next + 1;
			}
			cost_ns += worse_by(packets, next, place->lines, false) -
				   worse_by(packets, next, place->lines, true);
		}
	}
	return least_ns;
}
