// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/sizes.h"

#define WEIGHT_ALONE 4u
#define WEIGHT_KNOWN 8u
#define LAST_PART 8u // a window is the end of fewer than one in so many
#define ALONE_PART 16u // where more are alone, others do not count
#define MULTIPLE_MAX 8u
#define CHANGES_KNOWN 2u

static unsigned find(const struct sizes_seen *seen, uint64_t size_B)
{
	unsigned at = 0;

	while (at < SIZES_KEPT && (seen->weight[at] == 0 || seen->size_B[at] != size_B))
		at++;
	return at;
}

// Whether a known size is a multiple of this one.
static bool is_part(const struct sizes_seen *seen, uint64_t size_B)
{
	for (unsigned i = 0; i < SIZES_KEPT; i++)
		if (seen->weight[i] >= WEIGHT_KNOWN && seen->size_B[i] % size_B == 0 &&
		    seen->size_B[i] / size_B <= MULTIPLE_MAX)
			return true;
	return false;
}

void sizes_note(struct sizes_seen *seen, uint64_t size_B, bool alone)
{
	const uint32_t weight = alone ? WEIGHT_ALONE : 1;
	const unsigned at = find(seen, size_B);
	unsigned rarest = 0;

	if (seen->total > UINT32_MAX / 2) {
		seen->total /= 2;
		seen->fresh /= 2;
		for (unsigned i = 0; i < SIZES_KEPT; i++)
			seen->weight[i] /= 2;
	}
	seen->all++;
	seen->all_alone += alone;
	if (!alone && seen->all_alone > seen->all / ALONE_PART && !is_part(seen, size_B))
		return;
	seen->total += weight;
	seen->fresh += at == SIZES_KEPT || seen->weight[at] < WEIGHT_KNOWN ? weight : 0;
	if (at < SIZES_KEPT) {
		seen->weight[at] += weight;
		return;
	}
	for (unsigned i = 1; i < SIZES_KEPT; i++)
		if (seen->weight[i] < seen->weight[rarest])
			rarest = i;
	seen->size_B[rarest] = size_B;
	seen->weight[rarest] = weight;
}

static bool is_multiple(const struct sizes_seen *seen, unsigned entry)
{
	const uint64_t size_B = seen->size_B[entry];

	for (unsigned i = 0; i < SIZES_KEPT; i++)
		if (seen->weight[i] > seen->weight[entry] && size_B > seen->size_B[i] && size_B % seen->size_B[i] == 0 &&
		    size_B / seen->size_B[i] <= MULTIPLE_MAX)
			return true;
	return false;
}

static int log2_of(uint32_t ratio)
{
	int bits = 0;

	for (; ratio > 1; ratio /= 2)
		bits++;
	return bits;
}

int sizes_fresh_bits(const struct sizes_seen *seen)
{
	return seen->fresh > 0 ? log2_of(seen->total / seen->fresh) : 0;
}

int sizes_bits(const struct sizes_seen *seen, unsigned entry)
{
	if (seen->weight[entry] < WEIGHT_KNOWN || is_multiple(seen, entry))
		return -1;
	return log2_of(seen->total / seen->weight[entry]);
}

static unsigned find_cut(const struct sizes_seen *seen, uint64_t piece_B)
{
	unsigned at = 0;

	while (at < CUTS_KEPT && seen->cut_B[at] != piece_B)
		at++;
	return at;
}

void sizes_note_cut(struct sizes_seen *seen, uint64_t piece_B, uint64_t rest_B)
{
	const unsigned at = find_cut(seen, piece_B), oldest = seen->cuts % CUTS_KEPT;

	if (at < CUTS_KEPT && rest_B == 0) {
		seen->times_last[at] += seen->times_last[at] < UINT32_MAX / LAST_PART;
	} else if (at < CUTS_KEPT) {
		seen->changes[at] += seen->rest_B[at] != rest_B && seen->changes[at] < UINT32_MAX;
		seen->times_cut[at] += seen->times_cut[at] < UINT32_MAX;
		seen->rest_B[at] = rest_B;
	} else if (rest_B > 0) {
		seen->cuts++;
		if (sizes_cut(seen, seen->cut_B[oldest]) && seen->cuts % (2 * CUTS_KEPT) != 0)
			return;
		seen->cut_B[oldest] = piece_B;
		seen->rest_B[oldest] = rest_B;
		seen->times_cut[oldest] = 1;
		seen->changes[oldest] = seen->times_last[oldest] = 0;
	}
}

bool sizes_cut(const struct sizes_seen *seen, uint64_t piece_B)
{
	const unsigned at = find_cut(seen, piece_B), entry = find(seen, piece_B);

	if (entry < SIZES_KEPT && seen->weight[entry] >= WEIGHT_KNOWN)
		return false;
	return at < CUTS_KEPT && seen->changes[at] >= CHANGES_KNOWN && seen->changes[at] >= seen->times_cut[at] / 2 &&
	       seen->times_last[at] * LAST_PART < seen->times_cut[at];
}
