// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/train_gaps.h"
#include "value/grow.h"

#include <stdlib.h>
#include <string.h>

#define OUTLIER_BITS \
	6u // a gap of so many powers of two above that quantile is none within a train; a choice,
	   // made on recordings
#define BITS_MAX 48u
#define GAP_MAX (INT64_C(1) << 50)
#define GAPS_KEPT 4096u // older gaps are forgotten beyond these

// The mean within trains: silences between them are longer than a multiple of a quantile, below
// which fewer than those within trains are, the half in trains of two, and more than those between
// packets in pairs.
static int64_t trimmed_mean(const struct train_gaps *gaps)
{
	uint64_t ticks = 0;
	uint32_t below = 0, count = 0, middle = 0;

	while (5 * (below + gaps->bins[middle].count) < 2 * gaps->all)
		below += gaps->bins[middle++].count;
	for (uint32_t i = 0;
	     i < gaps->bin_count && gaps->bins[i].bits <= gaps->bins[middle].bits + OUTLIER_BITS;
	     i++) {
		ticks += gaps->bins[i].ticks;
		count += gaps->bins[i].count;
	}
	return ticks > count ? (int64_t)(ticks / count) : 1;
}

// The bin of gaps of so many bits, made if new; NULL if out of memory.
static struct train_gap_bin *bin_of(struct train_gaps *gaps, uint32_t bits)
{
	uint32_t at = 0;

	while (at < gaps->bin_count && gaps->bins[at].bits < bits)
		at++;
	if (at < gaps->bin_count && gaps->bins[at].bits == bits)
		return &gaps->bins[at];
	if (!GROW(gaps->bins, gaps->bin_capacity, gaps->bin_count))
		return NULL;
	memmove(&gaps->bins[at + 1], &gaps->bins[at], (gaps->bin_count - at) * sizeof(*gaps->bins));
	gaps->bins[at] = (struct train_gap_bin){.bits = bits};
	gaps->bin_count++;
	return &gaps->bins[at];
}

// Counts a gap; false if out of memory.
static bool count_gap(struct train_gaps *gaps, int64_t gap_ticks)
{
	const uint64_t ticks = gap_ticks > 0 ? (uint64_t)gap_ticks : 0;
	struct train_gap_bin *bin;
	uint32_t bits = 0;

	while (bits + 1 < BITS_MAX && ticks >> (bits + 1) > 0)
		bits++;
	bin = bin_of(gaps, bits);
	if (!bin)
		return false;
	bin->ticks += ticks < (uint64_t)GAP_MAX ? ticks : (uint64_t)GAP_MAX;
	bin->count++;
	gaps->all++;
	return true;
}

void train_gaps_open(struct train_gaps *gaps, int64_t usual_ticks)
{
	*gaps = (struct train_gaps){.first_ticks = usual_ticks};
	gaps->usual_ticks = usual_ticks < 1 ? 1 : usual_ticks < GAP_MAX ? usual_ticks : GAP_MAX;
}

bool train_gaps_note(struct train_gaps *gaps, int64_t gap_ticks)
{
	if (gaps->all >= GAPS_KEPT) {
		gaps->all = 0;
		for (uint32_t i = 0; i < gaps->bin_count; i++) {
			gaps->bins[i].ticks -= gaps->bins[i].ticks / 2;
			gaps->bins[i].count -= gaps->bins[i].count / 2;
			gaps->all += gaps->bins[i].count;
		}
	}
	while (gaps->all < 2)
		if (!count_gap(gaps, gaps->first_ticks))
			return false;
	if (!count_gap(gaps, gap_ticks))
		return false;
	gaps->usual_ticks = trimmed_mean(gaps);
	return true;
}

void train_gaps_clear(struct train_gaps *gaps)
{
	free(gaps->bins);
	gaps->bins = NULL;
	gaps->bin_count = gaps->bin_capacity = gaps->all = 0;
}

size_t train_gaps_held_bytes(const struct train_gaps *gaps)
{
	return gaps->bin_capacity * sizeof(*gaps->bins);
}
