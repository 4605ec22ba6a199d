// SPDX-License-Identifier: GPL-3.0-or-later
// The local medium of switched networks: bytes go by regimes, not one by one. A sender is off, or
// starts bytes at a steady period: its link's, or, where that is longer, that of the bytes that
// come to it or of the room behind it. Everything ahead is one open-ended claim, read by the
// senders before and behind it; each looks ahead to the first byte for which its regime does not
// hold. man/flitline-engines.7 says why that is exact.
//
// Bytes of a link are numbered in one series, modulo 2^32; those of a buffer are its link's. Times
// are in cycles. Links have one lane.
#ifndef NET_SWITCHED_LOCAL_H
#define NET_SWITCHED_LOCAL_H

#include "net/switched/switched_run.h"
#include "sim/calendar.h"

// Bytes that arrive at equal distances, up to the next run or to what the link's sender has started
// or claims.
struct switched_flow {
	int64_t first; // cycle in which its first arrives
	uint32_t number;
	uint32_t period;
};

// Of the calendar, for each link.
enum switched_component {
	SWITCHED_SENDS, // its regime ends, or can begin
	SWITCHED_LOOKS, // the head of the buffer behind it may ask
	SWITCHED_ROOM,	// that buffer, which is full, has room
	SWITCHED_COMPONENTS
};

struct switched_sender {
	int64_t next; // on: the cycle in which number starts
	int64_t free; // the byte before number has wholly left
	int64_t head; // the first byte of its worm has arrived
	uint32_t number;
	uint32_t end; // behind its worm's last byte
	uint32_t period;
	uint32_t cycles; // of a byte
	uint32_t shift;	 // number in the buffer that feeds it - number
	uint32_t worm;	 // as far as it is known here
	uint32_t base;	 // first number of the worm that is first in the buffer behind it
	uint32_t output; // link to which that worm goes; NET_NOBODY
	uint32_t first_flow;
	uint32_t flow_count;
	bool on;
	bool bounded;		     // there is a buffer behind it
	bool touched;		     // its next events are to be found
	struct switched_flow *flows; // of arrivals, in a ring of so many places
};

// What a link did since its sample was taken last.
struct switched_local_meter {
	int64_t since_ticks; // counted up to then
	int64_t busy_ticks;  // the last byte that was counted has wholly left
	int64_t held_ticks;  // since when its output has the present worm
	uint32_t seen;	     // number of the next byte that starts
	uint32_t come;	     // and of the next that comes to the buffer behind it
	uint32_t left;	     // in the series of the output of that buffer: the next that leaves it
	uint32_t occupancy;
	bool early; // held_ticks is of a worm that is to be announced
	struct tr_link sample;
};

struct switched_local {
	struct switched_sender *senders; // of each link
	struct switched_flow *flows;
	struct sim_calendar calendar;
	struct switched_list touched;
	struct switched_local_meter *meters; // of each link; NULL: no samples
	bool starts;			     // in this cycle bytes are still to start
	int64_t last_cycle; // of the run, once it is over; SWITCHED_LONG_SINCE before
	uint32_t buffer;    // bytes
	uint32_t places;
};

#define SWITCHED_LONG_SINCE \
	(INT64_MIN / 4) // the cycle of what is older than any; cycles can be added and subtracted

// When something can be from one number on: the first in cycle at, and so many at this period.
struct switched_line {
	int64_t at;
	uint32_t period;
	uint32_t count;
};

// Whether a number comes before another one; numbers wrap around.
static inline bool switched_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

// The number behind the last that a sender has started by a cycle, at least as late as what is
// settled.
static inline uint32_t switched_started_by(const struct switched_sender *sender, int64_t cycle)
{
	uint64_t count;

	if (!sender->on || sender->next > cycle)
		return sender->number;
	count = (uint64_t)(cycle - sender->next) / sender->period + 1;
	return count < sender->end - sender->number ? sender->number + (uint32_t)count
						    : sender->end;
}

// The number behind the last that has wholly left by a cycle, at least as late as what is settled.
static inline uint32_t switched_ended_by(const struct switched_sender *sender, int64_t cycle)
{
	const uint32_t number = switched_started_by(sender, cycle);
	const uint32_t count = number - sender->number;
	const int64_t free = count == 0 ? sender->free
					: sender->next + (int64_t)(count - 1) * sender->period +
						  sender->cycles;

	return number - (free > cycle);
}

// Bytes that a link's far buffer holds, from their start on the link to when they have wholly left.
static inline uint32_t switched_held(const struct switched_local *local,
				     const struct switched_sender *sender, int64_t cycle)
{
	const struct switched_sender *output;

	if (sender->output == NET_NOBODY)
		return sender->number - sender->base;
	output = &local->senders[sender->output];
	return sender->number - (switched_ended_by(output, cycle) + output->shift);
}

// --- switched_regime.c

// When a number of a sender's worm comes to it, and when there is room for it behind; false where
// that is not known yet.
bool switched_arrival(const struct switched_run *run, const struct switched_sender *sender,
		      uint32_t number, struct switched_line *line);
bool switched_room(const struct switched_run *run, const struct switched_sender *sender,
		   uint32_t number, struct switched_line *line);

// When the buffer behind a sender without a worm has room for this many bytes; SIM_NEVER: that is
// not known yet.
int64_t switched_room_comes(const struct switched_run *run, const struct switched_sender *sender,
			    uint32_t bytes);

// When a number arrives at the far end of its link; false where that is not known yet.
bool switched_comes(const struct switched_local *local, const struct switched_sender *sender,
		    uint32_t number, struct switched_line *line);

// Settles what has started by the cycle.
void switched_settle(struct switched_sender *sender, int64_t cycle);

// Begins a regime in this cycle, in which its next byte can start, if it can. Returns whether.
bool switched_begin(struct switched_run *run, struct switched_sender *sender);

// Bytes from a number on are as if the sender had never started them: those behind take their
// numbers.
void switched_cut(const struct switched_run *run, struct switched_sender *sender, uint32_t number,
		  uint32_t count);

// When a sender with a worm is to be looked at next, after this cycle; SIM_NEVER.
int64_t switched_sends_next(const struct switched_run *run, const struct switched_sender *sender);

// --- switched_local_meter.c: nothing where no samples are wanted, but for the last

// Takes the meters of links from the arena, if the setup samples; and starts them.
void switched_local_meter_layout(struct switched_run *run, struct switched_local *local);
void switched_local_meter_open(struct switched_run *run);

// A link's sender is about to change.
void switched_local_meter_change(struct switched_run *run, uint32_t link);

// A link's output has been given a worm; so have some after a fault that are announced in the next
// cycle.
void switched_local_meter_hold(struct switched_run *run, uint32_t link);
void switched_local_meter_faulted(struct switched_run *run);

// So many bytes of a link's series have been cut out.
void switched_local_meter_cut(struct switched_run *run, uint32_t link, uint32_t count);

// A link's sender has been stopped, and what its buffer held has been taken out.
void switched_local_meter_stop(struct switched_run *run, uint32_t link);
void switched_local_meter_lost(struct switched_run *run, uint32_t link);

// The medium's sample.
void switched_local_sample(struct switched_run *run, uint32_t link, int64_t ticks,
			   struct tr_link *out);

extern const struct switched_medium switched_local_medium;

#endif
