// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/live.h"

#include <pcap/pcap.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "packet/socket_ring.h"
#include "value/ticks.h"

#define BLOCK_MS 100		// longest time that the kernel holds a block of frames
#define DRAIN_MS 300		// time to wait for the last block
#define DRAIN_FRAMES (1u << 20) // after the signal; more if the ring holds more
#define SLOT_BYTES 64		// fewer than any frame takes in the ring
#define IDLE_MS 100
#define CHECK_FRAMES 256u	// frames between checks for signals
#define COUNT_FRAMES (1u << 20) // frames between looks at the counters of drops

struct pk_live {
	struct pk_ring ring;
	int signals;	 // a descriptor; -1: none
	sigset_t before; // the signal mask before
	bool stopping;
	int64_t stop_ns;  // wall clock when the signal came
	int64_t drain_ns; // steady clock when the last block will have come
	unsigned drain; // frames that may still come then, as many as the ring holds: its clock may
			// be behind
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

	*out = NULL;
	if (!live)
		return tr_no_memory(err, "the capture");
	live->signals = -1;
	live->drain = options->buffer_bytes / SLOT_BYTES > DRAIN_FRAMES
			      ? options->buffer_bytes / SLOT_BYTES
			      : DRAIN_FRAMES;
	if (pk_ring_open(&live->ring, options, BLOCK_MS, warning, err) != TR_OK) {
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
	return live->stopping && now_ns(CLOCK_MONOTONIC) >= live->drain_ns;
}

// Waits for frames or a signal; false if no more frames are wanted.
static bool live_await(struct pk_live *live)
{
	struct pollfd items[] = {
		{.fd = live->ring.descriptor, .events = POLLIN},
		{.fd = live->signals, .events = POLLIN},
	};

	if (live->idle && !live->idle(live->idle_context))
		return false;
	if (poll(items, 2, live->stopping ? BLOCK_MS : IDLE_MS) == 0 ||
	    items[0].revents & POLLERR || live->state == PK_LIVE_DOWN)
		live->state = pk_ring_look_up(&live->ring, live->state);
	return true;
}

// Ends the frames if the interface is gone, as after a signal; false if something else failed.
static bool end_with_interface(struct pk_live *live)
{
	live->state = pk_ring_look_up(&live->ring, live->state);
	if (live->state != PK_LIVE_GONE)
		return false;
	if (!live->stopping)
		begin_stop(live);
	(void)poll(NULL, 0, BLOCK_MS / 10);
	return true;
}

enum tr_status pk_live_read(struct pk_live *live, struct pk_frame *frame, struct tr_error *err)
{
	enum tr_status status;

	for (;;) {
		if (++live->unchecked >= CHECK_FRAMES) {
			live->unchecked = 0;
			if (!go_on(live))
				return TR_END;
			if ((live->uncounted += CHECK_FRAMES) >= COUNT_FRAMES) {
				live->uncounted = 0;
				(void)pk_ring_count_dropped(&live->ring);
			}
		}
		status = pk_ring_next(&live->ring, frame, err);
		if (status == TR_OK)
			break;
		if (status == TR_ERROR && !end_with_interface(live))
			return TR_ERROR;
		if (!go_on(live) || drained(live) || (status == TR_END && !live_await(live)))
			return TR_END;
	}
	return live->stopping && (frame->time_ns > live->stop_ns || live->drain-- == 0) ? TR_END
											: TR_OK;
}

enum pk_live_state pk_live_state(const struct pk_live *live)
{
	return live->state;
}

bool pk_live_lost(struct pk_live *live, uint64_t *frames)
{
	const bool known = pk_ring_count_dropped(&live->ring);

	*frames = live->ring.dropped.frames;
	return known;
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
