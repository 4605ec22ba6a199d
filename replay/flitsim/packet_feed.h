// SPDX-License-Identifier: GPL-3.0-or-later
// From the packets of a trace to what its hosts offer to the network.
#ifndef REPLAY_FLITSIM_PACKET_FEED_H
#define REPLAY_FLITSIM_PACKET_FEED_H

#include "flitsim.h"
#include "net/host_ports.h"

// --- packet_cut.c

struct packet_train;

// Cuts packets above the MTU into segments. Zero is a valid closed one.
struct packet_cut {
	uint32_t mtu_bytes;
	uint32_t framing_bytes;	   // of the link, that a size may hold besides the packet
	bool frames_itself;	   // the network adds its own
	struct num_ratio rate_bps; // of the hosts' links; 0: unknown, segments leave at once
	const struct net_host_ports *ports; // of the feed
	uint64_t ticks_per_s;
	uint64_t packets;  // that were cut
	uint64_t segments; // of these
	struct packet_train *trains;
	size_t count, room, most;
	uint64_t order;
	int64_t *free_ticks; // of each host: when its segments have left
};

// The usual rate of the hosts' links; 0: the kind has none.
struct num_ratio packet_cut_line_rate(const struct fabric *fabric,
				      const struct net_topology *topology);

// ports: lent; NULL: not chosen. TR_ERROR without memory. Close it in any case.
enum tr_status packet_cut_open(struct packet_cut *cut, const struct sim_options *options,
			       const struct fabric *fabric, const struct net_setup *setup,
			       const struct net_host_ports *ports, struct tr_error *err);

// Takes the framing off a frame of a full packet, where the network adds its own.
void packet_cut_unframe(const struct packet_cut *cut, struct net_offer *offer);

// Keeps a packet that is above the MTU, or behind segments of its host; else *kept is false and it
// may leave. TR_ERROR where it cannot be cut, memory ends, or --memory has no room for another one.
enum tr_status packet_cut_put(struct packet_cut *cut, const struct net_offer *offer, bool *kept,
			      struct tr_error *err);

// The next kept packet or segment that leaves until this time (NULL: ever); false: there is none.
bool packet_cut_take(struct packet_cut *cut, const int64_t *until_ticks, struct net_offer *offer);

// Warns of a trace with packets that were cut.
void packet_cut_tell(const struct packet_cut *cut, struct tool *tool, const char *trace);

// Frees what it holds; it is empty then.
void packet_cut_close(struct packet_cut *cut);

// --- offered.c

struct offered_host;

// What each host offers to its link. Zero is a valid closed one.
struct offered {
	struct offered_host *each;
	uint32_t hosts;
	int64_t first_ticks, last_ticks; // of packets
	bool any;
};

// TR_ERROR if out of memory.
enum tr_status offered_open(struct offered *offered, uint32_t hosts, struct tr_error *err);

// Adds an offer between hosts, not before the last one.
void offered_add(struct offered *offered, const struct net_offer *offer);

// Warns of the host that offers most, of those with 1,000 packets or more, if that exceeds 1.01
// times what its links can carry from the first packet of the trace to the last. rate_bps: of
// cables without a rate of their own; 0: unknown.
void offered_tell(const struct offered *offered, struct tool *tool, const char *trace,
		  const struct net_topology *topology, uint64_t ticks_per_s,
		  struct num_ratio rate_bps);

// Frees what it holds; it is empty then.
void offered_close(struct offered *offered);

// --- packet_feed.c

// A packet trace as a network's traffic: each record becomes an offer in the simulation's ticks.

struct packet_feed {
	struct tr_reader *in;
	struct node_map map;
	const struct sim_traffic_options *options;
	uint32_t hosts;
	uint32_t room; // hosts that nodes may have, where ranks of programs have others
	struct net_host_ports *ports; // chooses those of each packet; NULL: there is no choice
	int64_t factor;		      // ticks of the simulation per tick of the trace
	uint64_t unmapped;	      // packets of nodes that are not in the network
	char unmapped_node[64];	      // address of the first of these
	bool keep_going;	      // a damaged trace only ends the traffic
	struct packet_cut cut;
	struct offered offered;
	struct net_offer held; // valid if holds
	bool holds;
	bool ended; // the trace has
	bool waits; // it may have to be waited for, where it is live
};

// Makes it ready for a run of setup; in, map, hosts, room, ports and keep_going are set. cut_ports:
// of packet_cut_open. TR_ERROR if out of memory. Close it in any case.
enum tr_status packet_feed_open(struct packet_feed *feed, const struct sim_options *options,
				const struct fabric *fabric, const struct net_setup *setup,
				const struct net_host_ports *cut_ports, struct tr_error *err);

// Warns of packets that were cut, and of a host that offers more than its links carry.
void packet_feed_tell(const struct packet_feed *feed, struct tool *tool, const char *trace,
		      const struct net_topology *hosts, uint64_t ticks_per_s);

// Frees what it holds, the map, too.
void packet_feed_close(struct packet_feed *feed);

// TR_ERROR where the input is not a sorted trace of packets.
enum tr_status packet_feed_check(const struct packet_feed *feed, struct tr_error *err);

// Makes *ticks_per_s a clock on which the ticks of the simulation and of the trace are whole;
// everything is then measured in it. TR_ERROR: there is none.
enum tr_status packet_feed_join_clocks(struct packet_feed *feed, uint64_t *ticks_per_s,
				       struct tr_error *err);

// The next offer, for a struct net_traffic whose context is the feed. A packet with an end outside
// the network, or with one host for both ends, is refused if it may be ignored. TR_ERROR for a
// damaged trace (err is the reader's), a packet that is too large, a time that does not fit, or, at
// the end of the trace, for packets that may not be ignored.
enum tr_status packet_feed_next(void *feed, struct net_offer *offer, struct tr_error *err);

#endif
