// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of the kind cppe: the three simple routing techniques of the Concordia Parallel
// Programming Environment (Qu 2001, sections 5.2 to 5.4), and the times that follow. The thesis
// gives no value of any parameter; the defaults are ours.
#ifndef NET_CPPE_PARAMS_H
#define NET_CPPE_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/topology/topology.h"
#include "value/num.h"
#include "value/status.h"

enum cppe_technique_word { CPPE_PATH, CPPE_PACKET, CPPE_STORE };

struct cppe_params {
	enum cppe_technique_word technique;
	struct num_ratio delay_s; // of a hop: path and packet; above 0
	struct num_ratio local_s; // of a message to its own host
	// Of the packet switch (store).
	struct num_ratio rate_bps; // of a cable without a rate of its own; above 0
	uint64_t packet_B;	   // all packets have this size, header included
	uint64_t header_B;	   // below packet_B
	struct num_ratio startup_message_s;
	struct num_ratio startup_packet_s;
	bool finite; // a source has one message outstanding
	struct num_ratio
		timeout_s; // not path: of a message, its time at the source included; 0: none
	bool each;	   // a cable is a link each way; else one for both ways
	bool rounds;	   // a node sends at most one packet in each round
	struct num_ratio quantum_s; // from round to round; above 0
	uint64_t held_max; // above 0: packets between processors (store), busy intervals (packet)
};

extern const struct cppe_params cppe_params_usual;

// The same in ticks; those that the technique does not use are 0.
struct cppe_times {
	int64_t hop_ticks;
	int64_t local_ticks;
	int64_t message_ticks;
	int64_t startup_packet_ticks;
	int64_t quantum_ticks;
	uint32_t data_B; // of a packet
};

// Least clock that is a multiple of base_ticks_per_s and on which all times are whole. TR_ERROR,
// naming the key, where a parameter is out of range or there is no such clock.
enum tr_status cppe_clock(const void *params, const struct net_topology *topology,
			  uint64_t base_ticks_per_s, uint64_t *ticks_per_s, struct tr_error *err);

// TR_ERROR, naming the key, where a time is not whole on the clock or too long.
enum tr_status cppe_times_find(struct cppe_times *times, const struct cppe_params *params,
			       uint64_t ticks_per_s, struct tr_error *err);

// Ticks of a packet on a cable. TR_ERROR as above.
enum tr_status cppe_packet_ticks(const struct cppe_params *params, const struct net_cable *cable,
				 uint64_t ticks_per_s, int64_t *ticks, struct tr_error *err);

// Packets of a message.
static inline uint32_t cppe_packets(const struct cppe_times *times, uint32_t size_bytes)
{
	return (uint32_t)(((uint64_t)size_bytes + times->data_B - 1) / times->data_B);
}

// What a source spends before the first packet leaves (section 5.1.2: the send time includes all
// start-up costs).
static inline int64_t cppe_startup_ticks(const struct cppe_times *times, uint32_t packets)
{
	return times->message_ticks + packets * times->startup_packet_ticks;
}

#endif
