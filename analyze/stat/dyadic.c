// SPDX-License-Identifier: GPL-3.0-or-later
// Roughan, Veitch and Abry, Real-time estimation of the parameters of long-range dependence, IEEE/ACM
// Transactions on Networking 8 (2000) 467-478, section IV: the pyramid as a filter bank that runs. For
// Haar's wavelet all of it stays in integers.
#include "stat/dyadic.h"

// Pairs the window with the one before it, and gives the whole window up.
static void add_window(struct dyadic *dyadic, unsigned j, int64_t index, int64_t sum)
{
	for (; j < DYADIC_LEVELS; j++, index >>= 1) {
		struct dyadic_level *level = &dyadic->level[j];
		__int128 detail;

		moments_add(&level->windows, sum);
		if (dyadic->levels <= j)
			dyadic->levels = j + 1;
		if ((index & 1) == 0) {
			level->left = sum;
			level->has_left = true;
			return;
		}
		if (!level->has_left)
			return;
		level->has_left = false;
		detail = (__int128)level->left - sum;
		level->details += (unsigned __int128)(detail * detail);
		sum += level->left;
	}
}

// count empty windows in a row. Those that begin or end within a pair of the level are added one by
// one, the others as pairs of zeros.
static void add_empty(struct dyadic *dyadic, unsigned j, int64_t index, uint64_t count)
{
	if (count > 0 && (index & 1) != 0) {
		add_window(dyadic, j, index, 0);
		index++;
		count--;
	}
	if (count >= 2 && j + 1 < DYADIC_LEVELS) {
		moments_add_repeated(&dyadic->level[j].windows, 0, count & ~(uint64_t)1);
		if (dyadic->levels <= j)
			dyadic->levels = j + 1;
		add_empty(dyadic, j + 1, index >> 1, count >> 1);
	}
	if ((count & 1) != 0)
		add_window(dyadic, j, index + (int64_t)(count & ~(uint64_t)1), 0);
}

// Adds the open bin, unless it was cut at the run's start, and the empty ones up to index.
static void complete(struct dyadic *dyadic, int64_t index)
{
	const struct bin_run *open = &dyadic->open;

	if (!dyadic->first)
		add_window(dyadic, 0, open->index,
			   (int64_t)(dyadic->of_bytes ? open->size_bytes : open->count));
	add_empty(dyadic, 0, open->index + 1, (uint64_t)(index - open->index - 1));
	dyadic->first = false;
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
		dyadic->first = true;
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
