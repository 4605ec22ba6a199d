// SPDX-License-Identifier: GPL-3.0-or-later
// The run engine's state, beside that of the model that both engines share (hosts, memory, traffic,
// outcomes). A link holds the starts of its characters as runs: what has been, and what will be if
// nothing changes. Everything behind it follows from these, so a change is made in one link's runs
// and handed on down the worm as far as it makes a difference.
#ifndef NET_MYRINET_RUNS_STATE_H
#define NET_MYRINET_RUNS_STATE_H

#include "net/myrinet/format.h"
#include "net/myrinet/network.h"
#include "net/myrinet/runs/list.h"
#include "net/myrinet/runs/timer.h"

// What an event in a link's or host's phase is about; its aux is a RUN_AUX of a link.
enum run_event {
	RUN_TOLD_GO,   // ARRIVE: a GO has come by this link
	RUN_TOLD_STOP, // ARRIVE: a STOP has
	RUN_HEAD,      // ARRIVE or SEND: a worm's route character leaves the buffer at its end
	RUN_CROSS,     // ARRIVE, SEND or DRAIN: the occupancy of that buffer crosses a line
	RUN_SENT,      // SEND: the last character of the worm goes out
	RUN_FINAL,     // DRAIN: the first character behind the route wants to leave for a host
	RUN_TAIL,      // DRAIN: the last one leaves, or the last one of the packet itself
	RUN_DRY,       // SAMPLE: a character that is to start in this tick does not come in time
};

#define RUN_AUX(event, number) ((uint32_t)(event) << 28 | (number))
#define RUN_AUX_EVENT(aux) ((enum run_event)((aux) >> 28))
#define RUN_AUX_NUMBER(aux) ((aux) & (SIM_COMPONENTS_MAX - 1))

// A worm on a link: number of its first character there, how many it has, and switches passed
// before it and to be passed behind it.
struct run_segment {
	uint32_t worm;
	uint32_t base;
	uint32_t length;
	uint16_t hop;
	uint16_t left;
};

// The worms on a link and in the buffer at its end, the first to come first.
struct run_segments {
	struct run_segment *items;
	uint32_t mask;
	uint32_t first;
	uint32_t count;
};

// The event of the reference engine at which a sender finds that its next character may not start: it
// fires when the character is there and the link was free as far as could be known when it was set.
struct run_attempt {
	int64_t ticks;
	uint32_t index; // of the character
	bool held;      // it was in the conversion
	bool set;
};

// An output takes what is not known of its worm for coming in time, and finds out when that would
// start: by then STOP may have been followed by GO. What is behind the character is planned on it.
struct run_dry {
	bool doubted;   // there is one; the timer is not set where a GO must come before
	uint32_t index; // of the first character that is not known to be there when it is planned
	int64_t ticks;  // for which it is planned
	struct run_timer timer;
};

// The near end: the worm that is being sent.
struct run_sender {
	uint32_t worm; // NET_NO_WORM: none
	uint32_t base;
	uint32_t length;       // its characters on this link
	uint32_t offset;       // number on the input's link less that on this one
	struct run_link *input; // where a switch takes it from; NULL at a host
	int64_t ready_ticks;   // its first character can start
	int64_t held_ticks;    // its last one leaves the input for the conversion; -1: not known
	int64_t late_ticks;    // none stays longer in the input's buffer
	int64_t coming_ticks;  // none does that comes from now on
	int64_t begun_ticks;   // it was granted, or the host began with it
	struct run_attempt attempt;
	struct run_timer sent;
	struct run_dry dry;
};

enum run_input_state {
	RUN_INPUT_IDLE,  // between worms, since idle_ticks
	RUN_INPUT_WAITS, // has asked for an output
	RUN_INPUT_FLOWS, // has got it
};

// The far end at a switch.
struct run_input {
	const struct myr_switch *crossbar;
	struct run_link *output;
	enum run_input_state state;
	int64_t idle_ticks;
	int64_t asked_ticks;
	uint32_t place; // in the order of service
	struct run_timer head; // of the next worm
};

// The near end at a switch.
struct run_output {
	struct run_link *const *inputs; // of the switch, in the order of service; NULL: no cable
	uint64_t asking;                // bit p % 64: the input in place p asks
	uint32_t ports;
	uint32_t pointer; // place in the order behind the last winner
	uint32_t waiting;
	bool assigned;
	bool arbitrating;
};

// The far end at a host.
struct run_sink {
	struct run_list drained; // characters that leave the buffer, numbered as on the link
	int64_t floor_ticks;     // none does before
	int64_t late_ticks;      // none of the worm that is admitted does so long after it could
	bool admitted;           // the first worm has its memory
	bool complete;           // all but what ends it was taken
	uint64_t begun_in;       // look at timeouts that last took a worm out of it
	struct run_timer final;
	struct run_timer tail;
};

// The buffer at the far end.
struct run_slack {
	bool stop_due;
	bool stop_told;
	bool rising;          // cross is about the STOP line
	bool peaking;         // a STOP was due since it was settled
	bool untold;          // the last one did not go out yet
	uint32_t peak_most;   // none of the others made it fuller than this
	int64_t crossed_ticks; // the last one became due
	int64_t settled_ticks; // the area is known before
	int64_t peaked_ticks;  // and the peak
	struct run_timer cross;
};

struct run_link {
	uint32_t number;
	bool stopped;      // nothing of a worm starts from stop_ticks on
	bool stop_unnoted; // the attempt that is pending then is not worked out yet
	bool control_pending;
	bool reset_due;
	bool beat_due;
	bool hold_passed; // a character that is held from the tick of that control on went before it
	bool marked; // its buffer is to be looked at when the tick is over
	bool urgent; // or when the event is
	int64_t character_ticks;
	int64_t delay_ticks;
	int64_t conversion_ticks;
	int64_t stop_ticks;
	int64_t floor_ticks; // nothing of a worm starts before
	int64_t control_end_ticks; // of the last STOP or GO on it, or of a worm that was removed
	int64_t stale_ticks; // an attempt for a worm that was removed is pending until then
	uint64_t begun_in;   // look at timeouts in which its host began with its worm; 0: none
	struct run_link *reverse;
	struct run_list sent;
	uint32_t gone;           // characters before this number have left the buffer at its end
	uint32_t tells;          // STOPs and GOs on their way to the near end that have an event
	uint64_t controls;       // put on the link
	uint64_t counted;        // characters before number counted_to
	uint32_t counted_to;
	struct run_segments segments;
	struct run_sender sender;
	struct run_slack slack;
	struct run_output output;
	struct run_input input;
	struct run_sink *sink;  // NULL at a switch
	struct myr_host *from; // NULL at a switch
	struct myr_host *to;
};

struct run_meter;

// One run. The shared state comes first: a struct myr_network of this engine is one of these.
struct run_net {
	struct myr_network net;
	struct sim_arena arena;
	struct run_link *links;
	struct run_link **link_of;
	struct run_sink *sinks;
	struct run_link **inputs; // of all switches, each in its order of service
	struct run_link **asked;  // idle outputs that are asked for in this tick
	struct run_link **marked;
	struct run_link **urgent;
	uint32_t asked_count;
	uint32_t marked_count;
	uint32_t urgent_count;
	uint32_t most;     // no buffer is ever fuller
	uint32_t lead;     // characters before a worm's first route character
	uint32_t key;      // of the present event
	uint32_t key_most; // of this event and those before it at key_ticks
	int64_t key_ticks;
	bool tells_early;  // a STOP or GO is heeded in plans when it goes out
	bool frees_late;   // an output that nobody waits for is freed when it is asked for
	uint64_t looks;      // at timeouts, so far
	int64_t start_ticks; // of the run
	int64_t last_ticks;  // until then what is left of removed worms comes to nothing
	int64_t last_behind_beat_ticks; // the same of what comes behind the BEATs of its tick
	struct run_meter *meters; // of each link; NULL where none is sampled
};

static inline int64_t run_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline struct run_segment *run_segment_at(const struct run_link *link, uint32_t place)
{
	const struct run_segments *segments = &link->segments;

	return &segments->items[(segments->first + place) & segments->mask];
}

static inline bool run_is_stopped(const struct run_link *link, int64_t ticks)
{
	return link->stopped && link->stop_ticks <= ticks;
}

// Whether the link's worm has gone out before the present event, all of it.
static inline bool run_worm_out(const struct run_net *runs, const struct run_link *link)
{
	int64_t last = run_last(&link->sent);

	return link->sent.end - link->sender.base == link->sender.length &&
	       (last < runs->net.events.now_ticks || (last == runs->net.events.now_ticks &&
		SIM_KEY(MYR_SEND, link->number) < runs->key));
}

// Whether the link's host began with its worm in the present event, a timeout: the last of its tick.
static inline bool run_began_now(const struct run_net *runs, const struct run_link *link)
{
	return link->begun_in != 0 && link->begun_in == runs->looks &&
	       SIM_KEY_PHASE(runs->key) == MYR_TIMEOUT;
}

// Number of the first character on the link behind a worm's route character.
static inline uint32_t run_behind_route(const struct run_net *runs,
					const struct run_segment *segment)
{
	return segment->base + runs->lead + 1;
}

// The first worm on the link has left its buffer.
static inline void run_segment_drop(struct run_link *link)
{
	struct run_segments *segments = &link->segments;

	segments->first = --segments->count == 0 ? 0 : segments->first + 1;
	link->gone = segments->count > 0 ? run_segment_at(link, 0)->base : link->sent.end;
}

// The next worm on the link.
static inline void run_segment_add(struct run_link *link, struct run_segment worm)
{
	if (link->segments.count == 0)
		link->gone = worm.base;
	*run_segment_at(link, link->segments.count++) = worm;
}

// No more characters than this are ever in the buffer by what is known.
static inline int32_t run_most_held(const struct run_link *link)
{
	return run_ahead(link->sent.end, link->gone);
}

// What leaves or comes to the link's buffer has changed: it is looked at again. A GO may become due
// in this tick yet, a STOP only in a later one; that of a crossing in this tick is as it was.
static inline void run_mark(struct run_net *runs, struct run_link *link)
{
	struct run_slack *slack = &link->slack;

	if (!slack->stop_due && run_most_held(link) < (int64_t)runs->net.times.stop_line) {
		if (!slack->rising || slack->cross.due.ticks != runs->net.events.now_ticks)
			run_timer_clear(&slack->cross);
		slack->rising = true;
	} else if (slack->stop_due) {
		if (!link->urgent)
			runs->urgent[runs->urgent_count++] = link;
		link->urgent = true;
	} else {
		if (!link->marked)
			runs->marked[runs->marked_count++] = link;
		link->marked = true;
	}
}

// How far ahead an event is near: as many characters.
#define RUN_NEAR_CHARACTERS 32

static inline int64_t run_near_ticks(const struct run_link *link)
{
	return RUN_NEAR_CHARACTERS * link->character_ticks;
}

static inline void run_set(struct run_net *runs, struct run_timer *timer, int64_t ticks,
			   uint32_t key, enum run_event event, const struct run_link *link)
{
	run_timer_set(&runs->net.events, timer, (struct run_moment){ticks, key},
		      run_near_ticks(link), RUN_AUX(event, link->number));
}

#endif
