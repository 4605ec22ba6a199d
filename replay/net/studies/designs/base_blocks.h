// SPDX-License-Identifier: GPL-3.0-or-later
// Base blocks of cyclic block designs for a number of switches, and the order of their objects (W.
// Qiao, Network Routing and Planning in Switch-Based Networks, 1997, section 5.3). A base block B_0
// = (b_0 b_1 ...) develops into s blocks B_i = (b_0 + i, b_1 + i, ...) modulo s. Objects are
// switches, a block is a path of cables.
#ifndef NET_DESIGNS_BASE_BLOCKS_H
#define NET_DESIGNS_BASE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

#define NET_BASE_PARTS_MAX 16u
#define NET_BASE_OBJECTS_MAX 512u // of all parts, so that a switch has ports for all cables
#define NET_BASE_SWITCHES_MAX 65536u
#define NET_BASE_TEXT_BYTES 4096u // of all objects as text

// One base block, of a balanced or bounded design (BIBD, BBD), or one for each part of a combined
// design (CBD).
struct net_base {
	uint32_t switches;			// s, 2 .. NET_BASE_SWITCHES_MAX
	uint32_t parts;				// 1 .. NET_BASE_PARTS_MAX
	uint32_t lengths[NET_BASE_PARTS_MAX];	// objects of each part, at least 2
	uint32_t objects[NET_BASE_OBJECTS_MAX]; // part by part, below s; those of a part all differ
};

// Reads "3-1-0-6", or for several parts "0-1-3-7+0-5". TR_ERROR where it has another form or an
// object is s or more, or occurs twice in its part.
enum tr_status net_base_parse(struct net_base *base, uint32_t switches, const char *text,
			      struct tr_error *err);

// Writes the same text into out (>= NET_BASE_TEXT_BYTES for any). Returns out.
const char *net_base_format(const struct net_base *base, char *out, size_t out_bytes);

// Cables that each switch has to others: twice (the objects less the parts).
uint32_t net_base_degree(const struct net_base *base);

// How many of the differences 1 .. s - 1 modulo s some two objects of one part have. By lemma 7 of
// the thesis (p. 125) every two switches are together in a block if and only if all are there.
uint32_t net_base_differences(const struct net_base *base);

// How the objects of a base block are looked for.
struct net_base_search {
	uint32_t restarts; // of the heuristic, at least 1
	bool exhaustive;   // after the heuristic: try all that could be better
	uint64_t seed;	   // of the random ties
};

// Looks for objects of the given switches, parts and lengths that yield as many differences as
// possible, part after part in the heuristic. That is ours, as the body of figure 5.2 of the thesis
// is lost: b_0 = 0, and each next object is one with the most new differences; the first pass takes
// the lowest of several, each restart a random one (stream "topology/base-block"); the best pass
// counts, of equal ones the first. The exhaustive search finds the most that is possible, or is
// TR_ERROR where that takes more than 100 million steps. Objects ascend in each part. TR_ERROR also
// where a part has more objects than there are switches, or memory runs out.
enum tr_status net_base_find(struct net_base *base, const struct net_base_search *search,
			     struct tr_error *err);

// The base block of a symmetric (s, r; 1) design, objects ascending: all differences, each once. It
// exists by property 1 of the thesis where s = r^2 - r + 1 and r - 1 is a prime power; TR_ERROR
// elsewhere, with the nearest that there is. The set is Singer's (A theorem in finite projective
// geometry and some applications to number theory, Transactions of the AMS 43, 1938), of all that
// its multiples and shifts give the first in the order of the objects.
enum tr_status net_base_perfect(struct net_base *base, uint32_t switches, uint32_t objects,
				struct tr_error *err);

// What the order of the objects decides, each better when smaller.
struct net_base_order {
	uint32_t doubled; // kinds of cables of which there are too many: a second one between the
			  // same switches
	uint32_t longest; // cables between two switches that are together in a block, by the
			  // shortest block
	uint64_t all_cables; // the same added up over all differences 1 .. s - 1 that are there
};

// What the present order of the objects gives.
struct net_base_order net_base_order_of(const struct net_base *base);

// Orders the objects of each part: fewest doubled cables first, then the smallest longest path,
// then the smallest mean path, then the first in the order of the objects. This is what the three
// rules of p. 129 are for (objects s/2 apart are not neighbours; of pairs with the same difference
// one is at the ends, at most one is neighbours). Up to 8 objects of a part all orders are tried,
// beyond that exchanges of two until none is better.
void net_base_arrange(struct net_base *base);

// A budget of switches: k = floor((ports * switches - hosts) / switches) of the ports of each
// switch are left for cables to others, and blocks may have r = floor(k / 2) + 1 objects. TR_ERROR
// where the hosts leave fewer than two.
enum tr_status net_base_budget(uint64_t switches, uint64_t ports, uint64_t hosts, uint32_t *degree,
			       uint32_t *objects, struct tr_error *err);

#endif
