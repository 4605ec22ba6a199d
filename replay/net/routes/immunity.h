// SPDX-License-Identifier: GPL-3.0-or-later
// Can worms wait for each other for ever on routes with a choice? A channel is a lane of a link
// between switches. It is immune if any worm that holds it is sure to release it. Routes are free
// of deadlock if all channels are immune (Qiao 1997, section 4.6). The test here finds channels
// that are, and is sufficient:
//
//   A state is a channel and a destination (a switch); those count that worms of hosts can come to.
//   A state is good if the channel leads to the destination, or one of its options is an immune
//   channel. At first no channel is immune. A channel becomes immune once every state that can be
//   reached from any state of this channel, itself among them, is good: a worm that holds it can
//   then always go on to channels that are released some time. Repeat until nothing changes.
//
// It assumes that arbitration is fair, that hosts take what arrives, and that a worm at the front
// of a buffer is the only one in it: a buffer is given to a worm when it is empty. Where worms may
// queue in a buffer, one waits behind another that has another destination, and the test is a plain
// one: no cycle of dependencies, of all options together.
#ifndef NET_IMMUNITY_H
#define NET_IMMUNITY_H

#include <stdbool.h>
#include <stdint.h>

#include "net/routes/choices.h"
#include "value/status.h"

// A worm to destination may hold this input's channel and wait for the next step's.
struct net_wait {
	uint32_t input; // of the choices
	uint32_t destination;
};

// What is known of routes with a choice. Channels and states are inputs of the choices.
struct net_immunity {
	uint64_t states;   // that worms can come to, those at their destination among them
	uint32_t channels; // that worms can hold
	uint32_t immune;   // of these
	// Where not all are: the lowest channel that is not, the lowest destination of a worm that
	// may hold it for ever, and the channels of the states with no way to an immune one that
	// this worm can come to, nearest first.
	uint32_t channel; // NET_NOBODY: all are immune
	uint32_t destination;
	uint32_t *stuck;
	uint32_t stuck_count;
	bool dead_end;	       // the first of these has no options at all
	uint64_t dependencies; // pairs of channels, of all options
	// A cycle of these; where not all channels are immune, one in which each wait has no option
	// to an immune channel. The last waits for the first.
	struct net_wait *cycle;
	uint32_t cycle_count;
};

// Tests the choices, for worms between any two switches that have hosts. Time grows with states and
// their options; memory is 17 bytes for each channel and destination. TR_ERROR where memory runs
// out. The caller clears *immunity.
enum tr_status net_immunity_find(struct net_immunity *immunity, const struct net_choices *choices,
				 struct tr_error *err);

// Whether worms can deadlock: a worm may hold a channel for ever, or dependencies have a cycle and
// worms may queue in buffers.
bool net_immunity_deadlocks(const struct net_immunity *immunity, const struct net_choices *choices);

// Frees what it holds; it is empty then.
void net_immunity_clear(struct net_immunity *immunity);

#endif
