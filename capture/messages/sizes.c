// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/sizes.h"

#define TIMES_KNOWN 2u

static int find(const struct sizes_seen *seen, uint64_t size_B)
{
	for (unsigned i = 0; i < SIZES_KNOWN; i++)
		if (seen->times[i] > 0 && seen->size_B[i] == size_B)
			return (int)i;
	return -1;
}

void sizes_note(struct sizes_seen *seen, uint64_t size_B)
{
	const int at = find(seen, size_B);
	unsigned rarest = 0;

	if (at >= 0) {
		seen->times[at] += seen->times[at] < UINT32_MAX;
		return;
	}
	for (unsigned i = 1; i < SIZES_KNOWN; i++)
		if (seen->times[i] < seen->times[rarest])
			rarest = i;
	seen->size_B[rarest] = size_B;
	seen->times[rarest] = 1;
}

bool sizes_known(const struct sizes_seen *seen, uint64_t size_B)
{
	const int at = find(seen, size_B);

	return at >= 0 && seen->times[at] >= TIMES_KNOWN;
}

unsigned sizes_multiple(const struct sizes_seen *seen, uint64_t sum_B)
{
	for (unsigned i = 0; i < SIZES_KNOWN; i++)
		if (seen->times[i] >= TIMES_KNOWN && sum_B > seen->size_B[i] && sum_B % seen->size_B[i] == 0 &&
		    sum_B / seen->size_B[i] <= SIZES_MULTIPLE_MAX)
			return (unsigned)(sum_B / seen->size_B[i]);
	return 0;
}

bool sizes_cut(struct sizes_seen *seen, uint64_t first_B, uint64_t sum_B)
{
	unsigned at = 0;

	while (at < SIZES_KNOWN && seen->cut_sum_B[at] != sum_B)
		at++;
	if (at < SIZES_KNOWN && seen->cut_first_B[at] != first_B)
		return true;
	if (at == SIZES_KNOWN)
		at = seen->cuts++ % SIZES_KNOWN;
	seen->cut_sum_B[at] = sum_B;
	seen->cut_first_B[at] = first_B;
	return false;
}
