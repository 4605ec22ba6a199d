// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/sizes.h"

#define WEIGHT_ALONE 4u
#define WEIGHT_KNOWN 8u
#define LAST_PART 8u // a window is the end of fewer than one in so many
#define MULTIPLE_MAX 8u
#define CHANGES_KNOWN 2u

static unsigned find(const struct sizes_seen *seen, uint64_t size_B)
{
	unsigned at = 0;

	while (at < SIZES_KEPT && (seen->weight[at] == 0 || seen->size_B[at] != size_B))
		at++;
	return at;
}

void sizes_note(struct sizes_seen *seen, uint64_t size_B, bool alone)
{
	const uint32_t weight = alone ? WEIGHT_ALONE : 1;
	const unsigned at = find(seen, size_B);
	unsigned rarest = 0;

	if (seen->total > UINT32_MAX / 2) {
		seen->total /= 2;
		for (unsigned i = 0; i < SIZES_KEPT; i++)
			seen->weight[i] /= 2;
	}
	seen->total += weight;
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

int sizes_bits(const struct sizes_seen *seen, unsigned entry)
{
	int bits = 0;

	if (seen->weight[entry] < WEIGHT_KNOWN || is_multiple(seen, entry) || sizes_cut(seen, seen->size_B[entry]))
		return -1;
	for (uint32_t ratio = seen->total / seen->weight[entry]; ratio > 1; ratio /= 2)
		bits++;
	return bits;
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
	const unsigned at = find_cut(seen, piece_B);

	return at < CUTS_KEPT && seen->changes[at] >= CHANGES_KNOWN && seen->changes[at] >= seen->times_cut[at] / 2 &&
	       seen->times_last[at] * LAST_PART < seen->times_cut[at];
}
