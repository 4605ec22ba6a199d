// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/sizes.h"

#include <stdbool.h>

#define TIMES_KNOWN 2u
#define MULTIPLE_MAX 8u

void sizes_note(struct sizes_seen *seen, uint64_t size_B)
{
	unsigned at = 0, rarest = 0;

	while (at < SIZES_KEPT && (seen->times[at] == 0 || seen->size_B[at] != size_B))
		at++;
	seen->total += seen->total < UINT32_MAX;
	if (at < SIZES_KEPT) {
		seen->times[at] += seen->times[at] < UINT32_MAX;
		return;
	}
	for (unsigned i = 1; i < SIZES_KEPT; i++)
		if (seen->times[i] < seen->times[rarest])
			rarest = i;
	seen->size_B[rarest] = size_B;
	seen->times[rarest] = 1;
}

static bool is_multiple(const struct sizes_seen *seen, unsigned entry)
{
	const uint64_t size_B = seen->size_B[entry];

	for (unsigned i = 0; i < SIZES_KEPT; i++)
		if (seen->times[i] > seen->times[entry] && size_B > seen->size_B[i] && size_B % seen->size_B[i] == 0 &&
		    size_B / seen->size_B[i] <= MULTIPLE_MAX)
			return true;
	return false;
}

int sizes_bits(const struct sizes_seen *seen, unsigned entry)
{
	uint32_t ratio;
	int bits = 0;

	if (seen->times[entry] < TIMES_KNOWN || is_multiple(seen, entry))
		return -1;
	for (ratio = seen->total / seen->times[entry]; ratio > 1; ratio /= 2)
		bits++;
	return bits;
}
