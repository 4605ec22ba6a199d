// SPDX-License-Identifier: GPL-3.0-or-later
// Collective operations found in messages: the algorithm and the order of random operations between
// shuffled nodes, none in anything else, and what a late node and a slow link cost, which the same
// operation without them shows. FLIT_CASES, FLIT_FIRST: random cases.
#include "messages/exchanges.h"
#include "setting.h"

#include <stdio.h>
#include <string.h>

#include "value/random.h"

#define NODES_MAX 24u
#define MESSAGES_MAX 20000u
#define HOP_TICKS 1000

enum way {
	RING,
	RING_ONCE,
	DOUBLING,
	HALVING_DOUBLING,
	GATHER_DOUBLING,
	PAIRWISE,
	XOR,
	BRUCK,
	WAYS
};
static const char *const way_names[WAYS] = {
	"ring",	     "ring",	 "recursive", "halving-doubling",
	"recursive", "pairwise", "pairwise",  "dissemination"};

struct traffic {
	struct exchange_message list[MESSAGES_MAX];
	size_t count;
	struct tr_random random;
	int64_t now, spread_ticks; // of the begins and of the times between
	int64_t late_ticks, slow_ticks;
	uint32_t late, slow_src, slow_dst; // places; UINT32_MAX: none
};

static struct traffic traffic;

static uint32_t bits_of(uint32_t n)
{
	uint32_t bits = 0;

	while (1u << bits < n)
		bits++;
	return bits;
}

static uint32_t steps_of(enum way way, uint32_t n)
{
	switch (way) {
	case RING: return 2 * n - 2;
	case HALVING_DOUBLING: return 2 * bits_of(n);
	case DOUBLING:
	case GATHER_DOUBLING:
	case BRUCK: return bits_of(n);
	default: return n - 1;
	}
}

static uint32_t to_of(enum way way, uint32_t n, uint32_t p, uint32_t k)
{
	switch (way) {
	case RING:
	case RING_ONCE: return p + 1 == n ? 0 : p + 1;
	case DOUBLING:
	case GATHER_DOUBLING: return p ^ 1u << k;
	// The farthest first, and back.
	case HALVING_DOUBLING: return p ^ n >> (k < bits_of(n) ? k + 1 : 2 * bits_of(n) - k);
	case XOR: return p ^ (k + 1);
	case BRUCK: return (p + n - (1u << k) % n) % n; // backward
	default: return (p + k + 1) % n;
	}
}

static uint64_t bytes_until(uint64_t bytes, uint32_t n, uint32_t block)
{
	return bytes * block / n;
}

static uint64_t bytes_of(enum way way, uint32_t n, uint32_t p, uint32_t k, uint64_t bytes)
{
	const uint32_t block = (p + 2 * n - k % n) % n, bits = bits_of(n);

	switch (way) {
	case RING:
	case RING_ONCE: return bytes_until(bytes, n, block + 1) - bytes_until(bytes, n, block);
	case GATHER_DOUBLING: return bytes << k;
	case BRUCK: return bytes * ((1u << k) < n - (1u << k) ? 1u << k : n - (1u << k));
	case DOUBLING: return bytes;
	case HALVING_DOUBLING: {
		const uint32_t near = n >> (k < bits ? k + 1 : 2 * bits - k);
		// What it sends: its partner's half of what both have; afterwards its own.
		const uint32_t own = (k < bits ? p ^ near : p) / near * near;

		return bytes_until(bytes, n, own + near) - bytes_until(bytes, n, own);
	}
	default: return bytes + p * n + k;
	}
}

static int64_t some(int64_t below)
{
	return below > 0 ? (int64_t)tr_random_below(&traffic.random, (uint64_t)below) : 0;
}

// Adds an operation of the nodes, in this order of places, and goes on to its end.
static void operate(enum way way, uint32_t n, const uint32_t *nodes, uint64_t bytes)
{
	int64_t began[NODES_MAX], came[NODES_MAX], end = 0;

	for (uint32_t p = 0; p < n; p++)
		began[p] = traffic.now + some(traffic.spread_ticks) +
			   (p == traffic.late ? traffic.late_ticks : 0);
	for (uint32_t k = 0; k < steps_of(way, n); k++) {
		for (uint32_t p = 0; p < n; p++) {
			const uint32_t to = to_of(way, n, p, k);
			const bool slow = p == traffic.slow_src && to == traffic.slow_dst;

			came[to] = began[p] + HOP_TICKS + some(traffic.spread_ticks) +
				   (slow ? traffic.slow_ticks : 0);
			assert_true(traffic.count < MESSAGES_MAX);
			traffic.list[traffic.count++] = (struct exchange_message){
				.begin_ticks = began[p],
				.end_ticks = came[to],
				.size_bytes = bytes_of(way, n, p, k, bytes),
				.src = nodes[p],
				.dst = nodes[to]};
		}
		for (uint32_t p = 0; p < n; p++) {
			end = came[p] > end ? came[p] : end;
			began[p] = (came[p] > began[p] ? came[p] : began[p]) + 1 +
				   some(traffic.spread_ticks);
		}
	}
	traffic.now = end;
}

static void begin_traffic(uint64_t seed)
{
	traffic.count = 0;
	traffic.now = 0;
	traffic.spread_ticks = 0;
	traffic.late = traffic.slow_src = traffic.slow_dst = UINT32_MAX;
	tr_random_open(&traffic.random, seed, "exchange");
}

static int by_begin(const void *left, const void *right)
{
	const struct exchange_message *a = left, *b = right;

	return (a->begin_ticks > b->begin_ticks) - (a->begin_ticks < b->begin_ticks);
}

static struct exchanges find(void)
{
	struct exchanges found = {.list = NULL};
	struct tr_error err;

	qsort(traffic.list, traffic.count, sizeof(*traffic.list), by_begin);
	assert_int_equal(exchanges_find(&found, traffic.list, traffic.count, &err), TR_OK);
	return found;
}

static size_t explained(void)
{
	size_t count = 0;

	for (size_t i = 0; i < traffic.count; i++)
		count += traffic.list[i].doubt == EXCHANGE_FOUND;
	return count;
}

static void draw_nodes(uint32_t nodes[NODES_MAX])
{
	for (uint32_t i = 0; i < NODES_MAX; i++)
		nodes[i] = 5 * i + 3;
	tr_random_shuffle(&traffic.random, nodes, NODES_MAX);
}

// Nodes that an operation of this kind may have.
static uint32_t draw_count(enum way way, uint32_t most)
{
	const bool cube = way == DOUBLING || way == HALVING_DOUBLING || way == GATHER_DOUBLING ||
			  way == XOR;

	if (cube)
		return most >= 16 ? 4u << tr_random_below(&traffic.random, 3) : 4;
	return 4 + (uint32_t)tr_random_below(&traffic.random, most - 3);
}

// Whether the operation is one of this algorithm, and sends as it does between these nodes.
static bool is_planted(const struct exchange *exchange, enum way way, uint32_t n,
		       const uint32_t *nodes)
{
	if (strcmp(exchange->algorithm, way_names[way]) != 0 || exchange->places != n ||
	    exchange->steps != steps_of(way, n) || exchange->count != n * exchange->steps)
		return false;
	for (size_t i = 0; i < exchange->count; i++) {
		const struct exchange_part *part = &exchange->parts[i];
		uint32_t at = 0;

		while (at < n && nodes[at] != exchange->nodes[part->src])
			at++;
		if (at == n || part->of->src != nodes[at] ||
		    part->of->dst != exchange->nodes[part->dst] ||
		    part->of->dst != nodes[to_of(way, n, at, part->step)])
			return false;
	}
	return true;
}

// Rings and cubes of shuffled nodes are found, each message explained, with begins and times that
// vary by more than a step takes, and in silences or none.
static void operations_are_found(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 0), cases = setting("FLIT_CASES", 300);
	size_t cut = 0;

	(void)state;
	for (uint64_t i = first; i < first + cases; i++) {
		uint32_t nodes[NODES_MAX], n;
		struct exchanges found;
		enum way way;
		size_t times;
		bool halves;

		begin_traffic(i);
		draw_nodes(nodes);
		way = (enum way)tr_random_below(&traffic.random, WAYS);
		n = draw_count(way, NODES_MAX);
		times = 1 + tr_random_below(&traffic.random, 6);
		if (way == RING_ONCE) // without silences two are one all-reduce
			times = 1;
		traffic.spread_ticks = some(3) * HOP_TICKS;
		for (size_t t = 0; t < times; t++) {
			operate(way, n, nodes, n * 64 + 13);
			traffic.now += 20 * HOP_TICKS;
		}
		found = find();
		// Where a silence comes between its halves, an all-reduce is two operations.
		halves = found.count > times && (way == RING || way == HALVING_DOUBLING);
		cut += halves;
		if (explained() != traffic.count || (found.count != times && !halves))
			fail_msg("case %llu: way %d, %u nodes, %zu of %zu found, %zu of %zu",
				 (unsigned long long)i, way, n, found.count, times, explained(),
				 traffic.count);
		for (size_t t = 0; t < times && !halves; t++)
			assert_true(is_planted(&found.list[t], way, n, nodes));
		exchanges_clear(&found);
	}
	print_message("cut in halves by silences: %zu of %llu\n", cut, (unsigned long long)cases);
	assert_true(cut * 50 <= cases);
}

enum damage { LOST, TWICE, ELSEWHERE, RESIZED, EARLY, DAMAGES };

static void damage_one(enum damage damage, const uint32_t *nodes, uint32_t n)
{
	// Nobody waits for the last messages.
	const size_t at = (size_t)some((int64_t)traffic.count - (damage == EARLY ? (int64_t)n : 0));
	struct exchange_message *message = &traffic.list[at];
	uint32_t to = message->dst;

	switch (damage) {
	case LOST: *message = traffic.list[--traffic.count]; break;
	case TWICE: traffic.list[traffic.count++] = *message; break;
	case ELSEWHERE:
		while (to == message->dst || to == message->src)
			to = nodes[some(n)];
		message->dst = to;
		break;
	case RESIZED: message->size_bytes += 1 + (uint64_t)some(100); break;
	default: message->end_ticks += 1000 * HOP_TICKS; break; // later ones do not wait for it
	}
}

// An operation with one message lost, doubled, to another node, of another size, or that others do
// not wait for is none.
static void damaged_operations_are_not_named(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 0), cases = setting("FLIT_CASES", 300);
	size_t named = 0;

	(void)state;
	for (uint64_t i = first; i < first + cases; i++) {
		uint32_t nodes[NODES_MAX], n;
		struct exchanges found;
		enum damage damage;
		enum way way;

		begin_traffic(i);
		draw_nodes(nodes);
		way = (enum way)tr_random_below(&traffic.random, WAYS);
		n = draw_count(way, NODES_MAX);
		damage = (enum damage)tr_random_below(&traffic.random, DAMAGES);
		traffic.spread_ticks = HOP_TICKS;
		operate(way, n, nodes, n * 64 + 13);
		damage_one(damage, nodes, n);
		// All-to-all has any sizes.
		if (damage == RESIZED && (way == PAIRWISE || way == XOR))
			damage_one(LOST, nodes, n);
		found = find();
		// Whoever does not wait is one who sends to all at once.
		if (damage == EARLY && (way == PAIRWISE || way == XOR) && found.count == 1 &&
		    strcmp(found.list[0].algorithm, "linear") == 0) {
			exchanges_clear(&found);
			continue;
		}
		named += found.count;
		if (found.count > 0)
			fail_msg("case %llu: way %d, damage %d, %u nodes: %s",
				 (unsigned long long)i, way, damage, n, found.list[0].algorithm);
		exchanges_clear(&found);
	}
	assert_int_equal(named, 0);
}

// Uniform messages, also as many of each node, are no operation.
static void random_messages_are_not_named(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 0), cases = setting("FLIT_CASES", 300);

	(void)state;
	for (uint64_t i = first; i < first + cases; i++) {
		uint32_t nodes[NODES_MAX], n;
		struct exchanges found;
		bool even;

		begin_traffic(i);
		draw_nodes(nodes);
		n = 3 + (uint32_t)some(NODES_MAX - 2);
		even = some(2) == 0;
		for (uint32_t m = 0; m < (n == 3 ? 36 : n * (n - 1)); m++) {
			const uint32_t src = even ? m % n : (uint32_t)some(n);
			const uint32_t dst = (src + 1 + (uint32_t)some(n - 1)) % n;

			traffic.now += some(HOP_TICKS);
			traffic.list[traffic.count++] = (struct exchange_message){
				.begin_ticks = traffic.now,
				.end_ticks = traffic.now + 10,
				.size_bytes = 64,
				.src = nodes[src],
				.dst = nodes[dst]};
		}
		found = find();
		if (found.count > 0)
			fail_msg("case %llu: %u nodes: %s", (unsigned long long)i, n,
				 found.list[0].algorithm);
		exchanges_clear(&found);
	}
}

// Two operations at once between different nodes are both found; between the same nodes, what is
// named is one of them. How often is printed.
static void operations_at_once(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 0), cases = setting("FLIT_CASES", 300);
	size_t apart = 0, named = 0, planted = 0;

	(void)state;
	for (uint64_t i = first; i < first + cases; i++) {
		uint32_t nodes[NODES_MAX], n[2];
		enum way ways[2];
		struct exchanges found;
		const bool same = i % 2;
		const uint32_t *second;

		begin_traffic(i);
		draw_nodes(nodes);
		for (int w = 0; w < 2; w++) {
			ways[w] = (enum way)tr_random_below(&traffic.random, WAYS);
			n[w] = draw_count(ways[w], NODES_MAX / 2);
		}
		second = same ? nodes : nodes + NODES_MAX / 2;
		traffic.spread_ticks = HOP_TICKS;
		operate(ways[0], n[0], nodes, n[0] * 64 + 13);
		traffic.now = some(3 * HOP_TICKS);
		operate(ways[1], n[1], second, n[1] * 64 + 29);
		found = find();
		if (!same)
			assert_int_equal(found.count, 2);
		apart += !same;
		planted += 2 * same;
		for (size_t k = 0; k < found.count; k++) {
			if (!is_planted(&found.list[k], ways[0], n[0], nodes) &&
			    !is_planted(&found.list[k], ways[1], n[1], second))
				fail_msg("case %llu: ways %d, %d of %u, %u nodes: %s",
					 (unsigned long long)i, ways[0], ways[1], n[0], n[1],
					 found.list[k].algorithm);
			named += same;
		}
		exchanges_clear(&found);
	}
	print_message("at once between others: all of %zu pairs; between the same: %zu of %zu\n",
		      apart, named, planted);
}

static int64_t last_end(void)
{
	int64_t end = 0;

	for (size_t i = 0; i < traffic.count; i++)
		end = traffic.list[i].end_ticks > end ? traffic.list[i].end_ticks : end;
	return end;
}

// What a late node and a slow link cost is by how much earlier the same operation ends without.
static void costs_are_those_of_the_operation_without(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 0), cases = setting("FLIT_CASES", 300);

	(void)state;
	for (uint64_t i = first; i < first + cases; i++) {
		uint32_t nodes[NODES_MAX], n, late, src, dst;
		int64_t without;
		enum way way;

		begin_traffic(i);
		draw_nodes(nodes);
		way = (enum way)tr_random_below(&traffic.random, BRUCK);
		n = draw_count(way, NODES_MAX);
		late = (uint32_t)some(n);
		src = (uint32_t)some(n);
		dst = to_of(way, n, src, (uint32_t)some(steps_of(way, n)));
		operate(way, n, nodes, n * 64);
		without = last_end();
		for (int link = 0; link < 2; link++) {
			struct exchange_undone undone;
			struct exchange_costs costs;
			struct exchanges found;
			struct tr_error err;
			uint32_t at[3] = {late, src, dst};
			int64_t excess = 0;

			begin_traffic(i);
			traffic.late_ticks = traffic.slow_ticks = 10 + 7 * (int64_t)i;
			if (link) {
				traffic.slow_src = src;
				traffic.slow_dst = dst;
			} else {
				traffic.late = late;
			}
			operate(way, n, nodes, n * 64);
			found = find();
			assert_int_equal(found.count, 1);
			assert_int_equal(exchange_end(&found.list[0]), last_end());
			assert_int_equal(exchange_costs_open(&costs, &found.list[0], &err), TR_OK);
			assert_int_equal(exchange_end_without(&costs, NULL, 0), last_end());
			for (int k = 0; k < 3; k++) {
				uint32_t place = 0;

				while (found.list[0].nodes[place] != nodes[at[k]])
					place++;
				at[k] = place;
			}
			for (uint32_t p = 0; p < n && !link; p++)
				assert_int_equal(costs.begins[p] - costs.usual_begin_ticks,
						 p == at[0] ? traffic.late_ticks : 0);
			for (size_t m = 0; m < found.list[0].count; m++)
				if (costs.parts[m].src == at[1] && costs.parts[m].dst == at[2] &&
				    costs.times[m].usual_ticks != INT64_MAX)
					excess += costs.times[m].own_ticks -
						  costs.times[m].usual_ticks;
			undone = link ? (struct exchange_undone){at[1], at[2]}
				      : (struct exchange_undone){at[0], EXCHANGE_NONE};
			if (!link || excess > 0)
				assert_int_equal(exchange_end_without(&costs, &undone, 1), without);
			else // all-to-all has any sizes: none to compare with
				assert_true(way >= PAIRWISE);
			exchange_costs_close(&costs);
			exchanges_clear(&found);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_are_found),
		cmocka_unit_test(damaged_operations_are_not_named),
		cmocka_unit_test(random_messages_are_not_named),
		cmocka_unit_test(operations_at_once),
		cmocka_unit_test(costs_are_those_of_the_operation_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
