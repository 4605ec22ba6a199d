// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs of the engine departures (net/ethernet/departures.c).
#ifndef NET_ETHERNET_DEPARTURES_H
#define NET_ETHERNET_DEPARTURES_H

#include "net/ethernet/ethernet_rules.h"
#include "sim/calendar.h"
#include "sim/marks.h"
#include "value/cache.h"

#define LEAD_B ETHERNET_PREAMBLE_B
#define DEPARTING_PORTS 22u
#define DEPARTURES_LARGE 6000u // links whose state is not near a processor
#define DEPARTURES_STRIDE 2u   // arrivals of a tick from one step of fetching to the next

// A link stands for the output at its near end. Its frames are a list: first those on the cable,
// then those in the queue. A link that crosses from one region to another has two: that of its far
// end, whose list are the worms that come, and that of its near end, whose list are marks of those
// that have not left.
struct departing_link {
	int64_t free_ticks; // from when the next frame to join may start
	int64_t byte_ticks;
	int64_t propagation_ticks;
	uint64_t queue_B; // in the queue and being sent
	uint32_t first;	  // on its way to the far end; NET_NO_WORM
	uint32_t last;
	uint32_t leaving; // the first whose leaving is not booked; NET_NO_WORM
	uint32_t from;	  // nodes
	uint32_t to;
	bool gone; // its list is one of marks
	bool due;  // it is among the outputs of its switch that leave next
};
_Static_assert(sizeof(struct departing_link) <= 64, "a link has one cache line");

// A frame in the list of a link: of a worm, or a mark.
struct departing_frame {
	int64_t start_ticks;
	uint32_t next;
	uint32_t frame_B;
	uint16_t hops;			 // switches that it has reached
	uint16_t route_count;		 // switches on its way
	uint16_t ports[DEPARTING_PORTS]; // the first of its route
};
_Static_assert(sizeof(struct departing_frame) == 64, "a frame has one cache line");

// What a link did since its sample was taken last, up to since_ticks.
struct departing_meter {
	int64_t since_ticks;
	int64_t busy_to_ticks; // the gap behind the last frame that has started is over
	uint32_t starting;     // the first whose start is not replayed; NET_NO_WORM
	struct tr_link sample;
};

// An output with frames whose leaving is not booked, at the tick when the first of them leaves or
// before.
struct departing_due {
	int64_t ticks;
	uint32_t link;
};

// The outputs of a switch, as a heap by time: kept from when its room is first asked for on.
struct departing_order {
	uint32_t count;
	bool kept;
};

// Marks of frames whose worms are in the list of another region.
struct departing_marks {
	struct departing_frame *items;
	uint32_t room;
	uint32_t used;
	uint32_t spare; // the first that is free again; NET_NO_WORM
};

struct departures {
	struct net_drive net;
	const struct ethernet_params *params;
	struct departing_link *links;	 // in regions: and then those of the near ends
	uint64_t *crossing;		 // in regions: bits of links that cross; NULL
	struct departing_frame *frames;	 // by worm
	struct departing_meter *meters;	 // NULL: no samples
	struct ethernet_buffer *buffers; // of switches
	struct departing_order *orders;	 // of switches
	struct departing_due *dues;	 // of their outputs, by the place of the switch's ports
	struct sim_calendar calendar;	 // arrivals by link, behind those of leaving, if needed
	struct sim_marks marks;		 // to sort the components of a tick, of which it has many
	uint32_t arrivals;		 // the first component of arrivals
	int64_t latency_ticks;
	int64_t frame_ticks; // that a frame takes over most links
	bool large;	     // what comes is fetched ahead of its tick
	int64_t due_ticks;   // of the calendar
	struct departing_marks gone;
};

// The usual ticks of a calendar of so many links.
int64_t departures_calendar_ticks(const struct departures *run, uint32_t links);

// ---- departures_regions.c

extern const struct net_region_rules departures_regions;

// A frame that has joined the output of a link that crosses is told to the region at its far end.
void departures_hand_over(struct departures *run, uint32_t link, uint32_t worm);

// The first mark of a link is not needed any more.
void departures_forget_mark(struct departures *run, uint32_t mark);

// ---- departures_queue.c

// Books what has left an output up to a tick and, where links are sampled, replays what has
// started.
void departures_settle(struct departures *run, uint32_t link, int64_t ticks);

// The same for all outputs of a switch, up to now.
void departures_settle_switch(struct departures *run, uint32_t node);

// An output has a frame whose leaving is not booked, and had none.
void departures_wait(struct departures *run, struct departing_link *link, uint32_t number,
		     uint32_t frame);

// A frame, whose size is set, joins the queue of an output, from which it may start at a tick, now
// or later.
void departures_join(struct departures *run, uint32_t link, uint32_t worm, int64_t ticks);

// The rule sample of net/drive/drive.h.
bool departures_sample(void *run, uint32_t link, int64_t ticks, struct tr_link *out);

// ---- departures_fetch.c

// Fetches what the next arrivals need: those of the next ticks, and those of this one behind a
// place.
void departures_fetch_coming(const struct departures *run);
void departures_fetch_taken(const struct departures *run, uint32_t place);

// ---- of an output

// Whether a link leads from one region to another.
static inline bool departures_crosses(const struct departures *run, uint32_t link)
{
	return run->crossing && (run->crossing[link / 64] >> link % 64 & 1) != 0;
}

// The output at the near end of a link.
static inline struct departing_link *departures_output(const struct departures *run, uint32_t link)
{
	return &run->links[departures_crosses(run, link) ? run->net.graph.links + link : link];
}

// A frame in the list of an output.
static inline struct departing_frame *departures_frame(const struct departures *run,
						       const struct departing_link *link,
						       uint32_t frame)
{
	return link->gone ? &run->gone.items[frame] : &run->frames[frame];
}

// When a frame's last byte leaves its link's near end.
static inline int64_t departures_left_ticks(const struct departing_link *link,
					    const struct departing_frame *frame)
{
	return frame->start_ticks + (LEAD_B + (int64_t)frame->frame_B) * link->byte_ticks;
}

// The frame behind another in the list of a link; NET_NO_WORM.
static inline uint32_t departures_behind(const struct departures *run,
					 const struct departing_link *link, uint32_t worm)
{
	return worm == link->last ? NET_NO_WORM : departures_frame(run, link, worm)->next;
}

// The first frame whose leaving is not booked has left.
static inline void departures_leave(struct departures *run, struct departing_link *link)
{
	const uint32_t frame = link->leaving;
	const uint32_t frame_B = departures_frame(run, link, frame)->frame_B;

	link->queue_B -= frame_B;
	if (link->from >= run->net.graph.hosts)
		run->buffers[link->from - run->net.graph.hosts].used_B -= frame_B;
	link->leaving = departures_behind(run, link, frame);
	if (link->gone)
		departures_forget_mark(run, frame);
}

// Fetches what the next arrival over a link needs: its worm, and the frame that is next then.
static inline void departures_fetch_next(const struct departures *run,
					 const struct departing_link *link)
{
	const char *worm = (const char *)&run->net.pool.worms[link->first];

	if (link->first != link->last)
		cache_fetch(&run->frames[run->frames[link->first].next]);
	if (link->to >= run->net.graph.hosts)
		return;
	cache_fetch(worm);
	cache_fetch(worm + 64);
}

// Puts the arrival of the first frame on a link into the calendar. In a small network what it needs
// is then still cached when it comes.
static inline void departures_expect(struct departures *run, uint32_t number)
{
	const struct departing_link *link = &run->links[number];

	sim_calendar_put(&run->calendar, run->arrivals + number,
			 departures_left_ticks(link, &run->frames[link->first]) +
				 link->propagation_ticks);
	if (!run->large)
		departures_fetch_next(run, link);
}

#endif
