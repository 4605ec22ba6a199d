// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/bursts/burst_gap.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "value/number.h"
#include "value/ticks.h"

// ---- the option

const struct opt_choice burst_gap_words[] = {
	{"found", BURST_GAP_FOUND, "by the outermost valley in the histogram of gaps"},
	{"thesis", BURST_GAP_THESIS,
	 "the gap of 0.05 to 5 s above which bursts stop growing (Yates 1997)"},
	{NULL, 0},
};

enum tr_status burst_gap_parse(const char *word, struct burst_gap_rule *rule, struct tr_error *err)
{
	struct tr_error why;

	*rule = (struct burst_gap_rule){.by = BURST_GAP_FOUND};
	for (const struct opt_choice *choice = burst_gap_words; choice->word && word; choice++)
		if (strcmp(word, choice->word) == 0) {
			rule->by = (enum burst_gap_by)choice->value;
			return TR_OK;
		}
	if (!word)
		return TR_OK;
	rule->by = BURST_GAP_GIVEN;
	if (num_parse(word, NUM_TIME, &rule->given, &why) != TR_OK)
		return tr_fail(err, "--burst-gap: %.300s; expected a time, found or thesis",
			       why.text);
	return rule->given.num > 0 ? TR_OK : tr_fail(err, "--burst-gap must be above 0");
}

const char *burst_gap_name(const struct burst_gap_rule *rule, char out[BURST_GAP_WORD])
{
	if (rule->by == BURST_GAP_GIVEN)
		(void)snprintf(out, BURST_GAP_WORD, "%" PRId64 "/%" PRIu64, rule->given.num,
			       rule->given.den);
	else
		(void)snprintf(out, BURST_GAP_WORD, "%s", burst_gap_words[rule->by].word);
	return out;
}

// ---- the gaps to try

#define FIRST_STEP 2  // of 1/40 s
#define STEP_PER_S 40 // the thesis's
#define POWERS 63     // of 2 in 63 bits

static enum tr_status set_thesis(struct burst_gaps *list, uint64_t ticks_per_s,
				 struct tr_error *err)
{
	int64_t before = 0;

	list->count = BURST_GAPS_MAX;
	for (size_t i = 0; i < list->count; i++) {
		const struct num_ratio seconds = {(int64_t)i + FIRST_STEP, STEP_PER_S};

		if (tr_ticks_round(seconds, ticks_per_s, &list->ticks[i], err) != TR_OK)
			return TR_ERROR;
		// Even with coarse ticks, they must rise.
		if (list->ticks[i] <= before)
			list->ticks[i] = before + 1;
		before = list->ticks[i];
	}
	return TR_OK;
}

static enum tr_status set_given(struct burst_gaps *list, struct num_ratio given, unsigned around,
				uint64_t ticks_per_s, struct tr_error *err)
{
	int64_t ticks;

	if (tr_ticks_exact(given, ticks_per_s, &ticks, err) != TR_OK)
		return tr_fail_in(err, "--burst-gap");
	if (ticks >= INT64_MAX >> around)
		return tr_fail(err, "--burst-gap is too long");
	list->count = 2 * around + 1;
	list->shown = around;
	for (unsigned k = 0; k < list->count; k++)
		list->ticks[k] = (int64_t)(((__int128)ticks << k) >> around);
	return TR_OK;
}

enum tr_status burst_gaps_set(struct burst_gaps *list, const struct burst_gap_rule *rule,
			      unsigned around, uint64_t ticks_per_s, struct tr_error *err)
{
	*list = (struct burst_gaps){.shown = BURST_GAPS_MAX};
	if (rule->by == BURST_GAP_GIVEN)
		return set_given(list, rule->given, around, ticks_per_s, err);
	if (rule->by == BURST_GAP_THESIS)
		return set_thesis(list, ticks_per_s, err);
	list->powers = true;
	list->count = POWERS;
	for (size_t k = 0; k < POWERS; k++)
		list->ticks[k] = INT64_C(1) << k;
	return TR_OK;
}

// ---- the gaps

void burst_gap_join(struct burst_gap_counts *gaps, const struct burst_gaps *list,
		    int64_t last_ticks, const struct burst_gap_counts *later, int64_t first_ticks)
{
	burst_gap_count(gaps, list, last_ticks, first_ticks); // the first packet of the later one
	gaps->packets += later->packets - 1;
	for (size_t i = 0; i <= list->count; i++)
		gaps->counts[i] += later->counts[i];
}

// ---- the valley

uint64_t burst_gap_bursts(const struct burst_gaps *list, const struct burst_gap_counts *gaps,
			  size_t i)
{
	uint64_t bursts = gaps->trains;

	for (size_t k = i + 1; k <= list->count; k++)
		bursts += gaps->counts[k];
	return bursts;
}

// What makes octave i a valley, if it is one: the lower of the highest octaves on both sides.
static double shore_at(const uint64_t *counts, size_t octaves, size_t i)
{
	uint64_t left = 0, right = 0;

	for (size_t k = 1; k < i; k++)
		left = counts[k] > left ? counts[k] : left;
	for (size_t k = i + 1; k < octaves; k++)
		right = counts[k] > right ? counts[k] : right;
	return (double)(left < right ? left : right);
}

static double depth_at(const uint64_t *counts, size_t octaves, size_t i)
{
	const double shore = shore_at(counts, octaves, i);

	return shore > 0 ? 1 - (double)counts[i] / shore : -INFINITY;
}

static bool is_valley(const uint64_t *counts, size_t octaves, size_t i)
{
	const double shore = shore_at(counts, octaves, i), here = (double)counts[i];

	return shore >= BURST_PEAK_MIN && here <= (1 - BURST_DEPTH_MIN) * shore &&
	       shore - here >= BURST_SIGNIFICANCE * sqrt(shore + here);
}

// Octave i has the gaps above 2^(i-1) ticks, up to 2^i.
static struct burst_gap find_valley(const struct burst_gaps *list,
				    const struct burst_gap_counts *gaps)
{
	const uint64_t *counts = gaps->counts;
	const size_t octaves = list->count + 1;
	struct burst_gap gap = {.index = list->count - 1, .depth = -INFINITY};
	size_t valley = octaves - 1, from, to;

	for (; valley > 1 && !is_valley(counts, octaves, valley); valley--)
		gap.depth = fmax(gap.depth, depth_at(counts, octaves, valley));
	if (valley <= 1)
		return gap;
	from = to = valley;
	for (size_t i = valley; i-- > 2 && is_valley(counts, octaves, i);)
		if (counts[i] < counts[from])
			from = to = i;
		else if (counts[i] == counts[from] && i + 1 == from)
			from = i;
	gap.depth = depth_at(counts, octaves, from);
	if (burst_gap_bursts(list, gaps, (from - 1 + to) / 2) > gaps->packets / BURST_PACKETS_MIN)
		return gap;
	gap.basis = BURST_BASIS_FOUND;
	gap.index = (from - 1 + to) / 2;
	return gap;
}

// ---- the plateau

struct burst_curve {
	const struct burst_gaps *list;
	uint64_t trains, packets;
	uint64_t bursts[BURST_GAPS_MAX];
};

static double mean_packets(const struct burst_curve *curve, size_t i)
{
	return (double)curve->packets / (double)curve->bursts[i];
}

static bool is_plateau(const struct burst_curve *curve, size_t from)
{
	const struct burst_gaps *list = curve->list;
	const double first = mean_packets(curve, from);
	size_t i = from;

	if (first < BURST_PACKETS_MIN)
		return false;
	while (i < list->count && list->ticks[i] < 2 * list->ticks[from]) {
		const double here = mean_packets(curve, i);

		if (++i == list->count || mean_packets(curve, i) >= here * (1 + BURST_STEP_GROWTH))
			return false;
	}
	return mean_packets(curve, i) < first * (1 + BURST_TOTAL_GROWTH) &&
	       curve->bursts[i] >= curve->trains + BURST_SILENCES_MIN;
}

static struct burst_gap find_plateau(const struct burst_gaps *list,
				     const struct burst_gap_counts *gaps)
{
	struct burst_curve curve = {.list = list, .trains = gaps->trains, .packets = gaps->packets};

	for (size_t i = 0; i < list->count; i++)
		curve.bursts[i] = burst_gap_bursts(list, gaps, i);
	for (size_t i = 0; i < list->count && gaps->packets > 0; i++)
		if (is_plateau(&curve, i))
			return (struct burst_gap){
				.basis = BURST_BASIS_THESIS, .index = i, .depth = NAN};
	return (struct burst_gap){.index = list->count - 1, .depth = NAN};
}

struct burst_gap burst_gap_choose(const struct burst_gaps *list, enum burst_gap_by by,
				  const struct burst_gap_counts *gaps)
{
	struct burst_gap gap = {.basis = BURST_BASIS_GIVEN, .index = list->shown, .depth = NAN};

	if (by != BURST_GAP_GIVEN)
		gap = by == BURST_GAP_THESIS ? find_plateau(list, gaps) : find_valley(list, gaps);
	if (gap.basis == BURST_BASIS_NONE)
		return gap;
	gap.ticks = list->ticks[gap.index];
	gap.bursts = burst_gap_bursts(list, gaps, gap.index);
	return gap;
}

// ---- in words

const char *burst_gap_basis(const struct burst_gap *gap)
{
	static const char *const words[] = {"none", "found", "thesis", "given"};

	return words[gap->basis];
}

const char *burst_gap_say(const struct burst_gap *gap, uint64_t ticks_per_s,
			  char text[BURST_GAP_TEXT])
{
	if (gap->basis == BURST_BASIS_NONE)
		(void)snprintf(text, BURST_GAP_TEXT,
			       "no bursts found: no gap separates them clearly; --burst-gap TIME "
			       "sets one");
	else
		(void)snprintf(text, BURST_GAP_TEXT,
			       "%" PRIu64 " burst%s: gaps longer than %s end one (%s)", gap->bursts,
			       gap->bursts == 1 ? "" : "s",
			       number_time(tr_ticks_seconds(gap->ticks, ticks_per_s), 6).text,
			       burst_gap_basis(gap));
	return text;
}
