// SPDX-License-Identifier: GPL-3.0-or-later
// The rate of a sender by DCQCN's reaction point: Zhu, Eran, Firestone, Guo, Lipshteyn, Liron,
// Padhye, Raindel, Haj Yahia and Zhang, "Congestion Control for Large-Scale RDMA Deployments",
// SIGCOMM 2015. All in integers: rates in b/s, alpha and g in 2^-32.
#ifndef PROGRAM_DCQCN_H
#define PROGRAM_DCQCN_H

#include <stdbool.h>
#include <stdint.h>

#define DCQCN_ONE (UINT64_C(1) << 32)
#define DCQCN_ROUNDS 5u // F: of fast recovery

struct dcqcn_params {
	bool on;
	uint64_t gain;		 // g, 0 to DCQCN_ONE
	int64_t alpha_ticks;	 // without a notice, after which alpha decays; above 0
	int64_t increase_ticks;	 // T, the timer of increases; above 0
	uint64_t increase_bytes; // B, their byte counter; above 0
	uint64_t step_bps;	 // of additive increases,
	uint64_t fast_step_bps;	 // and of hyper increases, times their number
	uint64_t least_bps;	 // above 0
	int64_t notice_ticks;	 // at the receiver: least time between two notices of a flow
};

struct dcqcn {
	uint64_t line_bps;   // of the host's cable
	uint64_t rate_bps;   // least_bps to line_bps
	uint64_t target_bps; // likewise
	uint64_t alpha;
	int64_t alpha_ticks;	// when it decays next; INT64_MAX: never
	int64_t increase_ticks; // when the timer increases the rate next; INT64_MAX: never
	uint64_t bytes;		// sent since the byte counter's last increase
	uint32_t timed;		// increases since the last notice, by the timer
	uint32_t counted;	// and by the byte counter
};

// At the rate of its cable, before any notice.
void dcqcn_start(struct dcqcn *rate, uint64_t line_bps);

// What its timers do at or before a tick, which does not decrease from call to call.
void dcqcn_until(struct dcqcn *rate, const struct dcqcn_params *params, int64_t ticks);

// A notice of congestion has come now, and all up to now was done.
void dcqcn_cut(struct dcqcn *rate, const struct dcqcn_params *params, int64_t now_ticks);

// So many bytes are sent.
void dcqcn_sent(struct dcqcn *rate, const struct dcqcn_params *params, uint32_t bytes);

// Whether the rate is below that of the cable.
static inline bool dcqcn_limits(const struct dcqcn *rate)
{
	return rate->rate_bps < rate->line_bps;
}

#endif
