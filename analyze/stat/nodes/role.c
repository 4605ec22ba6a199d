// SPDX-License-Identifier: GPL-3.0-or-later
// Known answers: the row-column transform on p nodes has the shares (2 + 2/p)/3 for its controller
// and (2/(p - 1) + 2/p)/3 for a worker (counted from the row-column FFT of Yates 1997).
#include "stat/nodes/role.h"

#include <math.h>
#include <string.h>

#include "stat/intervals/beta_gamma.h"

enum tr_status role_make(struct role_finder *finder, uint32_t node, struct tr_error *err)
{
	if (tr_id_pages_make(&finder->nodes, node, sizeof(struct role_node)))
		return TR_OK;
	return tr_no_memory(err, "the traffic of node %u", node);
}

// The first node from this one on that may have traffic; false if there is none.
static bool role_next(const struct role_finder *finder, uint32_t *node)
{
	*node = tr_id_pages_next(&finder->nodes, *node);
	return *node != UINT32_MAX;
}

static uint64_t touched(const struct role_node *node)
{
	return node->whole.sent_bytes + node->whole.received_bytes;
}

// Joins blocks so that each has 2^doublings the bytes.
static void lengthen_blocks(struct role_finder *finder, unsigned doublings)
{
	for (uint32_t i = 0; role_next(finder, &i); i++) {
		struct role_node *node = role_node(finder, i);
		uint64_t *block = node->block_bytes;

		for (size_t k = 1; k < ROLE_BLOCKS && touched(node) > 0; k++) {
			const uint64_t bytes = block[k];

			block[k] = 0;
			block[k >> doublings] += bytes;
		}
	}
	finder->bytes_per_block <<= doublings;
}

static void role_pass(struct role_balance *balance, uint64_t bytes)
{
	if (balance->sent_bytes != balance->received_bytes)
		balance->lead_bytes += balance->sent_bytes > balance->received_bytes
					       ? (int64_t)bytes
					       : -(int64_t)bytes;
}

// Records whether the node was ahead in its last episode, and starts another.
static void begin_episode(struct role_node *node)
{
	node->ahead += node->episode.lead_bytes > 0;
	node->behind += node->episode.lead_bytes < 0;
	memset(&node->episode, 0, sizeof(node->episode));
}

// Whether a node has got back what it gave, or given back what it got, to a tenth.
static bool is_even(const struct role_balance *balance)
{
	const uint64_t sent = balance->sent_bytes, received = balance->received_bytes;
	const uint64_t more = sent > received ? sent : received;

	return more - (sent > received ? received : sent) <= more / 10;
}

// Counts the bytes that passed since the node's last packet.
static inline void role_settle(const struct role_finder *finder, struct role_node *node)
{
	role_pass(&node->whole, finder->total_bytes - node->since_bytes);
	role_pass(&node->episode, finder->total_bytes - node->since_bytes);
	if (node->silences != finder->silences && is_even(&node->episode))
		begin_episode(node);
	node->silences = finder->silences;
	node->since_bytes = finder->total_bytes;
}

// The block of the next byte. Block sizes are powers of two.
static size_t block_of(const struct role_finder *finder)
{
	return (size_t)(finder->total_bytes >> __builtin_ctzll(finder->bytes_per_block));
}

void role_add(struct role_finder *finder, int64_t time_ticks, uint32_t src, uint32_t dst,
	      uint64_t size_bytes)
{
	struct role_node *from = role_node(finder, src), *to = role_node(finder, dst);
	unsigned doublings = 0;
	size_t block;

	if (!from || !to || src == dst || size_bytes == 0)
		return;
	if (finder->bytes_per_block == 0)
		finder->bytes_per_block = 1;
	block = block_of(finder);
	for (; block >= ROLE_BLOCKS; block /= 2)
		doublings++;
	if (doublings > 0)
		lengthen_blocks(finder, doublings);
	if (finder->total_bytes > 0 &&
	    (uint64_t)time_ticks - (uint64_t)finder->last_ticks > (uint64_t)finder->silence_ticks)
		finder->silences++;
	finder->last_ticks = time_ticks;
	role_settle(finder, from);
	role_settle(finder, to);
	from->whole.sent_bytes += size_bytes;
	from->episode.sent_bytes += size_bytes;
	to->whole.received_bytes += size_bytes;
	to->episode.received_bytes += size_bytes;
	from->block_bytes[block] += size_bytes;
	to->block_bytes[block] += size_bytes;
	finder->total_bytes += size_bytes;
	finder->packets++;
}

void role_join(struct role_finder *finder, uint32_t node, const struct role_balance *balance)
{
	struct role_balance *whole = &role_node(finder, node)->whole;

	finder->joined = true;
	whole->sent_bytes += balance->sent_bytes;
	whole->received_bytes += balance->received_bytes;
}

static double role_share(const struct role_finder *finder, uint32_t node)
{
	return (double)touched(role_node(finder, node)) / (double)finder->total_bytes;
}

static void judge_balance(const struct role_finder *finder, struct role_finding *out)
{
	struct role_node node = *role_node(finder, out->node);

	role_settle(finder, &node);
	begin_episode(&node);
	out->order = (double)node.whole.lead_bytes / (double)finder->total_bytes;
	out->ahead = node.ahead;
	out->behind = node.behind;
}

// The two nodes with the largest shares, and how many have any.
static void rank(const struct role_finder *finder, struct role_finding *out)
{
	for (uint32_t i = 0; role_next(finder, &i); i++) {
		const uint64_t bytes = touched(role_node(finder, i));

		if (bytes == 0)
			continue;
		if (out->nodes == 0 || bytes > touched(role_node(finder, out->node))) {
			out->next = out->node;
			out->node = i;
		} else if (out->nodes == 1 || bytes > touched(role_node(finder, out->next))) {
			out->next = i;
		}
		out->nodes++;
	}
}

// Whether no other node has more bytes of a block.
static bool leads(const struct role_finder *finder, uint32_t node, size_t block)
{
	const uint64_t bytes = role_node(finder, node)->block_bytes[block];

	for (uint32_t i = 0; role_next(finder, &i); i++)
		if (i != node && role_node(finder, i)->block_bytes[block] > bytes)
			return false;
	return true;
}

static void count_led(const struct role_finder *finder, struct role_finding *out)
{
	out->blocks = (size_t)((finder->total_bytes - 1) / finder->bytes_per_block) + 1;
	if (out->blocks > ROLE_BLOCKS)
		out->blocks = ROLE_BLOCKS;
	for (size_t i = 0; i < out->blocks; i++)
		out->led += leads(finder, out->node, i);
}

static void judge_share(struct role_finding *out)
{
	const double equal = binomial_cdf(out->blocks - out->led, out->blocks,
					  1 - 2 / (double)out->nodes);

	out->chance = fmin(1, (double)out->nodes * equal);
	if (out->share - out->next_share >= ROLE_MARGIN && out->chance < ROLE_CHANCE)
		out->basis = ROLE_BY_SHARE;
}

// Two-sided probability of an order as large by the arcsine law.
static double arcsine_chance(double order, uint64_t packets)
{
	const double never_turns = 2 / sqrt(M_PI * (double)packets);

	return fmin(1, fmax(never_turns, 2 * M_2_PI * asin(sqrt((1 - order) / 2))));
}

static bool gives_and_gets(const struct role_balance *balance)
{
	return balance->sent_bytes <= 2 * balance->received_bytes &&
	       balance->received_bytes <= 2 * balance->sent_bytes;
}

// With two nodes each has all of the traffic, and their orders have opposite signs.
static void judge_order(const struct role_finder *finder, struct role_finding *out)
{
	const uint64_t episodes = out->ahead + out->behind;
	const bool vote = episodes >= ROLE_EPISODES;

	if (vote ? out->ahead < out->behind : out->order < 0) {
		const uint32_t node = out->node;

		out->node = out->next;
		out->next = node;
		judge_balance(finder, out);
	}
	out->chance = vote ? fmin(1, 2 * binomial_cdf(out->behind, episodes, 0.5))
			   : arcsine_chance(out->order, finder->packets);
	if (out->chance < ROLE_CHANCE && gives_and_gets(&role_node(finder, out->node)->whole))
		out->basis = ROLE_BY_ORDER;
}

struct role_finding role_find(const struct role_finder *finder)
{
	struct role_finding out = {.basis = ROLE_NOT_FOUND, .chance = 1};

	if (finder->joined)
		return out;
	rank(finder, &out);
	if (out.nodes < 2)
		return out;
	out.share = role_share(finder, out.node);
	out.next_share = role_share(finder, out.next);
	judge_balance(finder, &out);
	count_led(finder, &out);
	if (out.nodes > 2)
		judge_share(&out);
	else
		judge_order(finder, &out);
	return out;
}

void role_clear(struct role_finder *finder)
{
	tr_id_pages_clear(&finder->nodes);
	memset(finder, 0, sizeof(*finder));
}
