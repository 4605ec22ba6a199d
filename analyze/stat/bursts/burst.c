// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/bursts/burst.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Sums and gaps from listed gap first up to listed gap last begin.
static void begin_listed(struct burst *burst, size_t first, size_t last)
{
	for (size_t i = first; i <= last; i++) {
		burst->sums[i] = (struct burst_sums){0};
		burst->gaps[i] = (struct moments){0};
	}
}

enum tr_status burst_open(struct burst *burst, const struct burst_gaps *list, struct tr_error *err)
{
	memset(burst, 0, sizeof(*burst));
	burst->list = list;
	burst->heads = calloc(list->count + 1, sizeof(*burst->heads));
	burst->steps = calloc(list->count + 1, sizeof(*burst->steps));
	burst->sums = reallocarray(NULL, list->count + 1, sizeof(*burst->sums));
	burst->gaps = reallocarray(NULL, list->count + 1, sizeof(*burst->gaps));
	if (!burst->heads || !burst->steps || !burst->sums || !burst->gaps)
		return tr_no_memory(err, "the bursts by %zu gaps", list->count);
	begin_listed(burst, 0, 0);
	return TR_OK;
}

// A burst: its packets, and from its start to that of the next.
struct burst_length {
	uint64_t pulses, starts;
};

// By listed gap i and longer ones a burst ended that has more pulses and starts later than the one
// by the gaps before it: adds the differences of the two. Both may be 0.
static void add_longer(struct burst *burst, size_t i, struct burst_length before,
		       struct burst_length ended)
{
	struct burst_sums *sums = &burst->sums[i];
	const struct burst_length more = {ended.pulses - before.pulses,
					  ended.starts - before.starts};

	sums->pulses += more.pulses;
	sums->starts += more.starts;
	sums->pulses_squares += (unsigned __int128)more.pulses * (ended.pulses + before.pulses);
	sums->starts_squares += (unsigned __int128)more.starts * (ended.starts + before.starts);
}

// By listed gap i and longer ones no burst ended.
static void add_none(struct burst *burst, size_t i, struct burst_length before)
{
	struct burst_sums *sums = &burst->sums[i];

	sums->pulses -= before.pulses;
	sums->starts -= before.starts;
	sums->pulses_squares -= (unsigned __int128)before.pulses * before.pulses;
	sums->starts_squares -= (unsigned __int128)before.starts * before.starts;
}

// A burst ended by listed gap i alone.
static void add_burst(struct burst *burst, size_t i, uint64_t pulses, int64_t starts)
{
	const struct burst_length ended = {pulses, (uint64_t)starts};

	add_longer(burst, i, (struct burst_length){0}, ended);
	add_none(burst, i + 1, ended);
}

// A silence longer than the first below listed gaps has ended, for the first time for some of them;
// the next bursts begin at start.
static void reach(struct burst *burst, size_t below, int64_t start)
{
	if (below <= burst->split_count)
		return;
	begin_listed(burst, burst->split_count + 1, below);
	for (; burst->split_count < below; burst->split_count++)
		burst->heads[burst->split_count] = (struct burst_head){burst->packets, start};
}

// Such a silence for listed gaps that were reached; the last bursts by them end, which are longer
// from step to step.
static void split(struct burst *burst, size_t below, int64_t start)
{
	struct burst_length before = {0};
	size_t from = 0;

	while (from < below && burst->step_count > 0) {
		const struct burst_step *step = &burst->steps[burst->step_count - 1];
		const struct burst_length ended = {burst->packets - step->first,
						   (uint64_t)burst_gap_between(step->start, start)};

		add_longer(burst, from, before, ended);
		before = ended;
		if (step->end <= below)
			burst->step_count--;
		from = step->end < below ? step->end : below;
	}
	add_none(burst, from, before);
	burst->steps[burst->step_count++] = (struct burst_step){below, burst->packets, start};
}

void burst_add(struct burst *burst, int64_t time_ticks, uint64_t size_bytes)
{
	moments_add(&burst->size_bytes, (int64_t)size_bytes);
	if (burst->packets == 0) {
		burst->first_ticks = time_ticks;
	} else {
		const int64_t gap = burst_gap_between(burst->last_ticks, time_ticks);
		const size_t below = burst_gaps_below(burst->list, gap);

		reach(burst, below, time_ticks);
		moments_add(&burst->gaps[below], gap);
		if (below > 0)
			split(burst, below, time_ticks);
	}
	burst->packets++;
	burst->last_ticks = time_ticks;
}

uint64_t burst_splits(const struct burst *burst, size_t i)
{
	uint64_t splits = 0;

	for (size_t k = i + 1; k <= burst->split_count; k++)
		splits += burst->gaps[k].n;
	return splits;
}

void burst_count_gaps(const struct burst *burst, struct burst_gap_counts *gaps)
{
	if (burst->packets == 0)
		return;
	gaps->trains++;
	gaps->packets += burst->packets;
	for (size_t i = 0; i <= burst->split_count; i++)
		gaps->counts[i] += burst->gaps[i].n;
}

static void merge_sums(struct burst_sums *into, const struct burst_sums *from)
{
	into->pulses += from->pulses;
	into->starts += from->starts;
	into->pulses_squares += from->pulses_squares;
	into->starts_squares += from->starts_squares;
}

// The sum of the differences up to listed gap i.
static struct burst_sums sums_of(const struct burst *burst, size_t i)
{
	struct burst_sums sums = {0};

	for (size_t k = 0; k <= i && k <= burst->split_count; k++)
		merge_sums(&sums, &burst->sums[k]);
	return sums;
}

static void burst_add_value(struct moments *moments, int64_t value)
{
	moments->n++;
	moments->sum += value;
	moments->sum_squares += (unsigned __int128)((__int128)value * value);
}

// The last burst by listed gap i: packets before it, and its begin.
static struct burst_step last_burst(const struct burst *burst, size_t i)
{
	for (size_t k = burst->step_count; k-- > 0;)
		if (i < burst->steps[k].end)
			return burst->steps[k];
	return (struct burst_step){0, 0, burst->first_ticks};
}

struct burst_statistics burst_get(const struct burst *burst, size_t i)
{
	const uint64_t splits = burst->packets > 0 ? burst_splits(burst, i) : 0;
	struct burst_statistics out = {.size_bytes = burst->size_bytes};

	if (burst->packets == 0)
		return out;
	if (splits > 0) {
		const struct burst_sums sums = sums_of(burst, i);

		out.pulses = (struct moments){
			.n = splits - 1, .sum = sums.pulses, .sum_squares = sums.pulses_squares};
		out.interarrival = (struct moments){
			.n = splits - 1, .sum = sums.starts, .sum_squares = sums.starts_squares};
		burst_add_value(&out.pulses, (int64_t)burst->heads[i].pulses);
		burst_add_value(&out.interarrival, burst_gap_between(burst->first_ticks,
								     burst->heads[i].second_start));
	}
	burst_add_value(&out.pulses, (int64_t)(burst->packets - last_burst(burst, i).first));
	for (size_t k = 0; k <= burst->split_count; k++)
		moments_merge(k <= i ? &out.delay : &out.silence, &burst->gaps[k]);
	return out;
}

void burst_statistics_merge(struct burst_statistics *into, const struct burst_statistics *from)
{
	moments_merge(&into->interarrival, &from->interarrival);
	moments_merge(&into->silence, &from->silence);
	moments_merge(&into->pulses, &from->pulses);
	moments_merge(&into->delay, &from->delay);
	moments_merge(&into->size_bytes, &from->size_bytes);
}

// ---- parts of a stream

// The first burst by listed gap i; where there is no other, second_start is meaningless.
static struct burst_head first_burst(const struct burst *burst, size_t i)
{
	return i < burst->split_count ? burst->heads[i]
				      : (struct burst_head){burst->packets, burst->first_ticks};
}

// Joins the bursts by one burst gap where the parts meet, cut there or not: the first burst, what
// is inside now, and the last one, which it returns.
static struct burst_step join_by_gap(struct burst *burst, const struct burst *later, size_t i,
				     bool cut)
{
	const bool split = i < burst->split_count, later_split = i < later->split_count;
	const struct burst_step last = last_burst(burst, i), later_last = last_burst(later, i);
	const struct burst_head later_head = first_burst(later, i);
	const uint64_t tail = burst->packets - last.first;

	if (cut && split)
		add_burst(burst, i, tail, burst_gap_between(last.start, later->first_ticks));
	else if (cut)
		burst->heads[i] = (struct burst_head){burst->packets, later->first_ticks};
	else if (later_split && split)
		add_burst(burst, i, tail + later_head.pulses,
			  burst_gap_between(last.start, later_head.second_start));
	else if (later_split)
		burst->heads[i] = (struct burst_head){burst->packets + later_head.pulses,
						      later_head.second_start};
	if (cut && later_split)
		add_burst(burst, i, later_head.pulses,
			  burst_gap_between(later->first_ticks, later_head.second_start));
	if (cut || later_split)
		return (struct burst_step){i + 1, burst->packets + later_last.first,
					   later_last.start};
	return (struct burst_step){i + 1, last.first, last.start};
}

// Joins the bursts by each listed gap; the longest come first in the steps.
static void join_listed(struct burst *burst, const struct burst *later, size_t below)
{
	struct burst_step steps[BURST_GAPS_MAX];
	size_t splits = below, count = 0;

	splits = burst->split_count > splits ? burst->split_count : splits;
	splits = later->split_count > splits ? later->split_count : splits;
	begin_listed(burst, burst->split_count + 1, splits);
	for (size_t i = splits; i-- > 0;) {
		const struct burst_step step = join_by_gap(burst, later, i, i < below);

		if (count == 0 || step.first != steps[count - 1].first)
			steps[count++] = step;
	}
	memcpy(burst->steps, steps, count * sizeof(*steps));
	burst->step_count = count;
	burst->split_count = splits;
}

void burst_join(struct burst *burst, const struct burst *later)
{
	const int64_t gap = burst_gap_between(burst->last_ticks, later->first_ticks);
	const size_t below = burst_gaps_below(burst->list, gap);

	if (later->packets == 0)
		return;
	if (burst->packets == 0) {
		burst->first_ticks = later->first_ticks;
		begin_listed(burst, 1, later->split_count);
		burst->split_count = later->split_count;
		burst->step_count = later->step_count;
		memcpy(burst->heads, later->heads, later->split_count * sizeof(*later->heads));
		memcpy(burst->steps, later->steps, later->step_count * sizeof(*later->steps));
	} else {
		join_listed(burst, later, below);
		moments_add(&burst->gaps[below], gap);
	}
	for (size_t i = 0; i <= later->split_count; i++) {
		merge_sums(&burst->sums[i], &later->sums[i]);
		moments_merge(&burst->gaps[i], &later->gaps[i]);
	}
	moments_merge(&burst->size_bytes, &later->size_bytes);
	burst->packets += later->packets;
	burst->last_ticks = later->last_ticks;
}

void burst_shift(struct burst *burst, int64_t ticks)
{
	burst->first_ticks += ticks;
	burst->last_ticks += ticks;
	for (size_t i = 0; i < burst->split_count; i++)
		burst->heads[i].second_start += ticks;
	for (size_t i = 0; i < burst->step_count; i++)
		burst->steps[i].start += ticks;
}

static bool nothing_ended(const struct burst *burst, size_t i)
{
	const struct burst_sums *sums = &burst->sums[i];

	return burst->gaps[i].n == 0 && sums->pulses == 0 && sums->starts == 0 &&
	       sums->pulses_squares == 0 && sums->starts_squares == 0;
}

// A sum as its difference from that of the listed gap before.
static void exchange_difference(uint64_t *difference, uint64_t *before, struct partial *partial)
{
	const uint64_t sum = *before + *difference;
	__int128 whole = (__int128)sum - (__int128)*before;

	partial_i128(partial, &whole);
	if (whole < -(__int128)*before || whole > (__int128)UINT64_MAX - (__int128)*before)
		partial_refuse(partial, "sums of bursts do not fit 64 bits");
	*difference = (uint64_t)whole;
	*before += *difference;
}

static void exchange_sums(struct burst_sums *sums, struct burst_sums *before,
			  struct partial *partial)
{
	exchange_difference(&sums->pulses, &before->pulses, partial);
	exchange_difference(&sums->starts, &before->starts, partial);
	partial_u128(partial, &sums->pulses_squares);
	partial_u128(partial, &sums->starts_squares);
}

// At most of the listed gaps nothing ended: how many such there are comes before each of the
// others.
static void exchange_listed(struct burst *burst, struct partial *partial)
{
	const size_t count = burst->split_count + 1;
	struct burst_sums before = {0};

	for (size_t i = 0; i < count && partial_ok(partial); i++) {
		uint64_t empty = 0;

		while (!partial_reads(partial) && i + empty < count &&
		       nothing_ended(burst, i + empty))
			empty++;
		partial_u64(partial, &empty, count - i);
		i += empty;
		if (i == count)
			break;
		exchange_sums(&burst->sums[i], &before, partial);
		partial_moments(partial, &burst->gaps[i]);
	}
}

// Steps have falling ends, and bursts that begin later and later.
static void exchange_steps(struct burst *burst, struct partial *partial)
{
	const size_t listed = burst->list->count;
	uint64_t count = burst->step_count, end;

	partial_u64(partial, &count, burst->split_count);
	for (size_t i = 0; i < count; i++) {
		struct burst_step *step = &burst->steps[i];

		end = step->end;
		partial_u64(partial, &end, listed);
		partial_u64(partial, &step->first, burst->packets);
		partial_i64(partial, &step->start);
		step->end = end;
		if (partial_reads(partial) &&
		    (i > 0 ? end >= burst->steps[i - 1].end : end != burst->split_count))
			partial_refuse(partial, "the gaps of bursts are out of order");
	}
	burst->step_count = count;
}

void burst_exchange(struct burst *burst, struct partial *partial)
{
	uint64_t split_count = burst->split_count;

	partial_u64(partial, &burst->packets, PARTIAL_COUNT_MAX);
	partial_i64(partial, &burst->first_ticks);
	partial_i64(partial, &burst->last_ticks);
	partial_moments(partial, &burst->size_bytes);
	partial_u64(partial, &split_count, burst->list->count);
	if (partial_reads(partial))
		begin_listed(burst, 1, split_count);
	burst->split_count = split_count;
	for (size_t i = 0; i < split_count; i++) {
		partial_u64(partial, &burst->heads[i].pulses, burst->packets);
		partial_i64(partial, &burst->heads[i].second_start);
	}
	exchange_steps(burst, partial);
	exchange_listed(burst, partial);
}

void burst_clear(struct burst *burst)
{
	burst->packets = 0;
	burst->first_ticks = burst->last_ticks = 0;
	burst->size_bytes = (struct moments){0};
	burst->split_count = burst->step_count = 0;
	begin_listed(burst, 0, 0);
}

void burst_close(struct burst *burst)
{
	free(burst->heads);
	free(burst->steps);
	free(burst->sums);
	free(burst->gaps);
	memset(burst, 0, sizeof(*burst));
}
