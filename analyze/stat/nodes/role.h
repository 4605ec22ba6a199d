// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the node that scatters and gathers (the controller) from the amounts that nodes send each
// other and their times.
//
// Share: the part of all bytes that a node sends or receives. If p nodes exchange evenly it is 2/p
// for each; the hub of a star has 1, its leaves 1/(p - 1). Led: the traffic is cut into up to 64
// blocks of equal bytes, and a node leads a block if no other has more of its bytes. A block of one
// transfer has two leaders: if the p nodes were alike, a given one would lead k or more of m blocks
// with at most the probability of a binomial law of m and 2/p; chance is p times that.
//
// Order: a node that first gives and then gets back has always sent more than it received. Order is
// the part of the bytes that pass while it is ahead, minus the part that pass while it is behind:
// from -1 to 1. Each episode is judged likewise: a node is ahead in it, or behind. A node's episode
// ends with a silence of the data before which it had got back what it gave, to a tenth. Chance is
// that of a sign test over the episodes; with fewer than ROLE_EPISODES it is the probability of an
// order as large by the arcsine law (Feller, volume 1, chapter 3), as if bytes sent minus bytes
// received were a random walk, but at least the 2/sqrt(pi n) of a walk of n packets that never
// turns.
//
// A controller is found by share if its share exceeds the next one's by ROLE_MARGIN and chance is
// below ROLE_CHANCE; if only two nodes talk, by order, at the same chance, if neither sent more
// than twice what it received. Else none is found.
#ifndef STAT_ROLE_H
#define STAT_ROLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/id_pages.h"
#include "value/status.h"

#define ROLE_BLOCKS 64
#define ROLE_MARGIN 0.1
#define ROLE_CHANCE 0.05
#define ROLE_EPISODES 6

// What a node sent and received over the whole trace, or in one episode.
struct role_balance {
	uint64_t sent_bytes;
	uint64_t received_bytes;
	int64_t lead_bytes; // that passed while it was ahead, minus those while it was behind
};

struct role_node {
	struct role_balance whole;
	struct role_balance episode; // the one it last took part in
	uint64_t silences;	     // before its last packet
	uint64_t ahead, behind;	     // episodes before that
	uint64_t since_bytes;	     // of all traffic, when it last sent or received
	uint64_t block_bytes[ROLE_BLOCKS];
};

// Zero is a valid empty one except for the silence. Depends on the order of the packets: of parts
// that are joined only the bytes sent and received are kept. 592 bytes a node that sent or
// received.
struct role_finder {
	int64_t silence_ticks; // longer than this between two packets: episodes may end
	int64_t last_ticks;
	uint64_t silences;
	uint64_t packets;
	struct tr_id_pages nodes; // struct role_node by id
	uint64_t total_bytes;
	uint64_t bytes_per_block; // 0 before the first packet
	bool joined;		  // of parts: role_find finds nothing
};

// A node's traffic; NULL if there is no room for it.
static inline struct role_node *role_node(const struct role_finder *finder, uint32_t node)
{
	return tr_id_pages_at(&finder->nodes, node, sizeof(struct role_node));
}

// What role_reserve does where there is no room yet.
enum tr_status role_make(struct role_finder *finder, uint32_t node, struct tr_error *err);

// Makes room for a node. TR_ERROR if out of memory.
static inline enum tr_status role_reserve(struct role_finder *finder, uint32_t node,
					  struct tr_error *err)
{
	return role_node(finder, node) ? TR_OK : role_make(finder, node, err);
}

// What a node sent and received.
static inline struct role_balance role_balance_of(const struct role_finder *finder, uint32_t node)
{
	const struct role_node *of = role_node(finder, node);

	return of ? of->whole : (struct role_balance){.sent_bytes = 0};
}

// Whether a node sent or received data.
static inline bool role_takes_part(const struct role_finder *finder, uint32_t node)
{
	const struct role_balance balance = role_balance_of(finder, node);

	return balance.sent_bytes + balance.received_bytes > 0;
}

// Adds a packet that carries data; times must not step back. Ignores nodes without room.
void role_add(struct role_finder *finder, int64_t time_ticks, uint32_t src, uint32_t dst,
	      uint64_t size_bytes);

// Adds a node's bytes of another part; there is room for it.
void role_join(struct role_finder *finder, uint32_t node, const struct role_balance *balance);

enum role_basis { ROLE_NOT_FOUND, ROLE_BY_SHARE, ROLE_BY_ORDER };

struct role_finding {
	enum role_basis basis;
	uint32_t node; // the best candidate, even if not good enough; valid if nodes > 0
	uint32_t next; // by share; valid if nodes > 1
	size_t nodes;  // that sent or received data
	double share, next_share;
	size_t led, blocks;
	double order;
	uint64_t ahead, behind; // episodes
	double chance;		// that a node among equals would look like this
};

// Finds the controller among the nodes that exchanged data, by its share of the bytes or, of two,
// by the order in which they send. basis is ROLE_NOT_FOUND if none stands out by more than chance,
// or parts were joined.
struct role_finding role_find(const struct role_finder *finder);

// Frees what it holds; it is empty then.
void role_clear(struct role_finder *finder);

#endif
