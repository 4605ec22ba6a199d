// SPDX-License-Identifier: GPL-3.0-or-later
// Iterations without silences and without a period in each pair's messages, as where some are
// missed, join, or vary in size: one kind of message comes once in each, as a beat, and the
// messages of each pair are dealt to the beats by time. A pair's messages may come before the beat
// in one iteration and after it in the next, so the pair's own longest silence between two beats
// cuts them: there where it is nearest to the longest silence of all, so that what ranks do at
// about the same time comes into the same iteration.
#include <math.h>
#include <stdlib.h>

#include "gen/families/program/program_parts.h"

#define KINDS 16u    // of a pair, that may be beats
#define BEATS 24u    // that are tried, the most regular ones
#define AS_GOOD 0.98 // of the messages that the best beat deals to usual iterations

struct beats {
	const struct program_found **all; // by pair and time
	size_t count;
	const struct program_found **beat; // in order of time
	size_t iterations;
	double gap_ticks; // median time between two
	double *phases;	  // scratch
	size_t *part;	  // by message: SIZE_MAX for none
};

static size_t end_of_pair(const struct beats *beats, size_t first)
{
	size_t end = first + 1;

	while (end < beats->count && beats->all[end]->src == beats->all[first]->src &&
	       beats->all[end]->dst == beats->all[first]->dst)
		end++;
	return end;
}

// Time in iterations from the first beat on.
static double position(const struct beats *beats, const struct program_found *found)
{
	const double from = (double)(found->begin_ticks - beats->beat[0]->begin_ticks);
	size_t low = 0,
	       high = beats->iterations; // the beat before the message is in low .. high - 1

	if (from < 0)
		return from / beats->gap_ticks;
	while (high - low > 1) {
		const size_t middle = (low + high) / 2;

		if (beats->beat[middle]->begin_ticks <= found->begin_ticks)
			low = middle;
		else
			high = middle;
	}
	const double after = (double)(found->begin_ticks - beats->beat[low]->begin_ticks);
	const double gap = low + 1 < beats->iterations
				   ? (double)(beats->beat[low + 1]->begin_ticks -
					      beats->beat[low]->begin_ticks)
				   : beats->gap_ticks;

	return (double)low + after / gap;
}

// Where between two beats messages are cut, within half of that time from near: in the middle of
// the longest silence.
static double cut_of(const struct beats *beats, size_t first, size_t end, double near)
{
	const size_t count = end - first;
	double longest = 0, cut = 0;

	for (size_t i = first; i < end; i++) {
		const double at = position(beats, beats->all[i]);

		beats->phases[i - first] = at - floor(at);
	}
	qsort(beats->phases, count, sizeof(*beats->phases), program_longer_first);
	for (size_t i = 0; i < count; i++) {
		const double next = i == 0 ? beats->phases[count - 1] + 1 : beats->phases[i - 1];

		if (next - beats->phases[i] <= longest)
			continue;
		longest = next - beats->phases[i];
		cut = beats->phases[i] + longest / 2;
	}
	return cut - floor(cut - near + .5);
}

// Deals all messages to the beats. Their iterations become the parts.
static void deal_to_beats(struct folding *folding, const struct beats *beats)
{
	const double all = cut_of(beats, 0, beats->count, 0);

	folding->part_count = beats->iterations;
	for (size_t p = 0; p < beats->iterations; p++)
		folding->parts[p] = (struct part){.count = 0};
	for (size_t first = 0, end; first < beats->count; first = end) {
		double cut;

		end = end_of_pair(beats, first);
		cut = cut_of(beats, first, end, all);
		for (size_t i = first; i < end; i++) {
			const double part = floor(position(beats, beats->all[i]) - cut);

			beats->part[i] = part >= 0 && part < (double)beats->iterations
						 ? (size_t)part
						 : SIZE_MAX;
			if (beats->part[i] != SIZE_MAX)
				folding->parts[beats->part[i]].count++;
		}
	}
	folding->count = 0;
	for (size_t p = 0; p < beats->iterations; p++) {
		folding->parts[p].first = folding->count;
		folding->count += folding->parts[p].count;
		folding->parts[p].count = 0;
	}
	for (size_t i = 0; i < beats->count; i++)
		if (beats->part[i] != SIZE_MAX) {
			struct part *part = &folding->parts[beats->part[i]];

			folding->found[part->first + part->count++] = beats->all[i];
		}
}

// How many messages are in usual iterations; 0 where these are too few.
static size_t usual_messages(struct folding *folding, const struct beats *beats)
{
	size_t messages;

	deal_to_beats(folding, beats);
	if (!program_parts_compare(folding))
		return 0;
	messages = folding->usual_count * folding->parts[folding->usual].count;
	return (double)messages >= PROGRAM_CONSISTENT * PROGRAM_CONSISTENT * (double)beats->count
		       ? messages
		       : 0;
}

// A kind of message that may be the beat: those of a pair that are alike.
struct program_beats_candidate {
	size_t first, end; // of the pair, from the first one on
	double regular;	   // share of the times between two that are within a factor of 2 of the
			   // median
	size_t iterations, usual;
	double silence_ticks; // before it; mean
};

// The messages of the candidate become the beat.
static void take_beat(const struct folding *folding, struct beats *beats,
		      struct program_beats_candidate *candidate)
{
	size_t regular = 0, gaps;

	beats->iterations = 0;
	for (size_t i = candidate->first; i < candidate->end; i++)
		if (program_parts_alike(folding, beats->all[i], beats->all[candidate->first]))
			beats->beat[beats->iterations++] = beats->all[i];
	candidate->iterations = beats->iterations;
	gaps = beats->iterations - 1;
	for (size_t i = 0; i < gaps; i++)
		beats->phases[i] = (double)(beats->beat[i + 1]->begin_ticks -
					    beats->beat[i]->begin_ticks);
	qsort(beats->phases, gaps, sizeof(*beats->phases), program_longer_first);
	beats->gap_ticks = gaps > 0 ? beats->phases[gaps / 2] : 0;
	for (size_t i = 0; i < gaps; i++)
		regular += beats->phases[i] > beats->gap_ticks / 2 &&
			   beats->phases[i] < 2 * beats->gap_ticks;
	candidate->regular = (double)regular / (double)(gaps + 1);
}

// Puts it among the most regular ones.
static void keep_most_regular(struct program_beats_candidate most[BEATS], size_t *count,
			      struct program_beats_candidate candidate)
{
	size_t at = *count < BEATS ? (*count)++ : BEATS - 1;

	if (at == BEATS - 1 && *count == BEATS && most[at].regular >= candidate.regular &&
	    most[at].iterations > 0)
		return;
	for (; at > 0 && most[at - 1].regular < candidate.regular; at--)
		most[at] = most[at - 1];
	most[at] = candidate;
}

static size_t find_candidates(const struct folding *folding, struct beats *beats,
			      struct program_beats_candidate most[BEATS])
{
	size_t count = 0;

	for (size_t first = 0, end; first < beats->count; first = end) {
		size_t kinds[KINDS], known = 0;

		end = end_of_pair(beats, first);
		for (size_t i = first; i < end && known < KINDS; i++) {
			struct program_beats_candidate candidate = {.first = i, .end = end};
			size_t k = 0;

			while (k < known &&
			       !program_parts_alike(folding, beats->all[kinds[k]], beats->all[i]))
				k++;
			if (k < known)
				continue;
			kinds[known++] = i;
			take_beat(folding, beats, &candidate);
			if (candidate.iterations >= PROGRAM_ITERATIONS_MIN && beats->gap_ticks > 0)
				keep_most_regular(most, &count, candidate);
		}
	}
	return count;
}

// Mean time before the beat without a message.
static double silence_before(const struct folding *folding, const struct beats *beats)
{
	const struct program_trace *trace = folding->trace;
	int64_t end = trace->found[0].begin_ticks;
	double sum = 0;

	for (size_t i = 0, k = 0; i < trace->count && k < beats->iterations; i++) {
		if (&trace->found[i] == beats->beat[k]) {
			sum += (double)(beats->beat[k]->begin_ticks - end);
			k++;
		}
		end = trace->found[i].end_ticks > end ? trace->found[i].end_ticks : end;
	}
	return sum / (double)beats->iterations;
}

// Of beats that are as good, several iterations may be one of a slower beat; else what follows the
// longer silence.
static bool beats_better(const struct program_beats_candidate *a,
			 const struct program_beats_candidate *b)
{
	if (2 * a->iterations > 3 * b->iterations || 2 * b->iterations > 3 * a->iterations)
		return a->iterations > b->iterations;
	return a->silence_ticks > b->silence_ticks;
}

static bool try_beats(struct folding *folding, struct beats *beats)
{
	struct program_beats_candidate tried[BEATS], *best = NULL;
	const size_t count = find_candidates(folding, beats, tried);
	size_t most = 0;

	for (size_t i = 0; i < count; i++) {
		take_beat(folding, beats, &tried[i]);
		tried[i].usual = usual_messages(folding, beats);
		tried[i].silence_ticks = silence_before(folding, beats);
		most = tried[i].usual > most ? tried[i].usual : most;
	}
	for (size_t i = 0; most > 0 && i < count; i++)
		if ((double)tried[i].usual >= AS_GOOD * (double)most &&
		    (!best || beats_better(&tried[i], best)))
			best = &tried[i];
	if (!best)
		return false;
	take_beat(folding, beats, best);
	return usual_messages(folding, beats) > 0;
}

enum tr_status program_parts_at_beats(struct folding *folding, double *scratch,
				      struct tr_error *err)
{
	struct beats beats = {.all = calloc(folding->count + 1, sizeof(*beats.all)),
			      .count = folding->count,
			      .beat = calloc(folding->count + 1, sizeof(*beats.beat)),
			      .phases = scratch,
			      .part = calloc(folding->count + 1, sizeof(*beats.part))};
	enum tr_status status = TR_OK;

	if (!beats.all || !beats.beat || !beats.part) {
		status = tr_no_memory(err, "%zu messages", folding->count);
	} else {
		qsort(folding->found, folding->count, sizeof(*folding->found),
		      program_found_by_pair);
		for (size_t i = 0; i < folding->count; i++)
			beats.all[i] = folding->found[i];
		folding->dealt = try_beats(folding, &beats);
		folding->loose = !folding->dealt;
		if (!folding->dealt)
			folding->dealt = try_beats(folding, &beats);
		folding->out->by_beats = folding->dealt;
	}
	free(beats.all);
	free(beats.beat);
	free(beats.part);
	return status;
}
