// SPDX-License-Identifier: GPL-3.0-or-later
// The algorithms as patterns. A new one is a row of the table: how many steps it has, who sends to
// whom in each, how places are found, and what its sizes say. They are those of Thakur,
// Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH, IJHPCA 19,
// 2005 (collectives/ writes them). Those of powers of two take other numbers n, too, as there: of
// the first 2 (n - m) places, m the largest power of two in n, each even one sends its data to the
// next before, and gets them back afterwards.
#include "messages/exchanges.h"

#include <string.h>

static uint32_t bits_in(uint32_t places) // log2, rounded down
{
	return 31 - (uint32_t)__builtin_clz(places);
}

static bool pattern_is_power(uint32_t places)
{
	return (places & (places - 1)) == 0;
}

// ---- how many steps, and the place that place p sends to in step k

static uint32_t steps_ring(uint32_t n)
{
	return n - 1;
}

static uint32_t steps_two_rings(uint32_t n)
{
	return 2 * (n - 1);
}

static uint32_t steps_xor(uint32_t n)
{
	return pattern_is_power(n) ? n - 1 : 0;
}

static uint32_t steps_cube(uint32_t n)
{
	return bits_in(n) + (pattern_is_power(n) ? 0 : 2);
}

static uint32_t steps_two_cubes(uint32_t n)
{
	return 2 * bits_in(n) + (pattern_is_power(n) ? 0 : 2);
}

static uint32_t steps_doubled(uint32_t n)
{
	return bits_in(n) + !pattern_is_power(n);
}

static uint32_t peer_next(uint32_t n, uint32_t p, uint32_t k)
{
	(void)k;
	return (p + 1) % n;
}

static uint32_t peer_ahead(uint32_t n, uint32_t p, uint32_t k)
{
	return (p + 1 + k) % n;
}

static uint32_t peer_xor(uint32_t n, uint32_t p, uint32_t k)
{
	(void)n;
	return p ^ (k + 1);
}

static uint32_t peer_doubled(uint32_t n, uint32_t p, uint32_t k)
{
	return (uint32_t)((p + (UINT64_C(1) << k)) % n);
}

// The distance doubles, and goes back in further steps. far: it halves first.
static uint32_t cube_peer(uint32_t n, uint32_t p, uint32_t k, uint32_t steps, bool far)
{
	const uint32_t bits = bits_in(n), over = n - (UINT32_C(1) << bits), fold = over > 0;
	const bool folded = p < 2 * over && p % 2 == 0;
	uint32_t at = p < 2 * over ? p / 2 : p - over;

	if (fold && k == 0)
		return folded ? p + 1 : EXCHANGE_NONE;
	if (fold && k == steps - 1)
		return p < 2 * over && !folded ? p - 1 : EXCHANGE_NONE;
	if (folded)
		return EXCHANGE_NONE;
	k = k - fold < bits ? k - fold : 2 * bits - 1 - (k - fold);
	at ^= UINT32_C(1) << (far ? bits - 1 - k : k);
	return at < over ? 2 * at + 1 : at + over;
}

static uint32_t peer_cube(uint32_t n, uint32_t p, uint32_t k)
{
	return cube_peer(n, p, k, steps_cube(n), false);
}

static uint32_t peer_two_cubes(uint32_t n, uint32_t p, uint32_t k)
{
	return cube_peer(n, p, k, steps_two_cubes(n), false);
}

static uint32_t peer_two_far(uint32_t n, uint32_t p, uint32_t k)
{
	return cube_peer(n, p, k, steps_two_cubes(n), true);
}

static uint32_t tree_low(uint32_t n, uint32_t p, uint32_t what)
{
	return what == 0 ? p & (p - 1) : steps_doubled(n) - 1 - (uint32_t)__builtin_ctz(p);
}

static uint32_t tree_high(uint32_t n, uint32_t p, uint32_t what)
{
	(void)n;
	return what == 0 ? p - (UINT32_C(1) << bits_in(p)) : bits_in(p);
}

static uint32_t tree_star(uint32_t n, uint32_t p, uint32_t what)
{
	(void)n;
	(void)p;
	(void)what;
	return 0;
}

// ---- what sizes say

static bool sizes_are_equal(const struct exchange *exchange)
{
	for (size_t i = 1; i < exchange->count; i++)
		if (exchange->parts[i].of->size_bytes != exchange->parts[0].of->size_bytes)
			return false;
	return true;
}

// What a place sends and gets in a step, and in the one before.
typedef bool (*size_rule)(uint64_t sent, uint64_t got, uint64_t sent_before, uint64_t got_before);

// It passes on what it got.
static bool size_passed_on(uint64_t sent, uint64_t got, uint64_t sent_before, uint64_t got_before)
{
	(void)got;
	(void)sent_before;
	return sent == got_before;
}

// It sends all that it has.
static bool size_doubles(uint64_t sent, uint64_t got, uint64_t sent_before, uint64_t got_before)
{
	(void)got;
	return sent == sent_before + got_before;
}

// It sends a part of what it got, and gets the rest's.
static bool size_halves(uint64_t sent, uint64_t got, uint64_t sent_before, uint64_t got_before)
{
	(void)sent_before;
	return sent + got == got_before;
}

// Whether the rule holds at each place from step first to step end, but in the first.
static bool sizes_follow(const struct exchange_group *group, const struct exchange *exchange,
			 uint32_t first, uint32_t end, size_rule rule)
{
	const uint32_t n = group->rows;
	uint64_t *sent = group->sizes, *got = sent + n, *sent_before = got + n,
		 *got_before = sent_before + n;
	size_t i = 0;

	while (i < exchange->count && exchange->parts[i].step < first)
		i++;
	for (uint32_t k = first; k < end; k++) {
		memcpy(sent_before, sent, 2 * n * sizeof(*sent));
		memset(sent, 0, 2 * n * sizeof(*sent));
		for (; i < exchange->count && exchange->parts[i].step == k; i++) {
			sent[exchange->parts[i].src] += exchange->parts[i].of->size_bytes;
			got[exchange->parts[i].dst] += exchange->parts[i].of->size_bytes;
		}
		for (uint32_t p = 0; p < n && k > first; p++)
			if (!rule(sent[p], got[p], sent_before[p], got_before[p]))
				return false;
	}
	return true;
}

static const char *say_ring(const struct exchange_group *group, const struct exchange *exchange)
{
	return sizes_follow(group, exchange, 0, exchange->steps, size_passed_on)
		       ? "all-gather, reduce-scatter or shifts"
		       : NULL;
}

static const char *say_two_rings(const struct exchange_group *group,
				 const struct exchange *exchange)
{
	if (!say_ring(group, exchange))
		return NULL;
	return sizes_are_equal(exchange)
		       ? "all-reduce, or two of all-gather, reduce-scatter or shifts"
		       : "all-reduce";
}

static const char *say_all(const struct exchange_group *group, const struct exchange *exchange)
{
	(void)group;
	(void)exchange;
	return "all-to-all, all-gather or reduce-scatter";
}

// Whether a place that has no part but in the first and last steps gives, and gets, all data there.
static bool fold_fits(const struct exchange *exchange, uint64_t all_bytes)
{
	for (size_t i = 0; i < exchange->count; i++)
		if ((exchange->parts[i].step == 0 ||
		     exchange->parts[i].step == exchange->steps - 1) &&
		    exchange->parts[i].of->size_bytes != all_bytes)
			return false;
	return true;
}

static const char *say_cube(const struct exchange_group *group, const struct exchange *exchange)
{
	if (sizes_are_equal(exchange))
		return "all-reduce, barrier or butterfly";
	if (!pattern_is_power(exchange->places))
		return NULL;
	if (sizes_follow(group, exchange, 0, exchange->steps, size_doubles))
		return "all-gather";
	return sizes_follow(group, exchange, 0, exchange->steps, size_halves) ? "reduce-scatter"
									      : NULL;
}

static const char *say_two_cubes(const struct exchange_group *group,
				 const struct exchange *exchange)
{
	const uint32_t fold = !pattern_is_power(exchange->places), end = exchange->steps - fold;
	const uint32_t half = exchange->steps / 2;

	if (!sizes_follow(group, exchange, fold, half, size_halves) ||
	    !sizes_follow(group, exchange, half, end, size_doubles) ||
	    // In the middle it passes on the rest of what it has.
	    !sizes_follow(group, exchange, half - 1, half + 1, size_passed_on))
		return NULL;
	if (fold) {
		uint64_t all_bytes = 0;
		for (size_t i = 0; i < exchange->count && exchange->parts[i].step <= 1; i++)
			if (exchange->parts[i].step == 1 &&
			    (exchange->parts[i].src == 1 || exchange->parts[i].dst == 1))
				all_bytes += exchange->parts[i].of->size_bytes;
		if (!fold_fits(exchange, all_bytes))
			return NULL;
	}
	return "all-reduce";
}

// Blocks in step k of the two operations by dissemination among n places: those gathered so far, or
// as many as are left; those whose number has bit k.
static uint64_t blocks_gathered(uint64_t n, uint32_t k)
{
	const uint64_t blocks = UINT64_C(1) << k;

	return blocks < n - blocks ? blocks : n - blocks;
}

static uint64_t blocks_with_bit(uint64_t n, uint32_t k)
{
	const uint64_t bit = UINT64_C(1) << k, over = n % (2 * bit);

	return n / (2 * bit) * bit + (over > bit ? over - bit : 0);
}

static bool sizes_are_blocks(const struct exchange *exchange,
			     uint64_t (*blocks)(uint64_t n, uint32_t k))
{
	const uint64_t n = exchange->places, first = blocks(n, 0);

	for (size_t i = 0; i < exchange->count; i++)
		if (exchange->parts[i].of->size_bytes * first !=
		    exchange->parts[0].of->size_bytes * blocks(n, exchange->parts[i].step))
			return false;
	return true;
}

static const char *say_doubled(const struct exchange_group *group, const struct exchange *exchange)
{
	const bool equal = sizes_are_equal(exchange);

	(void)group;
	if (sizes_are_blocks(exchange, blocks_with_bit))
		return equal ? "barrier or all-to-all" : "all-to-all";
	if (equal)
		return "barrier";
	return sizes_are_blocks(exchange, blocks_gathered) ? "all-gather" : NULL;
}

// Whether each place but the root sends no more than it gets, or with turn -1 the other way about.
static bool tree_keeps(const struct exchange_group *group, const struct exchange *exchange,
		       int64_t turn)
{
	int64_t *kept = (int64_t *)group->sizes;

	memset(kept, 0, exchange->places * sizeof(*kept));
	for (size_t i = 0; i < exchange->count; i++) {
		kept[exchange->parts[i].src] -= (int64_t)exchange->parts[i].of->size_bytes * turn;
		kept[exchange->parts[i].dst] += (int64_t)exchange->parts[i].of->size_bytes * turn;
	}
	for (uint32_t p = 1; p < exchange->places; p++)
		if (kept[p] < 0)
			return false;
	return true;
}

static const char *say_down(const struct exchange_group *group, const struct exchange *exchange)
{
	if (sizes_are_equal(exchange))
		return exchange->steps > 1 ? "broadcast" : "broadcast or scatter";
	return tree_keeps(group, exchange, 1) ? "scatter" : NULL;
}

static const char *say_up(const struct exchange_group *group, const struct exchange *exchange)
{
	if (sizes_are_equal(exchange))
		return exchange->steps > 1 ? "reduce" : "reduce or gather";
	return tree_keeps(group, exchange, -1) ? "gather" : NULL;
}

static uint32_t steps_one(uint32_t n)
{
	(void)n;
	return 1;
}

const struct exchange_pattern exchange_patterns[] = {
	{"ring", 3, exchange_find_by_sends, steps_two_rings, peer_next, say_two_rings},
	{"ring", 3, exchange_find_by_sends, steps_ring, peer_next, say_ring},
	{"pairwise", 4, exchange_find_by_sends, steps_ring, peer_ahead, say_all},
	{"pairwise", 4, exchange_find_by_sends, steps_xor, peer_xor, say_all},
	{"halving-doubling", 4, exchange_find_by_sends, steps_two_cubes, peer_two_cubes,
	 say_two_cubes},
	{"halving-doubling", 5, exchange_find_by_sends, steps_two_cubes, peer_two_far,
	 say_two_cubes},
	{"recursive", 4, exchange_find_by_sends, steps_cube, peer_cube, say_cube},
	{"dissemination", 4, exchange_find_by_sends, steps_doubled, peer_doubled, say_doubled},
	{"linear", 4, exchange_find_all, steps_one, NULL, say_all},
	{"binomial", 4, exchange_find_down, steps_doubled, tree_low, say_down},
	{"binomial", 4, exchange_find_up, steps_doubled, tree_low, say_up},
	{"binomial", 6, exchange_find_down, steps_doubled, tree_high, say_down},
	{"binomial", 6, exchange_find_up, steps_doubled, tree_high, say_up},
	{"linear", 4, exchange_find_down, steps_one, tree_star, say_down},
	{"linear", 4, exchange_find_up, steps_one, tree_star, say_up},
};

const size_t exchange_pattern_count = sizeof(exchange_patterns) / sizeof(*exchange_patterns);
