// SPDX-License-Identifier: GPL-3.0-or-later
// Roughan, Veitch and Abry, Real-time estimation of the parameters of long-range dependence, IEEE/ACM
// Transactions on Networking 8 (2000) 467-478, section IV: the pyramid as a filter bank that runs. For
// Haar's wavelet all of it stays in integers.
#include "stat/dyadic.h"

// At each level the window that holds the open bin is whole once time has left it for another, and those in between are
// empty; those that hold the first bin, which was cut, take no part.
static void complete(struct dyadic *dyadic, int64_t index)
{
	int64_t from = dyadic->open.index, to = index, cut = dyadic->cut;
	int64_t sum = (int64_t)(dyadic->of_bytes ? dyadic->open.size_bytes : dyadic->open.count);

	for (unsigned j = 0; from != to && j < DYADIC_LEVELS; j++, from >>= 1, to >>= 1, cut >>= 1) {
		struct dyadic_level *level = &dyadic->level[j];
		const uint64_t empty = (uint64_t)(to - from - 1);
		const bool is_right = (from & 1) != 0, is_pair = from - is_right > cut && (is_right || empty > 0);
		const int64_t left = is_right ? level->left : sum, right = is_right ? sum : 0, detail = left - right;

		if (from > cut)
			moments_add(&level->windows, sum);
		if (empty > 0)
			moments_add_zeros(&level->windows, empty);
		if (dyadic->levels <= j && level->windows.n > 0)
			dyadic->levels = j + 1;
		// No branch: whether there is a pair is as good as random.
		level->details += (unsigned __int128)((__int128)detail * detail) & -(unsigned __int128)is_pair;
		level->left = empty > 0 ? 0 : sum;
		sum = left + right;
	}
}

// Keeps the sum of all below what squares of windows leave room for.
static enum tr_status add_to_total(struct dyadic *dyadic, const struct bin_run *run, struct tr_error *err)
{
	const uint64_t more = dyadic->of_bytes ? run->size_bytes : run->count;

	if (more > DYADIC_TOTAL_MAX - dyadic->total)
		return tr_fail(err, "bin %lld: the %s are more than 2^62 together", (long long)run->index,
			       dyadic->of_bytes ? "bytes" : "packets");
	dyadic->total += more;
	return TR_OK;
}

enum tr_status dyadic_take(void *context, const struct bin_run *run, struct tr_error *err)
{
	struct dyadic *dyadic = context;

	if (add_to_total(dyadic, run, err) != TR_OK)
		return TR_ERROR;
	if (dyadic->started && run->index == dyadic->open.index) {
		dyadic->open.count += run->count;
		dyadic->open.size_bytes += run->size_bytes;
		return TR_OK;
	}
	if (dyadic->started && run->index < dyadic->open.index)
		return tr_fail(err, "bin %lld comes after bin %lld: the packets are not in the order of time",
			       (long long)run->index, (long long)dyadic->open.index);
	if (dyadic->started)
		complete(dyadic, run->index);
	else
		dyadic->cut = run->index;
	dyadic->started = true;
	dyadic->open = *run;
	return TR_OK;
}

void dyadic_pass(struct dyadic *dyadic, int64_t index)
{
	if (!dyadic->started || index <= dyadic->open.index)
		return;
	complete(dyadic, index);
	dyadic->open = (struct bin_run){.index = index};
}

uint64_t dyadic_pairs(const struct dyadic *dyadic, unsigned level)
{
	return level + 1 < DYADIC_LEVELS ? dyadic->level[level + 1].windows.n : 0;
}
