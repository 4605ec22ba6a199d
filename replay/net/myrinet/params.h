// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of the Myrinet model in their physical units, and in ticks. man/flitline-models.7
// explains each.
#ifndef NET_MYRINET_PARAMS_H
#define NET_MYRINET_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/delay_law.h"
#include "net/host_ports.h"
#include "net/topology/topology.h"
#include "sim/pace.h"
#include "table/keys.h"
#include "value/num.h"
#include "value/status.h"

struct myr_link_params {
	struct num_ratio rate_bps;
	struct num_ratio length_m;
	struct num_ratio speed_mps;
	uint64_t below_go_B;   // slack buffer: region below the GO line
	uint64_t hysteresis_B; // between the GO and the STOP line
	uint64_t above_stop_B; // above the STOP line
};

struct myr_switch_params {
	struct num_ratio assignment_s; // from the choice of a winner to its grant
	struct num_ratio path_s;       // from a character's arrival to its earliest departure
	struct num_ratio
		conversion_s;	    // how long the trailer is held, and the port with it (usually)
	bool first_come;	    // serve requests by age; else round robin
	char order[KEY_TEXT_BYTES]; // ports in cyclic order, "65743021" or "6-5-...": "" the
				    // default
};

// What happens to a packet that finds its source's queue full.
enum myr_full {
	MYR_FULL_STALLS, // it and all packets behind it in the traffic wait
	MYR_FULL_DROPS,
	MYR_FULL_WAITS, // it and those behind it of the same source wait
};

struct myr_adapter_params {
	struct num_ratio flit_s;       // to make one character
	struct num_ratio route_flit_s; // to make one route character that a switch will strip
	struct num_ratio dma_in_bps;   // host memory to adapter memory; 0: takes no time
	struct num_ratio dma_out_bps; // between checks for free adapter memory; 0: at every release
	char software_law[KEY_TEXT_BYTES]; // what it takes beyond software_s
	struct num_ratio software_s; // of the operating system for each worm, before its transfer
	struct num_ratio poll_s;     // between looks for free adapter memory; 0: at every release
	uint64_t sram_B;	     // adapter memory, one pool for sending and receiving
	uint64_t receive_reserve_B;  // part of it that sending may not take
	uint64_t header_B;	     // taken in adapter memory besides the data
	uint64_t queue_worms;	     // capacity in main memory
	uint64_t out_buffer_B;	// outgoing slack buffer; 0: a character is made when the last has
				// gone
	bool receive_one;	// a worm is taken when the previous one has left the host
	bool dma_overlaps;	// a transfer begins at once, concurrently with others
	uint64_t waiting_worms; // capacity outside full queues, of all sources together
	enum myr_full when_full;
};

// Format of a packet (net/myrinet/characters.h).
struct myr_format_params {
	bool gap_after; // a GAP ends the packet; otherwise one announces it and a trailer ends it
	bool no_final;	// no route character names the destination
	bool crc;	// a CRC-8 character ends the data
	uint64_t type_characters; // of the packet type, before the data
};

// The start of a worm's timeout.
enum myr_timeout_from {
	MYR_TIMEOUT_AGE,     // its entry into the source's queue, or the last removal
	MYR_TIMEOUT_BLOCKED, // its head waits for an output or for adapter memory
	MYR_TIMEOUT_SILENT,  // its current port has not sent a character of it
};

struct myr_loss_params {
	struct num_ratio timeout_s; // 0: none
	enum myr_timeout_from timeout_from;
	bool resend;   // removed by a timeout: back to its source's queue; otherwise dropped
	uint64_t seed; // of the streams of bytes and of bit errors
	struct num_ratio bit_errors; // probability of each bit on each link
	struct num_ratio beat_s;     // between the BEATs of a link; 0: none
	uint64_t beat_misses;	     // consecutive ones after which a cable is lost; 0: never
	bool reset_travels;  // a source whose worm is removed learns it when a reset has travelled
			     // back
	bool drop_misrouted; // drop a worm whose route is wrong; otherwise the run fails
};

// A messaging layer between the hosts' programs and their adapters.
struct myr_layer_params {
	uint64_t credits; // for worms on their way to one destination, or in the whole network; 0:
			  // no layer
	uint64_t reply_B; // size of the worm that answers another and returns its credit
	bool replies_queued; // behind the worms that wait at the host for credits; else before them
	bool managed;	     // one host has the credits of all
	uint64_t manager;    // this host
};

// Multicast: packets of one source, time and size are copies of one, made by adapters along a tree,
// or by switches.
struct myr_multicast_params {
	uint64_t fan_out; // of the adapters' tree; 0: the source sends all copies
	bool drops; // an adapter without memory for a copy drops it, and those behind it; else it
		    // waits
	bool by_switch; // and not by adapters
};

// Whether hosts or switches copy worms.
static inline bool myr_multicast_is_on(const struct myr_multicast_params *multicast)
{
	return multicast->fan_out > 0 || multicast->by_switch;
}

struct myr_params {
	bool finite; // sources: their packets leave one by one
	struct net_port_rule ports;
	struct myr_loss_params loss;
	struct myr_layer_params layer;
	struct myr_multicast_params multicast;
	struct myr_format_params format;
	struct myr_link_params link;
	struct myr_switch_params crossbar;
	struct myr_adapter_params adapter;
};

// The second-generation network with an SBus adapter of the Yates thesis (AFIT/GCS/ENG/97D-20,
// chapter 3, "Myrinet parameters"). Other networks are presets of the kind (net/presets).
extern const struct myr_params myr_params_yates;

// The kind's counters, in net_totals.own.
enum myr_own {
	MYR_SLACK_PEAK, // characters in the fullest slack buffer
	MYR_CHARACTERS, // put on links, control characters included
	MYR_RESENT,	// times that a worm was requeued at its source
	MYR_UNDETECTED, // delivered though damaged: undetected by the CRC
	MYR_LINKS_LOST, // times that the end of a cable declared it lost
	MYR_CONTROLS,	// replies, requests and grants of a messaging layer that arrived
	MYR_COPIES,	// of multicasts, made by adapters or switches
};

// Parameters in ticks, for the engines. Everything but the DMA is whole in ticks.
struct myr_times {
	struct myr_format_params format;
	uint64_t ticks_per_s;
	int64_t character_ticks; // of one character on a link of the default rate
	int64_t flit_ticks;
	int64_t route_flit_ticks;
	int64_t assignment_ticks;
	int64_t path_ticks;
	int64_t conversion_ticks; // on a cable without its own value
	int64_t software_ticks;
	struct net_law software_law;
	struct tr_random software_stream; // of the law
	int64_t poll_ticks;
	int64_t timeout_ticks; // 0: none
	int64_t beat_ticks;    // 0: none
	struct sim_pace dma_in;
	struct sim_pace dma_out;
	uint32_t go_line;   // occupancy at and below which GO is due
	uint32_t stop_line; // occupancy at and above which STOP is due
	uint32_t slack_size;
};

// Least clock that is a multiple of base_ticks_per_s and in which every fixed time of the
// parameters and every cable's delay is whole. TR_ERROR where that exceeds TR_TICKS_PER_S_MAX.
enum tr_status myr_clock(const void *params, const struct net_topology *topology,
			 uint64_t base_ticks_per_s, uint64_t *ticks_per_s, struct tr_error *err);

// Converts params to ticks. TR_ERROR, naming the parameter, where one is out of range or not whole.
enum tr_status myr_times_make(struct myr_times *times, const struct myr_params *params,
			      uint64_t ticks_per_s, struct tr_error *err);

// Time of a character on a cable, in seconds; false where it does not fit.
bool myr_cable_character(const struct myr_link_params *link, const struct net_cable *cable,
			 struct num_ratio *seconds);

// How long a switch holds the character that ends a worm on the cable, in seconds.
struct num_ratio myr_cable_conversion(const struct myr_switch_params *crossbar,
				      const struct net_cable *cable);

// Delay of a cable in seconds; false where it does not fit.
bool myr_cable_delay(const struct myr_link_params *link, const struct net_cable *cable,
		     struct num_ratio *seconds);

// The order in which a switch's outputs serve its inputs.

// Fills order[ports] from text: digits ("65743021"), or numbers with dashes. "": 6,5,7,4,3,0,2,1
// for eight ports, ascending for any other number. TR_ERROR if it is not a permutation of the
// ports.
enum tr_status myr_order_make(uint16_t *order, uint32_t ports, const char *text,
			      struct tr_error *err);

// The space that a slack buffer needs above its STOP line to never overflow.

// Characters that can still arrive after the one that made a STOP due: floor((w + 2 delay - 1) /
// spacing), w = waits - 1. waits: ticks of the characters that can precede the STOP (the one in
// progress, and waiting control characters); spacing: least ticks between two characters; delay: of
// the link. All above 0.
//
// The STOP starts at most w after the arrival at t, and stops the sender a delay later; characters
// started before that arrive before t + w + 2 delay.
// By hand: 10 m at 1.8e8 m/s and 1.28 Gb/s, 2 x 55.56 ns and a wait of just under 6.25 ns, give 18
// characters; George and VanLoon give 40.
int64_t myr_slack_need(int64_t waits_ticks, int64_t delay_ticks, int64_t spacing_ticks);

#endif
