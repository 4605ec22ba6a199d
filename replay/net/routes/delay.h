// SPDX-License-Identifier: GPL-3.0-or-later
// The mean delay of packets where each channel is an M/M/1 queue, under store-and-forward and under
// virtual cut-through (Kleinrock's formula, as in Qiao 1997, section 3.1; the numbers of equations
// are Qiao's).
//
// Assumed: Poisson arrivals, exponential sizes, buffers without bound, fixed routes, no errors, no
// time in switches and cables, delays independent from channel to channel. A packet's delay begins
// at its first switch: the link from its host is in no sum. Neither wormhole switching nor what
// buffers hold back is modelled.
#ifndef NET_DELAY_H
#define NET_DELAY_H

#include "net/routes/flows.h"

// A load: amounts of flows turned into bytes a second, and what the packets are.
struct net_load {
	const struct net_flows *flows;
	const double *rates_Bps; // of each link: C_k, above 0
	double unit_Bps;	 // of an amount of 1
	double mean_B;		 // l: mean size of a packet, its header included; above 0
	double header_B;	 // e: what must be in before the packet can go on; 0 to mean_B
};

// Mean delay on one channel: l / (C (1 - f / C)), eq. 3.3, and eq. 5.1 where mean_B is that of
// messages. Infinite where the channel is full.
double net_delay_channel_s(double flow_Bps, double rate_Bps, double mean_B);

// What the sums over channels give, in s for the mean packet.
struct net_delay {
	double trunk_s;	      // between switches: eq. 3.4
	double last_s;	      // from the last switch to the host
	double trunk_saved_s; // by cutting through
	double last_saved_s;
	double first_s;	    // l / C of the first link: no part of the formulas
	double cut_through; // share of the packets from another switch that cut through at the next
			    // (sent on to another)
	double adaptive;    // the same by eq. 3.13, from the options of the routes and the mean
			    // utilisation of trunks
	double mean_utilisation; // of the links between switches
	double fullest;		 // utilisation of the fullest link
	uint32_t fullest_link;
	uint32_t full; // links at or above their rate: the load cannot be carried, trunk_s or
		       // last_s is infinite (or not, where only a first link is full)
};

// Infinite sums stay infinite, whatever is subtracted.
void net_delay_find(const struct net_load *load, struct net_delay *delay);

// The mean time from host to host with store and forward.
static inline double net_delay_saf_s(const struct net_delay *delay) // T_s, eq. 3.6
{
	return delay->trunk_s + delay->last_s;
}

// The same with virtual cut-through.
static inline double net_delay_vct_s(const struct net_delay *delay) // T_c, eq. 3.11
{
	return delay->trunk_s - delay->trunk_saved_s + delay->last_s - delay->last_saved_s;
}

// A packet that takes this path, Z of eq. 3.1: the sum of eq. 3.3 over the links between switches
// and the last. Its mean over the packets of all pairs is eq. 3.6.
double net_delay_path_s(const struct net_load *load, const struct net_path *path);

// Uniform traffic where all channels have one rate.
struct net_even_load {
	double rate_Bps;       // C
	double hosts;	       // N
	double cables;	       // M: between switches
	double packets_per_s;  // lambda: of a host
	double mean_B;	       // l
	double header_B;       // e
	double mean_route;     // p, eq. 3.7
	double from_elsewhere; // theta: share of packets whose hosts are on two switches
};

// The utilisation of a channel between switches, and of one to a host.
double net_even_trunk_utilisation(const struct net_even_load *load); // rho, eq. 3.8
double net_even_last_utilisation(const struct net_even_load *load);  // xi, eq. 3.9
// Eq. 3.10 and 3.12; infinite where a channel is full. cut_through is P^c of trunks, 1 - rho with
// fixed routes; at the last link it is 1 - xi. Eq. 3.12 has p - 1 of the chances to cut through on
// trunks where eq. 3.11 has p - theta, so that with equal loads it is above by P^c (1 - theta) (l -
// e) / C; below a mean route of 1 it has no meaning.
double net_even_saf_s(const struct net_even_load *load);
double net_even_vct_s(const struct net_even_load *load, double cut_through);

// P^c = sum over i of (1 - rho^i) P_i, eq. 3.13, with P_i the share of counts[i], i below
// NET_FLOWS_OPTIONS. NaN where all are 0.
double net_cut_through_adaptive(const uint64_t *counts, double utilisation);

#endif
