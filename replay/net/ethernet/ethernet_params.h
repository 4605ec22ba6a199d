// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of Ethernet (IEEE 802.3): full-duplex cables, and switches that store and forward
// frames from a buffer that their outputs share. man/flit-fabric.5 has the rules.
#ifndef NET_ETHERNET_PARAMS_H
#define NET_ETHERNET_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/host_ports.h"
#include "net/drive/cables.h"
#include "net/engine.h"
#include "net/topology/topology.h"
#include "table/keys.h"
#include "value/num.h"
#include "value/status.h"

// Bytes on a cable around a packet, IEEE 802.3 clauses 3 and 4.
#define ETHERNET_PREAMBLE_B 8u // with the start of frame
#define ETHERNET_HEADER_B 14u
#define ETHERNET_CHECK_B 4u
#define ETHERNET_GAP_B 12u	 // least, from a frame to the next
#define ETHERNET_PAYLOAD_MIN 46u // shorter ones are padded, to a frame of 64 B

// What part of a switch's buffer one output may fill.
enum ethernet_share {
	ETHERNET_DYNAMIC, // alpha times what is free (Choudhury and Hahne, "Dynamic queue length
			  // thresholds for shared-memory packet switches", IEEE/ACM Transactions on
			  // Networking 6(2), 1998)
	ETHERNET_PORT,	  // the buffer divided by the ports that have a cable
	ETHERNET_ALL,
};

// ECN marks by RED's line: a packet that joins an output's queue of q bytes is marked with the
// probability 0 up to from_B, most * (q - from_B) / (to_B - from_B) below to_B, and 1 from there.
struct ethernet_marks {
	bool on;
	uint64_t from_B;       // Kmin
	uint64_t to_B;	       // Kmax, at least from_B
	struct num_ratio most; // Pmax, 0 to 1
	uint64_t seed;
};

// Queues by priority, as in IEEE 802.1Q; texts of ethernet_priorities_read. An empty one of
// priorities: all have the priority 0.
struct ethernet_priority_params {
	char of[KEY_TEXT_BYTES]; // packets
	bool by_weight;		 // deficit round robin; else the highest first
	char weights[KEY_TEXT_BYTES];
};

// Flow control by priority; texts of ethernet_pause_read. An empty one of priorities: none.
struct ethernet_pause_params {
	char of[KEY_TEXT_BYTES]; // priorities
	char xoff[KEY_TEXT_BYTES];
	char xon[KEY_TEXT_BYTES];
	char headroom[KEY_TEXT_BYTES];
	char response[KEY_TEXT_BYTES];
	uint64_t quanta; // of 512 bit times, that a pause holds for
};

struct ethernet_params {
	struct net_cables cables;
	struct num_ratio
		latency_s; // of a switch: from a frame's last byte to its turn at the output
	uint64_t buffer_B; // of each switch; 0: without bound
	enum ethernet_share share;
	struct num_ratio alpha; // above 0
	struct ethernet_marks marks;
	struct ethernet_priority_params priority;
	struct ethernet_pause_params pause;
	uint64_t cut_B; // of a frame, after which a switch may send it on; 0: when it is whole
	uint64_t mtu_B; // of a packet
	bool finite;	// a source has one packet outstanding
	struct num_ratio timeout_s; // of a packet, its time at the source included; 0: none
	struct net_port_rule ports;
	struct net_hold_rule hold;
};

extern const struct ethernet_params ethernet_params_usual;

// The kind's counters, in net_totals.own.
enum ethernet_own {
	ETHERNET_BUFFER_PEAK, // bytes of the fullest switch
};

extern const struct net_engine ethernet_frames;	    // ethernet_run.c
extern const struct net_engine ethernet_departures; // departures.c

// Whether switches ask for pauses.
static inline bool ethernet_has_pauses(const struct ethernet_params *params)
{
	return params->pause.of[0] != '\0';
}

// Whether outputs have a queue for each priority.
static inline bool ethernet_has_priorities(const struct ethernet_params *params)
{
	return params->priority.of[0] != '\0' || ethernet_has_pauses(params);
}

// Bytes of a packet's frame in a buffer, from its header to its check sequence.
static inline uint32_t ethernet_frame_B(uint32_t size_bytes)
{
	return (size_bytes < ETHERNET_PAYLOAD_MIN ? ETHERNET_PAYLOAD_MIN : size_bytes) +
	       ETHERNET_HEADER_B + ETHERNET_CHECK_B;
}

// Least clock that is a multiple of base_ticks_per_s and in which a byte and the propagation on
// each cable, and the latency of a switch, are whole. TR_ERROR, naming the key, where a parameter
// is out of range or there is no such clock.
enum tr_status ethernet_clock(const void *params, const struct net_topology *topology,
			      uint64_t base_ticks_per_s, uint64_t *ticks_per_s,
			      struct tr_error *err);

// Sets the latency of a switch. TR_ERROR where it is not whole or a parameter is out of range.
enum tr_status ethernet_latency(const struct ethernet_params *params, uint64_t ticks_per_s,
				int64_t *latency_ticks, struct tr_error *err);

#endif
