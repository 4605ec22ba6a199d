// SPDX-License-Identifier: GPL-3.0-or-later
// Routes with a choice: at a switch, for the input by which a worm came and the switch to which it
// goes, the ports that it may take, best first. The last step, from the destination's switch to the
// host, is not a choice.
#ifndef NET_CHOICES_H
#define NET_CHOICES_H

#include <stdbool.h>
#include <stdint.h>

#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "value/status.h"

#define NET_OPTIONS_MAX 4096u // of one input and destination

// A port, and the lane of its link; 4 bytes.
struct net_option {
	uint16_t port;
	uint8_t lane;
	bool escape; // a worm that waits for this one alone is sure to get on; no rule that prunes
		     // may drop it
};

// Inputs are numbered: of hosts at switch s (from 0) it is s; of the links between switches, in the
// order of their numbers, each lane has one behind these. Equal lists of options at a switch are
// stored once: memory is 4 bytes for each input and destination, and 4 for each option of each
// different list.
struct net_choices;

// No options yet, over the graph, of which a copy is kept. lanes: of each link between switches, 1
// to NET_LANES_MAX. NULL, which err explains, where memory runs out. Close accepts NULL.
struct net_choices *net_choices_open(const struct net_graph *graph, uint32_t lanes,
				     struct tr_error *err);
void net_choices_close(struct net_choices *choices);

// How many inputs there are; lanes of each link; the graph, lent.
uint32_t net_choices_inputs(const struct net_choices *choices);
uint32_t net_choices_lanes(const struct net_choices *choices);
const struct net_graph *net_choices_graph(const struct net_choices *choices);

// Whether a switch (from 0) has hosts.
bool net_choices_has_hosts(const struct net_choices *choices, uint32_t at);

// The input of hosts at a switch, from 0.
static inline uint32_t net_choices_host_input(uint32_t at)
{
	return at;
}

// The input of a lane of a link; NET_NOBODY for a link that does not join two switches.
uint32_t net_choices_input(const struct net_choices *choices, uint32_t link, uint32_t lane);

// What an input is: its switch (from 0), and its link, NET_NOBODY for that of hosts, and lane.
struct net_input {
	uint32_t at;
	uint32_t link;
	uint32_t lane;
};
struct net_input net_choices_what(const struct net_choices *choices, uint32_t input);

// Sets the options of an input for a destination, a switch from 0; copied. TR_ERROR where one leads
// to no switch, is there twice or on a lane that is not there, or memory runs out: the entry then
// stays as it was.
enum tr_status net_choices_put(struct net_choices *choices, uint32_t input, uint32_t destination,
			       const struct net_option *options, uint32_t count,
			       struct tr_error *err);

// The options, lent until the next put, and their number in *count: 0 where the worm cannot go on,
// or has arrived.
const struct net_option *net_choices_get(const struct net_choices *choices, uint32_t input,
					 uint32_t destination, uint32_t *count);

// Lists of options are numbered from 0, the empty one: how many there are, that of an entry, and
// what it says. Entries of a switch with equal options have one list.
uint32_t net_choices_lists(const struct net_choices *choices);
uint32_t net_choices_list(const struct net_choices *choices, uint32_t input, uint32_t destination);
const struct net_option *net_choices_options(const struct net_choices *choices, uint32_t list,
					     uint32_t *count);

// The input to which an option leads from a switch (from 0).
uint32_t net_choices_next(const struct net_choices *choices, uint32_t at, struct net_option option);

// Links that a worm of a host at one switch takes to another by the best options; NET_NO_ROUTE
// where its hosts have no options, or, before net_choices_routes, where the best ones lead nowhere.
uint32_t net_choices_hops(const struct net_choices *choices, uint32_t from, uint32_t to);

// Gives them more lanes, on which they have no options yet; with no more it does nothing. TR_ERROR
// where memory runs out: they then stay as they were.
enum tr_status net_choices_widen(struct net_choices *choices, uint32_t lanes, struct tr_error *err);

// Whether the routes are free of deadlock only if a buffer is given to a worm when it is empty
// (Qiao 1997, section 4.4).
void net_choices_need_empty(struct net_choices *choices, bool needed);
bool net_choices_empty_needed(const struct net_choices *choices);

// Turns choices into routes, which own them, whatever is returned; the list of a pair follows the
// first options. TR_ERROR, naming the switches, where these lead in a cycle or to an input without
// options for the destination. Pairs of hosts whose first switch has no options have no route.
enum tr_status net_choices_routes(struct net_routes *routes, struct net_choices *choices,
				  struct tr_error *err);

// Which options worms have, input by input (choices_follow.c).
struct net_choice_finder {
	// Called before each destination, a switch with hosts. NULL: nothing to do.
	void (*begin)(void *work, uint32_t to);
	// Writes the options of an input for it and returns their number, 0: no worms begin there.
	// Asked for hosts of all other switches, then for inputs to which these options lead.
	uint32_t (*find)(const void *work, struct net_input what, uint32_t to,
			 struct net_option options[NET_PORTS_MAX]);
};

// Puts what the finder says, and turns the choices, which may be NULL after an error of which err
// tells, into routes, as above.
enum tr_status net_choices_follow(struct net_routes *routes, struct net_choices *choices,
				  const struct net_choice_finder *finder, void *work,
				  struct tr_error *err);

#endif
