// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/clocks.h"

#include <math.h>
#include <stdlib.h>

#include "points/two_way.h"

#define SMALL_STEP_NS 2e6 // within what packets may wait

// What a point's sightings say of it.
struct point {
	int64_t first_ns, last_ns;
	int64_t begin_ns, end_ns; // stamps of the first and the last frame
	int64_t unit_ns;	  // of its stamps: a power of ten
	bool seen;
	bool next_file, overlap; // of its files
	uint32_t via;		 // towards the first point; itself there
	size_t link;		 // to it
	double error_ns;	 // of the way to the first point
	double bound_ns;
	bool claimed, reached;
};

// Two points whose clocks were compared.
struct link {
	uint32_t first, second;
	struct two_way_line *lines;
	size_t line_count;
	double error_ns, bound_ns;
	bool claimed;
};

struct pt_clocks {
	struct pt_sample sample;
	uint32_t point_count, node_count;
	struct point *points;
	struct pt_places places;
	struct pt_shared *shared;
	size_t shared_count;
	struct pt_steps steps;
	struct link *links;
	size_t link_count;
	bool failed; // out of memory
};

struct pt_clocks *pt_clocks_new(size_t points, size_t samples_max)
{
	struct pt_clocks *clocks = calloc(1, sizeof(*clocks));

	if (!clocks)
		return NULL;
	clocks->sample.max = samples_max;
	clocks->point_count = (uint32_t)points;
	clocks->points = calloc(points, sizeof(*clocks->points));
	if (clocks->points)
		return clocks;
	free(clocks);
	return NULL;
}

// ---- sightings

static void note_point(struct point *point, int64_t time_ns)
{
	if (!point->seen)
		*point = (struct point){.first_ns = time_ns,
					.last_ns = time_ns,
					.begin_ns = time_ns,
					.unit_ns = 1000000000,
					.seen = true};
	point->overlap |= point->next_file && time_ns < point->last_ns;
	point->next_file = false;
	point->end_ns = time_ns;
	if (time_ns < point->first_ns)
		point->first_ns = time_ns;
	if (time_ns > point->last_ns)
		point->last_ns = time_ns;
	while (point->unit_ns > 1 && time_ns % point->unit_ns)
		point->unit_ns /= 10;
}

void pt_clocks_add(struct pt_clocks *clocks, const struct pt_sighting *sighting)
{
	note_point(&clocks->points[sighting->point], sighting->time_ns);
	if (sighting->src >= clocks->node_count && sighting->src < UINT32_MAX)
		clocks->node_count = sighting->src + 1;
	if (sighting->dst >= clocks->node_count && sighting->dst < UINT32_MAX)
		clocks->node_count = sighting->dst + 1;
	if (sighting->src != UINT32_MAX && sighting->dst != UINT32_MAX)
		clocks->failed |= !pt_sample_add(&clocks->sample, sighting);
}

void pt_clocks_next_file(struct pt_clocks *clocks, uint32_t point)
{
	clocks->points[point].next_file = true;
}

// With the clocks known, packets of one direction say where their ends are as well.
static void vote_one_way(struct pt_clocks *clocks, const struct link *link, size_t first,
			 size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct pt_shared *shared = &clocks->shared[i];
		const struct two_way_line *line = two_way_at(link->lines, link->line_count,
							     shared->at_ns);
		const int64_t delay_ns = shared->at_ns + shared->apart_ns -
					 two_way_to_second(line, shared->at_ns);

		if (fabs((double)delay_ns) > link->error_ns)
			pt_places_vote(&clocks->places, shared, delay_ns > 0);
	}
}

// ---- steps

// Where only packets on either side of a step, whose times do not add up, said where a node is,
// nothing does. The stamps are without steps. false if out of memory.
static bool forget_said_by_steps(struct pt_clocks *clocks, const int64_t *unit_ns)
{
	struct pt_places said;

	if (!clocks->steps.count)
		return true;
	if (!pt_places_open(&said, clocks->node_count, clocks->point_count)) {
		pt_places_clear(&said);
		return false;
	}
	pt_places_vote_two_way(&said, clocks->shared, clocks->shared_count, unit_ns,
			       &clocks->steps);
	pt_places_settle(&said);
	pt_places_forget_unsaid(&clocks->places, &said);
	pt_places_clear(&said);
	return true;
}

// Finds the steps of all points and takes them out of all stamps.
static enum tr_status find_steps(struct pt_clocks *clocks, const int64_t *unit_ns,
				 struct tr_error *err)
{
	bool left_out[PT_POINTS_MAX];
	const struct pt_steps_input input = {.shared = clocks->shared,
					     .count = clocks->shared_count,
					     .at = clocks->places.at,
					     .left_out = left_out,
					     .unit_ns = unit_ns,
					     .points = clocks->point_count};

	for (uint32_t i = 0; i < clocks->point_count; i++)
		left_out[i] = clocks->points[i].overlap;
	if (pt_steps_search(&clocks->steps, &input, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < clocks->steps.count; i++) {
		struct point *point = &clocks->points[clocks->steps.steps[i].point];

		point->first_ns = point->begin_ns;
		point->last_ns = point->end_ns - pt_steps_passed(&clocks->steps,
								 clocks->steps.steps[i].point,
								 UINT64_MAX, NULL)
							 .sum_ns;
	}
	return forget_said_by_steps(clocks, unit_ns)
		       ? TR_OK
		       : tr_no_memory(err, "the packets of the points");
}

// ---- links

// The packets of a pair between nodes at its two points. Returns their number.
static size_t take_samples(const struct pt_clocks *clocks, size_t first, size_t end,
			   struct two_way_sample *samples)
{
	const uint32_t p = clocks->shared[first].first, q = clocks->shared[first].second;
	size_t count = 0;

	for (size_t i = first; i < end; i++) {
		const struct pt_shared *shared = &clocks->shared[i];
		const uint32_t from = clocks->places.at[shared->src],
			       to = clocks->places.at[shared->dst];

		if (pt_steps_passed(&clocks->steps, p, shared->number[0], NULL).unsure ||
		    pt_steps_passed(&clocks->steps, q, shared->number[1], NULL).unsure)
			continue;
		if ((from == p && to == q) || (from == q && to == p))
			samples[count++] = (struct two_way_sample){shared->at_ns, shared->apart_ns,
								   shared->wire_bytes, from == p};
	}
	return count;
}

static void judge_link(struct link *link)
{
	link->claimed = true;
	for (size_t i = 0; i < link->line_count; i++) {
		link->error_ns = fmax(link->error_ns, link->lines[i].error_ns);
		link->bound_ns = fmax(link->bound_ns, link->lines[i].bound_ns);
		link->claimed &= link->lines[i].wire_bytes != 0;
	}
}

// Both points' captures by the clock of the first, about.
static struct two_way_options options_of(const struct pt_clocks *clocks,
					 const struct pt_shared *shared)
{
	const struct point *first = &clocks->points[shared->first],
			   *second = &clocks->points[shared->second];
	const int64_t begin_ns = second->first_ns - shared->apart_ns,
		      end_ns = second->last_ns - shared->apart_ns;

	return (struct two_way_options){
		.first_unit_ns = first->unit_ns,
		.second_unit_ns = second->unit_ns,
		.begin_ns = begin_ns < first->first_ns ? begin_ns : first->first_ns,
		.end_ns = end_ns > first->last_ns ? end_ns : first->last_ns};
}

// Compares two points; a pair without packets both ways is left out, and *why says so.
static enum tr_status compare_pair(struct pt_clocks *clocks, size_t first, size_t end,
				   const int64_t *unit_ns, struct tr_error *why)
{
	struct two_way_options options = options_of(clocks, &clocks->shared[first]);
	int64_t cuts_ns[PT_STEPS_MAX];
	struct two_way_sample *samples = calloc(end - first, sizeof(*samples));
	struct two_way_line *lines = calloc(TWO_WAY_LINES_MAX, sizeof(*lines));
	struct link *link = &clocks->links[clocks->link_count];
	enum tr_status status = TR_ERROR;

	options.cuts_ns = cuts_ns;
	options.cut_count = pt_steps_cuts(&clocks->steps, &clocks->shared[first], end - first,
					  cuts_ns);
	*link = (struct link){.first = clocks->shared[first].first,
			      .second = clocks->shared[first].second,
			      .lines = lines};
	if (!samples || !lines) {
		(void)tr_no_memory(why, "the packets of two points");
	} else {
		const size_t count = take_samples(clocks, first, end, samples);

		if (count || !pt_places_explain(&clocks->shared[first], end - first, unit_ns,
						&clocks->steps, why))
			status = two_way_fit(samples, count, &options, lines, &link->line_count,
					     why);
	}
	free(samples);
	if (status != TR_OK) {
		free(lines);
		return TR_ERROR;
	}
	lines = realloc(lines, link->line_count * sizeof(*lines));
	if (lines) // else they stay where they are
		link->lines = lines;
	judge_link(link);
	vote_one_way(clocks, link, first, end);
	clocks->link_count++;
	return TR_OK;
}

static enum tr_status compare_pairs(struct pt_clocks *clocks, const int64_t *unit_ns,
				    struct tr_error *why)
{
	size_t pairs = 0;

	for (size_t first = 0; first < clocks->shared_count;
	     first = pt_shared_end(clocks->shared, clocks->shared_count, first))
		pairs++;
	clocks->links = calloc(pairs + 1, sizeof(*clocks->links));
	if (!clocks->links)
		return tr_no_memory(why, "the pairs of points");
	for (size_t first = 0, end; first < clocks->shared_count; first = end) {
		end = pt_shared_end(clocks->shared, clocks->shared_count, first);
		if (compare_pair(clocks, first, end, unit_ns, why) != TR_OK && why->breakdown)
			return TR_ERROR;
	}
	pt_places_settle(&clocks->places);
	return TR_OK;
}

// ---- the way from each point to the first, with the least error: Dijkstra (A note on two problems
// in connexion with graphs, Numerische Mathematik 1, 1959)

// The point nearest to the first of those not reached yet; PT_NOWHERE if none has a way.
static uint32_t clocks_nearest(const struct pt_clocks *clocks)
{
	uint32_t best = PT_NOWHERE;

	for (uint32_t i = 0; i < clocks->point_count; i++)
		if (!clocks->points[i].reached && clocks->points[i].via != PT_NOWHERE &&
		    (best == PT_NOWHERE ||
		     clocks->points[i].error_ns < clocks->points[best].error_ns))
			best = i;
	return best;
}

static void clocks_reach(struct pt_clocks *clocks, uint32_t from)
{
	const struct point here = clocks->points[from];

	clocks->points[from].reached = true;
	for (size_t i = 0; i < clocks->link_count; i++) {
		const struct link *link = &clocks->links[i];
		const uint32_t to = link->first == from ? link->second : link->first;
		struct point *there = &clocks->points[to];

		if ((link->first != from && link->second != from) || there->reached ||
		    (there->via != PT_NOWHERE && there->error_ns <= here.error_ns + link->error_ns))
			continue;
		there->via = from;
		there->link = i;
		there->error_ns = here.error_ns + link->error_ns;
		there->bound_ns = here.bound_ns + link->bound_ns;
		there->claimed = here.claimed && link->claimed;
	}
}

static void find_ways(struct pt_clocks *clocks)
{
	uint32_t next;

	for (uint32_t i = 0; i < clocks->point_count; i++)
		clocks->points[i].via = PT_NOWHERE;
	clocks->points[0].via = 0;
	clocks->points[0].claimed = true;
	while ((next = clocks_nearest(clocks)) != PT_NOWHERE)
		clocks_reach(clocks, next);
}

static bool shares(const struct pt_clocks *clocks, uint32_t point)
{
	for (size_t i = 0; i < clocks->shared_count; i++)
		if (clocks->shared[i].first == point || clocks->shared[i].second == point)
			return true;
	return false;
}

static enum tr_status check_ways(const struct pt_clocks *clocks, const char *const *names,
				 const struct tr_error *why, struct tr_error *err)
{
	for (uint32_t i = 0; i < clocks->point_count; i++) {
		if (clocks->points[i].reached)
			continue;
		if (!clocks->points[i].seen)
			return tr_fail(err, "%s has no packet that could be decoded", names[i]);
		if (!shares(clocks, i))
			return tr_fail(err,
				       "%s has no packet in common with the other points: other "
				       "traffic or another time, addresses "
				       "translated on the way (NAT), or segments cut or joined by "
				       "an adapter (see flitcap(1))",
				       names[i]);
		return tr_fail(
			err, "the clock of %s cannot be compared with that of %s: %s", names[i],
			names[0],
			why->text[0] ? why->text
				     : "no node is at this point: only packets in transit pass it");
	}
	return TR_OK;
}

enum tr_status pt_clocks_settle(struct pt_clocks *clocks, const char *const *names,
				struct tr_error *err)
{
	int64_t unit_ns[PT_POINTS_MAX];
	struct tr_error why = {.text = ""};

	for (uint32_t i = 0; i < clocks->point_count; i++)
		unit_ns[i] = clocks->points[i].unit_ns;
	if (clocks->failed ||
	    !pt_sample_share(&clocks->sample, &clocks->shared, &clocks->shared_count) ||
	    !pt_places_open(&clocks->places, clocks->node_count, clocks->point_count))
		return tr_no_memory(err, "the packets of the points");
	pt_places_vote_two_way(&clocks->places, clocks->shared, clocks->shared_count, unit_ns,
			       NULL);
	pt_places_settle(&clocks->places);
	if (find_steps(clocks, unit_ns, err) != TR_OK)
		return TR_ERROR;
	if (compare_pairs(clocks, unit_ns, &why) != TR_OK)
		return tr_fail_for(err, &why, "%s", why.text);
	find_ways(clocks);
	if (check_ways(clocks, names, &why, err) != TR_OK)
		return TR_ERROR;
	free(clocks->shared);
	clocks->shared = NULL;
	return TR_OK;
}

// ---- once settled

uint32_t pt_clocks_point_of(const struct pt_clocks *clocks, uint32_t node)
{
	return node < clocks->node_count ? clocks->places.at[node] : PT_NOWHERE;
}

const struct pt_steps *pt_clocks_steps(const struct pt_clocks *clocks)
{
	return &clocks->steps;
}

int64_t pt_clocks_correct(const struct pt_clocks *clocks, uint32_t point, int64_t time_ns)
{
	while (clocks->points[point].via != point) {
		const struct link *link = &clocks->links[clocks->points[point].link];

		if (link->second == point)
			time_ns = two_way_to_first(link->lines, link->line_count, time_ns);
		else
			time_ns = two_way_to_second(
				two_way_at(link->lines, link->line_count, time_ns), time_ns);
		point = clocks->points[point].via;
	}
	return time_ns;
}

struct pt_clock pt_clocks_of(const struct pt_clocks *clocks, uint32_t point)
{
	const struct point *own = &clocks->points[point];
	const int64_t second_ns = own->first_ns + 1000000000;
	const int64_t offset_ns = own->first_ns - pt_clocks_correct(clocks, point, own->first_ns);
	struct pt_clock clock = {.offset_ns = offset_ns, .via = own->via, .claimed = own->claimed};

	clock.error_ns = own->error_ns;
	clock.bound_ns = own->bound_ns;
	clock.drift_ppm = (double)(second_ns - pt_clocks_correct(clocks, point, second_ns) -
				   offset_ns) *
			  1e-3;
	for (size_t i = 0; i < clocks->steps.count; i++)
		clock.steps += clocks->steps.steps[i].point == point;
	clock.lines = own->via == point ? 0 : (clocks->links[own->link].line_count + 1) / 2;
	return clock;
}

double pt_clocks_error(const struct pt_clocks *clocks, uint32_t a, uint32_t b)
{
	const struct point *of_a = &clocks->points[a], *of_b = &clocks->points[b];

	if (of_a->via == b || of_b->via == a)
		return fabs(of_a->error_ns - of_b->error_ns);
	return of_a->error_ns + of_b->error_ns;
}

double pt_clocks_unsure(const struct pt_clocks *clocks, uint32_t a, uint32_t b)
{
	double most_ns = 0;

	for (size_t i = 0; i < clocks->steps.count; i++) {
		const struct pt_step *step = &clocks->steps.steps[i];
		const double size_ns = fabs((double)step->ahead_ns);

		if ((step->point == a || step->point == b) && size_ns < SMALL_STEP_NS)
			most_ns = fmax(most_ns, size_ns);
	}
	return most_ns;
}

void pt_clocks_span(const struct pt_clocks *clocks, uint32_t point, int64_t *begin_ns,
		    int64_t *end_ns)
{
	*begin_ns = pt_clocks_correct(clocks, point, clocks->points[point].first_ns);
	*end_ns = pt_clocks_correct(clocks, point, clocks->points[point].last_ns);
}

void pt_clocks_free(struct pt_clocks *clocks)
{
	if (!clocks)
		return;
	for (size_t i = 0; i < clocks->link_count; i++)
		free(clocks->links[i].lines);
	free(clocks->links);
	free(clocks->shared);
	pt_places_clear(&clocks->places);
	pt_sample_clear(&clocks->sample);
	free(clocks->points);
	free(clocks);
}
