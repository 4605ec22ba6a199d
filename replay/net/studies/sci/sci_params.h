// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of SCI networks: the latency components of Gonzalez (2000, Table 1), and what the
// simulation adds.
#ifndef NET_SCI_SCI_PARAMS_H
#define NET_SCI_SCI_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "value/num.h"
#include "value/status.h"

#define SCI_PACKET_B 64u // the largest payload; overhead_s is of one such packet

struct sci_params {
	struct num_ratio propagation_s; // l_p, of a link; above zero
	struct num_ratio forwarding_s;	// l_f, through a node on the same ring
	struct num_ratio switching_s;	// l_s, from ring to ring
	struct num_ratio overhead_s;	// o, at either end, of a message of at most SCI_PACKET_B
	struct num_ratio overhead_B_s;	// and of each byte beyond
	struct num_ratio symbol_s;	// of two bytes on a link; above zero
	struct num_ratio pci_bps;	// of a host's bus; 0: data need no time on it
	struct num_ratio blink_bps;	// of the bus of a node; 0: packets need no time on it
	bool both;			// each cable has a ring in either direction
	bool cut_through;		// agents send a packet on before it is whole
	bool transactions;		// a message is delivered when its responses are back
	bool finite;			// a source has one message outstanding
	struct num_ratio timeout_s;	// of a message, its time at the source included; 0: none
	bool go_bits;	// a node begins a packet of its own only behind an idle symbol that says go
	uint64_t reads; // percent of the messages, 0 to 100
	uint64_t packets_max; // of these, packets under way, with echoes
};

extern const struct sci_params sci_params_usual;

// In ticks.
struct sci_times {
	int64_t propagation;
	int64_t forwarding;
	int64_t switching;
	int64_t overhead;
	int64_t overhead_B;
	int64_t symbol;
	int64_t pci_B;	 // of a byte
	int64_t blink_B; // of a byte
};

// Least clock that is a multiple of base_ticks_per_s and counts all times; TR_ERROR, naming the
// key, if there is none or a value is out of range.
enum tr_status sci_clock(const struct sci_params *params, uint64_t base_ticks_per_s,
			 uint64_t *ticks_per_s, struct tr_error *err);

// TR_ERROR, naming the key, where a time is not whole or a value is out of range.
enum tr_status sci_times_find(const struct sci_params *params, uint64_t ticks_per_s,
			      struct sci_times *times, struct tr_error *err);

#endif
