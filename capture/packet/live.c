// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/live.h"

#include <pcap/pcap.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "packet/fanout.h"
#include "packet/socket_ring.h"
#include "value/ticks.h"

#define BLOCK_MS 100		// longest time that the kernel holds a block of frames
#define DRAIN_MS 300		// time to wait for the last block
#define DRAIN_FRAMES (1u << 20) // after the signal; more if the rings hold more
#define SLOT_BYTES 64		// fewer than any frame takes in a ring
#define IDLE_MS 100
#define CURRENT_MS 500
#define CHECK_FRAMES 256u	// frames between checks for signals
#define COUNT_FRAMES (1u << 20) // frames between looks at the counters of drops

struct pk_live {
	struct pk_ring ring;	  // if it is the only one
	struct pk_fanout *fanout; // else NULL
	int signals;		  // a descriptor; -1: none
	sigset_t before;	  // the signal mask before
	bool stopping, ended;
	int64_t stop_ns;  // wall clock when the signal came
	int64_t drain_ns; // steady clock when the last block will have come
	uint64_t drain;	  // frames that may still come then, as many as the rings hold: their clock
			  // may be behind
	unsigned unchecked, uncounted; // frames since signals, since drops were looked at
	enum pk_live_state state;
	bool (*idle)(void *context);
	void *idle_context;
};

static int64_t now_ns(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * TR_NS_PER_S + now.tv_nsec;
}

// ---- opening

static bool hold_signals(struct pk_live *live)
{
	sigset_t held;

	(void)sigemptyset(&held);
	(void)sigaddset(&held, SIGINT);
	(void)sigaddset(&held, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &held, &live->before) != 0)
		return false;
	live->signals = signalfd(-1, &held, SFD_NONBLOCK | SFD_CLOEXEC);
	if (live->signals < 0)
		(void)sigprocmask(SIG_SETMASK, &live->before, NULL);
	return live->signals >= 0;
}

enum tr_status pk_live_open(struct pk_live **out, const struct pk_live_options *options,
			    struct tr_error *warning, struct tr_error *err)
{
	struct pk_live *live = calloc(1, sizeof(*live));
	uint64_t held;

	*out = NULL;
	if (!live)
		return tr_no_memory(err, "the capture");
	live->signals = -1;
	held = (uint64_t)options->buffer_bytes / SLOT_BYTES * options->rings * 2;
	live->drain = held > DRAIN_FRAMES ? held : DRAIN_FRAMES;
	if ((options->rings > 1
		     ? pk_fanout_open(&live->fanout, options, warning, err)
		     : pk_ring_open(&live->ring, options, BLOCK_MS, warning, err)) != TR_OK) {
		pk_live_close(live);
		return TR_ERROR;
	}
	if (!hold_signals(live)) {
		pk_live_close(live);
		return tr_fail(err, "%s: cannot wait for signals", options->interface);
	}
	*out = live;
	return TR_OK;
}

// ---- frames

// Whether a new signal has come.
static bool take_signal(struct pk_live *live)
{
	struct signalfd_siginfo info;

	return read(live->signals, &info, sizeof(info)) == (ssize_t)sizeof(info);
}

// Takes only frames that are on their way from now on.
static void begin_stop(struct pk_live *live)
{
	live->stopping = true;
	live->stop_ns = now_ns(CLOCK_REALTIME);
	live->drain_ns = now_ns(CLOCK_MONOTONIC) + (int64_t)DRAIN_MS * 1000000;
}

// Checks for a signal; false after a second one.
static bool go_on(struct pk_live *live)
{
	if (take_signal(live)) {
		if (live->stopping)
			return false;
		begin_stop(live);
	}
	return true;
}

// Whether no more frames can be on their way, where none is there.
static bool drained(const struct pk_live *live)
{
	return live->stopping && (live->fanout ? pk_fanout_emptied(live->fanout)
					       : now_ns(CLOCK_MONOTONIC)) >= live->drain_ns;
}

static void live_look_up(struct pk_live *live)
{
	live->state = live->fanout ? pk_fanout_look_up(live->fanout, live->state)
				   : pk_ring_look_up(&live->ring, live->state);
}

// Waits for frames or a signal; false if no more frames are wanted.
static bool live_await(struct pk_live *live)
{
	struct pollfd items[] = {
		{.fd = live->fanout ? pk_fanout_descriptor(live->fanout) : live->ring.descriptor,
		 .events = POLLIN},
		{.fd = live->signals, .events = POLLIN},
	};
	bool troubled;

	if (live->idle && !live->idle(live->idle_context))
		return false;
	troubled = poll(items, 2, live->stopping ? BLOCK_MS : IDLE_MS) == 0 ||
		   items[0].revents & POLLERR;
	if (live->fanout)
		troubled |= pk_fanout_woken(live->fanout);
	if (troubled || live->state == PK_LIVE_DOWN)
		live_look_up(live);
	if (live->fanout && live->state == PK_LIVE_GONE && !live->stopping)
		begin_stop(live);
	return true;
}

// Ends the frames if the interface is gone, as after a signal; false if something else failed.
static bool end_with_interface(struct pk_live *live)
{
	live_look_up(live);
	if (live->state != PK_LIVE_GONE)
		return false;
	if (!live->stopping)
		begin_stop(live);
	(void)poll(NULL, 0, BLOCK_MS / 10);
	return true;
}

// Frames that are there, at most max; TR_END: none.
static enum tr_status live_take(struct pk_live *live, struct pk_frame *frames, size_t max,
				size_t *count, struct tr_error *err)
{
	enum tr_status status;

	if (live->fanout)
		return pk_fanout_read(live->fanout, frames, max, count, err);
	status = pk_ring_next(&live->ring, frames, err);
	*count = status == TR_OK;
	return status;
}

// Every so many frames: drops are counted, and signals looked for; false after a second one.
static bool live_check(struct pk_live *live)
{
	if (++live->unchecked < CHECK_FRAMES)
		return true;
	live->unchecked = 0;
	if ((live->uncounted += CHECK_FRAMES) >= COUNT_FRAMES) {
		live->uncounted = 0;
		if (!live->fanout)
			(void)pk_ring_count_dropped(&live->ring);
	}
	return go_on(live);
}

// After a signal: how many frames, of those just taken, are from before it.
static size_t live_cut(struct pk_live *live, const struct pk_frame *frames, size_t count)
{
	size_t kept = 0;

	while (kept < count && frames[kept].time_ns <= live->stop_ns && live->drain > 0) {
		live->drain--;
		kept++;
	}
	live->ended = kept < count;
	return kept;
}

enum tr_status pk_live_read(struct pk_live *live, struct pk_frame *frames, size_t max,
			    size_t *count, struct tr_error *err)
{
	enum tr_status status;

	*count = 0;
	while (!*count) {
		if (live->ended || !live_check(live))
			return TR_END;
		status = live_take(live, frames, max, count, err);
		if (status == TR_OK)
			break;
		if (status == TR_ERROR && (live->fanout || !end_with_interface(live)))
			return TR_ERROR;
		if (!go_on(live) || drained(live) || (status == TR_END && !live_await(live)))
			return TR_END;
	}
	if (live->stopping)
		*count = live_cut(live, frames, *count);
	return *count ? TR_OK : TR_END;
}

enum pk_live_state pk_live_state(const struct pk_live *live)
{
	return live->state;
}

bool pk_live_lost(struct pk_live *live, uint64_t *frames)
{
	struct pk_ring_count counts[PK_RINGS_MAX];
	unsigned rings;
	bool known;

	if (!live->fanout) {
		known = pk_ring_count_dropped(&live->ring);
		*frames = live->ring.dropped.frames;
		return known;
	}
	known = pk_fanout_counts(live->fanout, counts, &rings);
	*frames = 0;
	for (unsigned i = 0; i < rings; i++)
		*frames += counts[i].lost;
	return known;
}

void pk_live_stop(struct pk_live *live)
{
	if (live->fanout)
		pk_fanout_stop(live->fanout);
}

unsigned pk_live_rings(struct pk_live *live, struct pk_ring_count *counts)
{
	unsigned rings = 0;

	if (live->fanout)
		(void)pk_fanout_counts(live->fanout, counts, &rings);
	return rings;
}

uint64_t pk_live_late(const struct pk_live *live)
{
	return live->fanout ? pk_fanout_late(live->fanout) : 0;
}

bool pk_live_is_current(struct pk_live *live)
{
	return !live->fanout || pk_fanout_emptied(live->fanout) >=
					now_ns(CLOCK_MONOTONIC) - (int64_t)CURRENT_MS * 1000000;
}

void pk_live_set_idle(struct pk_live *live, bool (*idle)(void *context), void *context)
{
	live->idle = idle;
	live->idle_context = context;
}

void pk_live_close(struct pk_live *live)
{
	if (!live)
		return;
	if (live->signals >= 0) {
		while (take_signal(live))
			;
		(void)close(live->signals);
		(void)sigprocmask(SIG_SETMASK, &live->before, NULL);
	}
	pk_fanout_close(live->fanout);
	pk_ring_close(&live->ring);
	free(live);
}

enum tr_status pk_live_list(void (*each)(void *context, const char *name, const char *description),
			    void *context, struct tr_error *err)
{
	char text[PCAP_ERRBUF_SIZE] = "";
	pcap_if_t *list;

	if (pcap_findalldevs(&list, text) != 0)
		return tr_fail(err, "%.300s", text);
	for (const pcap_if_t *at = list; at; at = at->next)
		each(context, at->name, at->description);
	pcap_freealldevs(list);
	return TR_OK;
}
