// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/crossing.h"

#include <stddef.h>

// A place in a chain of views: the run it stands in from character index on.
struct place {
	const struct run_view *view;
	uint32_t views; // this one and those behind it
	uint32_t item;
	uint32_t index;
	int64_t ticks;
	int64_t spacing;
	uint32_t left; // characters of the run from index on; 0: at the end
};

// Stands at the part of the item's run that the view shows; false where it shows none of it.
static bool enter_run(struct place *place)
{
	const struct run_view *view = place->view;
	const struct run *run = &view->items[place->item];
	uint32_t end = view->end;
	uint32_t skipped = 0;

	place->index = run->index + view->offset;
	if (place->item + 1 < view->count && run_ahead(end, run[1].index + view->offset) > 0)
		end = run[1].index + view->offset;
	if (run_ahead(view->start, place->index) > 0)
		skipped = view->start - place->index;
	place->index += skipped;
	if (run_ahead(end, place->index) <= 0) {
		place->index = end;
		return false;
	}
	place->ticks = run->first_ticks + view->shift_ticks +
		       (int64_t)skipped * run->spacing_ticks;
	place->spacing = run->spacing_ticks;
	place->left = end - place->index;
	return true;
}

// Stands at the item, or at the next one that shows something.
static void enter(struct place *place)
{
	uint32_t index = place->index;

	for (place->left = 0; place->views > 0; place->view++, place->views--, place->item = 0)
		for (; place->item < place->view->count; place->item++)
			if (enter_run(place))
				return;
	place->index = index;
}

// Stands at the first run that is shown, or at a later one: what is before it is before ticks. index
// is the number where none is.
static struct place stand(const struct run_view *view, uint32_t views, uint32_t index,
			  int64_t ticks)
{
	struct place place = {.view = view, .views = views, .index = index};
	uint32_t item = view->count;

	while (item > 1 && view->items[item - 1].first_ticks + view->shift_ticks > ticks)
		item--;
	if (item > 1) {
		place.item = item - 1;
		place.index = view->items[place.item].index + view->offset;
		if (run_ahead(place.index, view->end) > 0)
			place.index = view->end;
		if (run_ahead(view->start, place.index) > 0)
			place.index = view->start;
	}
	enter(&place);
	return place;
}

static int64_t last_ticks(const struct place *place)
{
	return place->ticks + (place->left - INT64_C(1)) * place->spacing;
}

// Steps over count characters, at most those of the run.
static void step(struct place *place, uint32_t count)
{
	uint32_t end = place->index + place->left;

	if (count < place->left) {
		place->index += count;
		place->ticks += count * place->spacing;
		place->left -= count;
		return;
	}
	place->item++;
	place->index = end;
	enter(place);
}

// Steps to the first character at ticks or later.
static void seek(struct place *place, int64_t ticks)
{
	while (place->left > 0 && place->ticks < ticks) {
		if (last_ticks(place) < ticks)
			step(place, place->left);
		else
			step(place, (uint32_t)((ticks - place->ticks + place->spacing - 1) /
					       place->spacing));
	}
}

// Least i >= 0 with i + offset >= 0 and i gain >= need; UINT32_MAX where there is none.
static uint32_t first_step(int64_t offset, int64_t need, int64_t gain)
{
	int64_t i = offset < 0 ? -offset : 0;

	if (need > 0 && gain == 0)
		return UINT32_MAX;
	if (need > i * gain)
		i = (need + gain - 1) / gain;
	return i < UINT32_MAX ? (uint32_t)i : UINT32_MAX;
}

static uint32_t fewer(int64_t a, uint32_t b)
{
	return a < b ? (uint32_t)a : b;
}

// How many arrivals of the run see takes of the present run only (all, where there are no more).
static uint32_t arrivals_in_window(const struct place *in, const struct place *out)
{
	if (out->left == 0)
		return in->left;
	return fewer((last_ticks(out) - in->ticks) / in->spacing + 1, in->left);
}

// The first arrival of the window that leaves level or more; UINT32_MAX where none does.
static uint32_t rise_in_window(const struct place *in, const struct place *out, uint32_t level)
{
	int64_t offset = (int64_t)run_ahead(in->index + 1, out->index) - level;

	if (offset >= 0)
		return 0;
	if (out->left == 0)
		return (uint32_t)-offset;
	if (in->spacing > out->spacing) // it only rises until the takes begin
		return in->ticks - offset * in->spacing <= out->ticks ? (uint32_t)-offset
								      : UINT32_MAX;
	return first_step(offset, in->ticks - out->ticks - offset * out->spacing,
			  out->spacing - in->spacing);
}

bool run_rise(const struct run_view *arrivals, const struct run_takes *takes, int64_t after_ticks,
	      uint32_t level, struct run_crossing *out)
{
	struct place in = stand(arrivals, 1, 0, after_ticks + 1);
	struct place gone = stand(takes->views, RUN_TAKES, takes->taken, after_ticks + 1);

	for (seek(&in, after_ticks + 1); in.left > 0;) {
		uint32_t window;
		uint32_t at;

		seek(&gone, in.ticks);
		window = arrivals_in_window(&in, &gone);
		at = rise_in_window(&in, &gone, level);
		if (at < window) {
			*out = (struct run_crossing){in.ticks + at * in.spacing, in.index + at};
			return true;
		}
		step(&in, window);
	}
	return false;
}

// How many takes of the run come before the last arrival of its run (all, where nothing comes).
static uint32_t takes_in_window(const struct place *in, const struct place *out)
{
	if (in->left == 0)
		return out->left;
	return fewer((last_ticks(in) - out->ticks) / out->spacing + 1, out->left);
}

static uint32_t fall_in_window(const struct place *in, const struct place *out, uint32_t level)
{
	int64_t offset = (int64_t)run_ahead(out->index + 1, in->index) + level;

	if (offset >= 0)
		return 0;
	if (in->left == 0)
		return (uint32_t)-offset;
	if (out->spacing > in->spacing) // it only falls until the arrivals begin
		return out->ticks - offset * out->spacing < in->ticks ? (uint32_t)-offset
								      : UINT32_MAX;
	return first_step(offset, out->ticks - in->ticks - offset * in->spacing + 1,
			  in->spacing - out->spacing);
}

bool run_fall(const struct run_view *arrivals, const struct run_takes *takes, int64_t from_ticks,
	      uint32_t level, struct run_crossing *out)
{
	struct place in = stand(arrivals, 1, arrivals->end, from_ticks);
	struct place gone = stand(takes->views, RUN_TAKES, takes->taken, from_ticks);

	for (seek(&gone, from_ticks); gone.left > 0;) {
		uint32_t window;
		uint32_t at;

		seek(&in, gone.ticks + 1);
		window = takes_in_window(&in, &gone);
		at = fall_in_window(&in, &gone, level);
		if (at < window) {
			*out = (struct run_crossing){gone.ticks + at * gone.spacing,
						     gone.index + at};
			return true;
		}
		step(&gone, window);
	}
	return false;
}

static int32_t occupancy(const struct place *in, struct place out, uint32_t at)
{
	seek(&out, in->ticks + at * in->spacing);
	return run_ahead(in->index + at + 1, out.index);
}

// The largest after one of the first count arrivals of the window: it rises until the takes begin,
// and from there on to one side only.
static int32_t peak_in_window(const struct place *in, const struct place *out, uint32_t count)
{
	int32_t last = occupancy(in, *out, count - 1);
	int32_t turn = 0;

	if (out->left > 0 && in->spacing > out->spacing)
		turn = run_ahead(in->index + 1, out->index) +
		       (int32_t)fewer((out->ticks - in->ticks) / in->spacing, count - 1);
	return last > turn ? last : turn;
}

uint32_t run_peak(const struct run_view *arrivals, const struct run_takes *takes,
		  int64_t from_ticks, int64_t before_ticks)
{
	struct place in = stand(arrivals, 1, 0, from_ticks);
	struct place gone = stand(takes->views, RUN_TAKES, takes->taken, from_ticks);
	int32_t peak = 0;

	for (seek(&in, from_ticks); in.left > 0 && in.ticks < before_ticks;) {
		uint32_t window;
		int32_t found;

		seek(&gone, in.ticks);
		window = fewer((before_ticks - 1 - in.ticks) / in.spacing + 1,
			       arrivals_in_window(&in, &gone));
		found = peak_in_window(&in, &gone, window);
		if (found > peak)
			peak = found;
		step(&in, window);
	}
	return (uint32_t)peak;
}

// Sum of before_ticks - start over the characters from place on that start before it.
static uint64_t time_since(struct place place, int64_t before_ticks)
{
	uint64_t sum = 0;

	while (place.left > 0 && place.ticks < before_ticks) {
		uint64_t since = (uint64_t)(before_ticks - place.ticks);
		uint64_t count = fewer((before_ticks - 1 - place.ticks) / place.spacing + 1,
				       place.left);

		sum += count * since - count * (count - 1) / 2 * (uint64_t)place.spacing;
		step(&place, (uint32_t)count);
	}
	return sum;
}

uint32_t run_occupancy(const struct run_view *arrivals, const struct run_takes *takes,
		       int64_t ticks)
{
	struct place in = stand(arrivals, 1, arrivals->end, ticks);
	struct place gone = stand(takes->views, RUN_TAKES, takes->taken, ticks);

	seek(&in, ticks);
	seek(&gone, ticks);
	return (uint32_t)run_ahead(in.index, gone.index);
}

uint64_t run_area(const struct run_view *arrivals, const struct run_takes *takes,
		  int64_t from_ticks, int64_t before_ticks)
{
	struct place in = stand(arrivals, 1, arrivals->end, from_ticks);
	struct place gone = stand(takes->views, RUN_TAKES, takes->taken, from_ticks);
	uint64_t held;

	seek(&in, from_ticks);
	seek(&gone, from_ticks);
	held = (uint64_t)run_ahead(in.index, gone.index);
	return held * (uint64_t)(before_ticks - from_ticks) + time_since(in, before_ticks) -
	       time_since(gone, before_ticks);
}
