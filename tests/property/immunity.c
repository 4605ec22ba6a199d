// SPDX-License-Identifier: GPL-3.0-or-later
#include "immunity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void take_entry(const struct immunity *immunity, const struct net_choices *choices,
		       uint32_t input, uint32_t to, uint64_t *options, uint64_t *escapes)
{
	uint32_t count;
	const struct net_option *option = net_choices_get(choices, input, to, &count);

	*options = *escapes = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t next = net_choices_next(choices, net_choices_what(choices, input).at,
						       option[i]);

		*options |= 1ull << (next - immunity->switches);
		*escapes |= (uint64_t)option[i].escape << (next - immunity->switches);
	}
}

void immunity_take(struct immunity *immunity, const struct net_choices *choices)
{
	*immunity = (struct immunity){.switches = net_graph_switches(net_choices_graph(choices))};
	immunity->links = net_choices_inputs(choices) - immunity->switches;
	assert_true(immunity->switches <= IMMUNITY_SWITCHES_MAX &&
		    immunity->links <= IMMUNITY_LINKS_MAX);
	for (uint32_t to = 0; to < immunity->switches; to++) {
		for (uint32_t at = 0; at < immunity->switches; at++)
			take_entry(immunity, choices, at, to, &immunity->of_hosts[at][to],
				   &immunity->host_escapes[at][to]);
		for (uint32_t link = 0; link < immunity->links; link++) {
			immunity->head[link] =
				net_choices_what(choices, immunity->switches + link).at;
			take_entry(immunity, choices, immunity->switches + link, to,
				   &immunity->of_links[link][to],
				   &immunity->link_escapes[link][to]);
		}
	}
}

// The links that worms for a destination come to after these, and these.
static uint64_t follow(const struct immunity *immunity, uint64_t links, uint32_t to)
{
	uint64_t before;

	do {
		before = links;
		for (uint32_t link = 0; link < immunity->links; link++)
			if ((links >> link & 1) != 0 && immunity->head[link] != to)
				links |= immunity->of_links[link][to];
	} while (links != before);
	return links;
}

static uint64_t reached(const struct immunity *immunity, uint32_t to)
{
	uint64_t links = 0;

	for (uint32_t at = 0; at < immunity->switches; at++)
		if (at != to)
			links |= immunity->of_hosts[at][to];
	return follow(immunity, links, to);
}

// Whether a worm for a destination that holds the link is sure to get on, if these links are
// immune.
static bool gets_on(const struct immunity *immunity, uint32_t link, uint32_t to, uint64_t immune)
{
	const uint64_t after = follow(immunity, 1ull << link, to);

	for (uint32_t next = 0; next < immunity->links; next++)
		if ((after >> next & 1) != 0 && immunity->head[next] != to &&
		    (immunity->of_links[next][to] & immune) == 0)
			return false;
	return true;
}

static bool is_immune(const struct immunity *immunity, uint32_t link, const uint64_t reach[],
		      uint64_t immune)
{
	for (uint32_t to = 0; to < immunity->switches; to++)
		if ((reach[to] >> link & 1) != 0 && !gets_on(immunity, link, to, immune))
			return false;
	return true;
}

void immunity_check(struct immunity *immunity)
{
	uint64_t reach[IMMUNITY_SWITCHES_MAX];
	uint64_t immune = 0;
	uint64_t used = 0;
	bool changed = true;

	immunity->states = immunity->stuck = 0;
	for (uint32_t to = 0; to < immunity->switches; to++) {
		reach[to] = reached(immunity, to);
		used |= reach[to];
		immunity->states += (uint32_t)__builtin_popcountll(reach[to]);
		for (uint32_t link = 0; link < immunity->links; link++)
			immunity->stuck += (reach[to] >> link & 1) != 0 &&
					   immunity->head[link] != to &&
					   immunity->of_links[link][to] == 0;
		for (uint32_t at = 0; at < immunity->switches; at++)
			immunity->stuck += at != to && immunity->of_hosts[at][to] == 0;
	}
	while (changed) {
		changed = false;
		for (uint32_t link = 0; link < immunity->links; link++)
			if ((used & ~immune) >> link & 1 &&
			    is_immune(immunity, link, reach, immune)) {
				immune |= 1ull << link;
				changed = true;
			}
	}
	immunity->used = (uint32_t)__builtin_popcountll(used);
	immunity->immune = (uint32_t)__builtin_popcountll(immune);
}

bool immunity_has_cycle(const struct immunity *immunity)
{
	uint64_t waits[IMMUNITY_LINKS_MAX] = {0};
	uint64_t left = 0;
	uint64_t before;

	for (uint32_t to = 0; to < immunity->switches; to++) {
		const uint64_t reach = reached(immunity, to);

		left |= reach;
		for (uint32_t link = 0; link < immunity->links; link++)
			if ((reach >> link & 1) != 0 && immunity->head[link] != to)
				waits[link] |= immunity->of_links[link][to];
	}
	// What waits for nothing that is left is taken away, until nothing more can be.
	do {
		before = left;
		for (uint32_t link = 0; link < immunity->links; link++)
			if ((waits[link] & left) == 0)
				left &= ~(1ull << link);
	} while (left != before);
	return left != 0;
}
