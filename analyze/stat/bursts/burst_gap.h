// SPDX-License-Identifier: GPL-3.0-or-later
// The gap that ends a burst: one rule for all programs. A burst is a run of packets between two
// silences, and a silence a gap longer than the burst gap. tests/golden/bursts-table.tsv has the
// error rates of this rule and of others on known trains.
#ifndef STAT_BURST_GAP_H
#define STAT_BURST_GAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/num.h"
#include "table/opt.h"
#include "value/status.h"

#define BURST_GAPS_MAX 199 // as many as the thesis tries

// Gaps in ticks, in rising order.
struct burst_gaps {
	bool powers; // all powers of 2: ticks[k] is 2^k
	size_t count;
	int64_t ticks[BURST_GAPS_MAX];
	size_t shown; // the given one; BURST_GAPS_MAX: it will be chosen
};

// ---- what is asked for: the option --burst-gap

enum burst_gap_by { BURST_GAP_FOUND, BURST_GAP_THESIS, BURST_GAP_GIVEN };

struct burst_gap_rule {
	enum burst_gap_by by;
	struct num_ratio given; // seconds
};

// The option's row, for a const char * that is NULL at first, and its words.
#define OPT_BURST_GAP(variable) \
	OPT_STRING_OR_WORD(0, "burst-gap", "TIME|found|thesis", variable, burst_gap_words, \
			   "gap that ends a burst" OPT_DEFAULT("found"))
extern const struct opt_choice burst_gap_words[];

// Reads its value; NULL is "found". TR_ERROR: no time above 0.
enum tr_status burst_gap_parse(const char *word, struct burst_gap_rule *rule, struct tr_error *err);

// The option as it was read: "found", "thesis" or a fraction of seconds.
#define BURST_GAP_WORD 48
const char *burst_gap_name(const struct burst_gap_rule *rule, char out[BURST_GAP_WORD]);

// The gaps to try, or the given one, between as many of its halves and doubles as around. TR_ERROR:
// it is not a whole number of ticks, or does not fit.
enum tr_status burst_gaps_set(struct burst_gaps *list, const struct burst_gap_rule *rule,
			      unsigned around, uint64_t ticks_per_s, struct tr_error *err);

// Number of listed gaps shorter than this one: a binary search without branches, which would be
// unpredictable.
static inline size_t burst_gaps_below(const struct burst_gaps *list, int64_t gap_ticks)
{
	size_t below = 0, left = list->count;

	if (list->powers)
		return gap_ticks < 2 ? 0 : 64u - (unsigned)__builtin_clzll((uint64_t)gap_ticks - 1);
	if (left == 0 || gap_ticks <= list->ticks[0])
		return 0;
	while (left > 1) {
		const size_t half = left / 2;

		below += list->ticks[below + half - 1] < gap_ticks ? half : 0;
		left -= half;
	}
	return below + (list->ticks[below] < gap_ticks);
}

// ---- the answer

enum burst_gap_basis { BURST_BASIS_NONE, BURST_BASIS_FOUND, BURST_BASIS_THESIS, BURST_BASIS_GIVEN };

struct burst_gap {
	enum burst_gap_basis basis; // NONE: no bursts were found
	size_t index;		    // in the list; with NONE the last
	int64_t ticks;		    // 0 with NONE
	double depth;		    // of the valley; NaN if it was not searched for
	uint64_t bursts;	    // in the trains
};

// The gaps of one or several trains of packets: all packets of a trace, or those of each sender and
// class. Zero is a valid empty one.
struct burst_gap_counts {
	uint64_t trains; // that have packets
	uint64_t packets;
	uint64_t
		counts[BURST_GAPS_MAX + 1]; // [i]: longer than listed gap i - 1, up to listed gap i
};

// From one time to one that is not earlier, at most INT64_MAX.
static inline int64_t burst_gap_between(int64_t earlier_ticks, int64_t later_ticks)
{
	const uint64_t gap = (uint64_t)later_ticks - (uint64_t)earlier_ticks;

	return gap > INT64_MAX ? INT64_MAX : (int64_t)gap;
}

// Adds a packet to those of a single train. last_ticks: of the packet before; any time for the
// first.
static inline void burst_gap_count(struct burst_gap_counts *gaps, const struct burst_gaps *list,
				   int64_t last_ticks, int64_t time_ticks)
{
	if (gaps->packets++ > 0)
		gaps->counts[burst_gaps_below(list, burst_gap_between(last_ticks, time_ticks))]++;
	gaps->trains = 1;
}

// Adds those of a later train, one packet or more, as if it were one with this.
void burst_gap_join(struct burst_gap_counts *gaps, const struct burst_gaps *list,
		    int64_t last_ticks, const struct burst_gap_counts *later, int64_t first_ticks);

// found: the histogram of the logarithm of the gaps, by octaves, has a peak for each level of the
// traffic: packets of a message, messages of an iteration, iterations. The burst gap is the
// beginning of the lowest part of the valley before the last peak, the one of the longest gaps:
// bursts are what the outermost silences separate. A valley has at least BURST_DEPTH_MIN fewer gaps
// than the lower one of the highest octaves on both sides, a difference of BURST_SIGNIFICANCE
// standard deviations, and these have BURST_PEAK_MIN gaps. Gaps of a tick or less are ignored,
// since the clock cannot tell them apart. Without a valley, or if a burst by it has less than
// BURST_PACKETS_MIN packets on average, there are no bursts.
// The histogram's valley is that of Selinger, Kulagina, O'Shaughnessy, Ma and Pancrazio, Journal of
// Neuroscience Methods 162 (2007) 64-71, and of Pasquale, Martinoia and Chiappalone, Journal of
// Computational Neuroscience 29 (2010) 213-229; that it is the outermost one, and what makes it
// one, are ours.
//
// thesis: Yates 1997 tries windows of .05, .075 ... 5 s and takes the one from which on the number
// of messages in a window stops growing. Here: the mean number of packets per burst is at least 2,
// each step from w to 2 w increases it by less than 1 % and all steps by less than 5 %, and at
// least two longer gaps are left. The smallest such w is the burst gap; without one there are no
// bursts.
#define BURST_DEPTH_MIN 0.3
#define BURST_SIGNIFICANCE 2.0
#define BURST_PEAK_MIN 5
#define BURST_PACKETS_MIN 2
#define BURST_STEP_GROWTH 0.01
#define BURST_TOTAL_GROWTH 0.05
#define BURST_SILENCES_MIN 2

// Chooses the burst gap of the trains whose gaps are counted. The basis is BURST_BASIS_NONE where
// there are no bursts; ticks and bursts are then 0.
struct burst_gap burst_gap_choose(const struct burst_gaps *list, enum burst_gap_by by,
				  const struct burst_gap_counts *gaps);

// Bursts of the trains by listed gap i: 0 without packets.
uint64_t burst_gap_bursts(const struct burst_gaps *list, const struct burst_gap_counts *gaps,
			  size_t i);

// "none", "found", "thesis", "given".
const char *burst_gap_basis(const struct burst_gap *gap);

// A sentence without a full stop, for people: "41 bursts: gaps longer than 134 ms end one (found)".
// Returns text.
#define BURST_GAP_TEXT 160
const char *burst_gap_say(const struct burst_gap *gap, uint64_t ticks_per_s,
			  char text[BURST_GAP_TEXT]);

#endif
