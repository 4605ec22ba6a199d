// SPDX-License-Identifier: GPL-3.0-or-later
// Are routes with a choice free of deadlock? By the definition of Qiao (1997, section 4.6), written
// down plainly: a link is immune if a worm that holds it is sure to release it. Links are found to
// be immune one after the other: where, of all that worms on it can come to, each can wait for a
// link that is.
#ifndef TESTS_PROPERTY_IMMUNITY_H
#define TESTS_PROPERTY_IMMUNITY_H

#include <stdbool.h>
#include <stdint.h>

#include "net/routes/choices.h"

#define IMMUNITY_SWITCHES_MAX 12u
#define IMMUNITY_LINKS_MAX 64u

// Options as bits of links between switches, which are numbered in the order of their inputs.
struct immunity {
	uint32_t switches;
	uint32_t links;
	uint32_t head[IMMUNITY_LINKS_MAX]; // the switch at the end of a link
	uint64_t of_hosts[IMMUNITY_SWITCHES_MAX][IMMUNITY_SWITCHES_MAX];
	uint64_t of_links[IMMUNITY_LINKS_MAX][IMMUNITY_SWITCHES_MAX];
	uint64_t host_escapes[IMMUNITY_SWITCHES_MAX][IMMUNITY_SWITCHES_MAX];
	uint64_t link_escapes[IMMUNITY_LINKS_MAX][IMMUNITY_SWITCHES_MAX];
	// The answer.
	uint32_t states; // links and destinations that worms can come to
	uint32_t stuck;	 // of these, those without an option
	uint32_t used;	 // links
	uint32_t immune;
};

// Takes the options of choices with one lane.
void immunity_take(struct immunity *immunity, const struct net_choices *choices);

// Fills in the answer.
void immunity_check(struct immunity *immunity);

static inline bool immunity_holds(const struct immunity *immunity)
{
	return immunity->stuck == 0 && immunity->immune == immunity->used;
}

// Whether, of the links that wait for each other in one worm, some do in a cycle: Dally and Seitz
// (1987).
bool immunity_has_cycle(const struct immunity *immunity);

#endif
