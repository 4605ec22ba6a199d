// SPDX-License-Identifier: GPL-3.0-or-later
// A run's interface to the traffic: the next packet. Makes reactive traffic behave the same with
// every engine.
#ifndef NET_INTAKE_H
#define NET_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/engine.h"

struct net_intake {
	const struct net_traffic *traffic; // lent
	struct net_offer offer;
	bool offered; // offer is valid and not taken
	bool told; // results were reported since the traffic was last asked, and it reacts to them
	int64_t due_ticks; // net_drive's: when the offer is looked at; INT64_MAX: there is none, or
			   // it waits for room
	int64_t taken_ticks; // time of the last offer taken, INT64_MIN before one
};

// Starts without an offer; the traffic must outlive it.
void net_intake_start(struct net_intake *intake, const struct net_traffic *traffic);

// Gives back the offer, if one is held, and asks for the next. TR_END if there is none, at least
// until the traffic gets a result.
enum tr_status net_intake_ask(struct net_intake *intake, struct tr_error *err);

// Whether a network of this number of hosts can carry the offer held: TR_ERROR where a host is out
// of range, it has no bytes, or goes back in time though the traffic does not react.
enum tr_status net_intake_check(const struct net_intake *intake, uint32_t hosts,
				struct tr_error *err);

// A worm of the pool for the offer held, with its packet, hosts and size, or NET_NO_WORM where the
// pool is full.
uint32_t net_intake_worm(const struct net_intake *intake, struct net_worm_pool *pool);

// The engine takes the offer.
void net_intake_take(struct net_intake *intake);

// Tells the traffic of it.
enum tr_status net_intake_tell_taken(const struct net_intake *intake, struct tr_error *err);

// Reports what happened to the worm: TR_ERROR if the results failed. *enough becomes true once they
// want no more.
enum tr_status net_intake_report(struct net_intake *intake, const struct net_results *results,
				 const struct net_worm *worm, const struct tr_delivery *delivery,
				 bool *enough, struct tr_error *err);

#endif
