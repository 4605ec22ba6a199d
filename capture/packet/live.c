// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/live.h"

#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <pcap/pcap.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "value/ticks.h"

#define BLOCK_MS 100		// longest time that the kernel holds a block of frames
#define DRAIN_MS 300		// time to wait for the last block
#define DRAIN_FRAMES (1u << 20) // after the signal; more if the ring holds more
#define SLOT_BYTES 64		// fewer than any frame takes in the ring
#define IDLE_MS 100
#define CHECK_FRAMES 256u	// frames between checks for signals
#define COUNT_FRAMES (1u << 20) // frames between looks at the counters of drops

struct dropped {
	uint64_t frames;
	uint32_t kernel, interface; // libpcap's counters, which wrap, when they were last read
};

struct pk_live {
	pcap_t *pcap;
	struct pk_link link;
	int64_t unit_ns; // of the fraction in a stamp
	int signals;	 // a descriptor; -1: none
	sigset_t before; // the signal mask before
	bool stopping;
	int64_t stop_ns;  // wall clock when the signal came
	int64_t drain_ns; // steady clock when the last block will have come
	unsigned drain; // frames that may still come then, as many as the ring holds: its clock may
			// be behind
	unsigned unchecked, uncounted; // frames since signals, since drops were looked at
	struct dropped dropped;
	enum pk_live_state state;
	unsigned index; // the kernel's number of the interface; 0: all, or one without a number
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

static enum tr_status live_refuse(const struct pk_live *live, const char *interface, int status,
				  struct tr_error *err)
{
	const char *what = pcap_statustostr(status);
	const char *detail = pcap_geterr(live->pcap);

	if (!*detail || strcmp(what, detail) == 0)
		return tr_fail(err, "%s: %s", interface, what);
	return tr_fail(err, "%s: %s: %s", interface, what, detail);
}

static enum tr_status set_filter(struct pk_live *live, const struct pk_live_options *options,
				 struct tr_error *err)
{
	struct bpf_program code;
	int status;

	if (!options->filter)
		return TR_OK;
	if (pcap_compile(live->pcap, &code, options->filter, 1, PCAP_NETMASK_UNKNOWN) != 0)
		return tr_fail(err, "filter \"%.200s\": %.200s", options->filter,
			       pcap_geterr(live->pcap));
	status = pcap_setfilter(live->pcap, &code);
	pcap_freecode(&code);
	return status ? live_refuse(live, options->interface, status, err) : TR_OK;
}

// Loopback shows each frame to captures when it is sent and when it is received. libpcap skips the
// first, but only after it took room in the ring, or was counted as dropped. Kernels before 4.20
// cannot leave it out.
static void ignore_sent_copies(const struct pk_live *live, const char *interface)
{
	const int socket = pcap_get_selectable_fd(live->pcap);
	struct ifreq request = {.ifr_flags = 0};
	const int yes = 1;

	(void)snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", interface);
	if (ioctl(socket, SIOCGIFFLAGS, &request) == 0 && request.ifr_flags & IFF_LOOPBACK)
		(void)setsockopt(socket, SOL_PACKET, PACKET_IGNORE_OUTGOING, &yes, sizeof(yes));
}

static enum tr_status activate(struct pk_live *live, const struct pk_live_options *options,
			       struct tr_error *warning, struct tr_error *err)
{
	char text[PCAP_ERRBUF_SIZE];
	int status;

	(void)pcap_set_snaplen(live->pcap, (int)options->snap_bytes);
	(void)pcap_set_promisc(live->pcap, options->promiscuous);
	(void)pcap_set_timeout(live->pcap, BLOCK_MS);
	live->drain = options->buffer_bytes / SLOT_BYTES > DRAIN_FRAMES
			      ? options->buffer_bytes / SLOT_BYTES
			      : DRAIN_FRAMES;
	if (options->buffer_bytes)
		(void)pcap_set_buffer_size(live->pcap, (int)options->buffer_bytes);
	// If this is refused, stamps are in microseconds.
	(void)pcap_set_tstamp_precision(live->pcap, PCAP_TSTAMP_PRECISION_NANO);
	status = pcap_activate(live->pcap);
	if (status < 0)
		return live_refuse(live, options->interface, status, err);
	if (status > 0)
		(void)live_refuse(live, options->interface, status, warning);
	ignore_sent_copies(live, options->interface);
	if (set_filter(live, options, err) != TR_OK)
		return TR_ERROR;
	if (pcap_setnonblock(live->pcap, 1, text) != 0)
		return tr_fail(err, "%s: %.300s", options->interface, text);
	live->index = if_nametoindex(options->interface);
	live->link = pk_link_of(pk_link_from_dlt(pcap_datalink(live->pcap)),
				__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	live->unit_ns = pcap_get_tstamp_precision(live->pcap) == PCAP_TSTAMP_PRECISION_NANO ? 1
											    : 1000;
	return TR_OK;
}

enum tr_status pk_live_open(struct pk_live **out, const struct pk_live_options *options,
			    struct tr_error *warning, struct tr_error *err)
{
	char text[PCAP_ERRBUF_SIZE] = "";
	struct pk_live *live = calloc(1, sizeof(*live));

	*out = NULL;
	if (warning)
		warning->text[0] = '\0';
	if (!live)
		return tr_no_memory(err, "the capture");
	live->signals = -1;
	live->pcap = pcap_create(options->interface, text);
	if (!live->pcap) {
		pk_live_close(live);
		return tr_fail(err, "%s: %.300s", options->interface, text);
	}
	if (activate(live, options, warning, err) != TR_OK) {
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

// Adds what was dropped since the last time; false if unknown.
static bool count_dropped(struct pk_live *live)
{
	struct dropped *dropped = &live->dropped;
	struct pcap_stat stat;

	if (pcap_stats(live->pcap, &stat) != 0)
		return false;
	dropped->frames += (uint64_t)(stat.ps_drop - dropped->kernel) +
			   (stat.ps_ifdrop - dropped->interface);
	dropped->kernel = stat.ps_drop;
	dropped->interface = stat.ps_ifdrop;
	return true;
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

// By its number, since an interface may be renamed.
static enum pk_live_state look_up(const struct pk_live *live)
{
	const int socket = pcap_get_selectable_fd(live->pcap);
	struct ifreq request = {.ifr_ifindex = (int)live->index};

	if (!live->index)
		return PK_LIVE_UP;
	if (ioctl(socket, SIOCGIFNAME, &request) != 0)
		return errno == ENODEV || errno == ENXIO ? PK_LIVE_GONE : live->state;
	if (ioctl(socket, SIOCGIFFLAGS, &request) != 0)
		return live->state;
	return request.ifr_flags & IFF_UP ? PK_LIVE_UP : PK_LIVE_DOWN;
}

// Waits for frames or a signal; false if no more frames are wanted.
static bool live_await(struct pk_live *live)
{
	struct pollfd items[] = {
		{.fd = pcap_get_selectable_fd(live->pcap), .events = POLLIN},
		{.fd = live->signals, .events = POLLIN},
	};

	if (live->idle && !live->idle(live->idle_context))
		return false;
	if (poll(items, 2, live->stopping ? BLOCK_MS : IDLE_MS) == 0 ||
	    items[0].revents & POLLERR || live->state == PK_LIVE_DOWN)
		live->state = look_up(live);
	return true;
}

// Ends the frames if the interface is gone, as after a signal; false if something else failed.
static bool end_with_interface(struct pk_live *live)
{
	live->state = look_up(live);
	if (live->state != PK_LIVE_GONE)
		return false;
	if (!live->stopping)
		begin_stop(live);
	(void)poll(NULL, 0, BLOCK_MS / 10);
	return true;
}

static void live_set_frame(const struct pk_live *live, const struct pcap_pkthdr *head,
			   const uint8_t *data, struct pk_frame *frame)
{
	*frame = (struct pk_frame){
		.time_ns = (int64_t)head->ts.tv_sec * TR_NS_PER_S +
			   (int64_t)head->ts.tv_usec * live->unit_ns,
		.data = data,
		.captured_bytes = head->caplen,
		.wire_bytes = head->len,
		.link = &live->link,
		.time_state = PK_TIME_KNOWN,
	};
}

enum tr_status pk_live_read(struct pk_live *live, struct pk_frame *frame, struct tr_error *err)
{
	struct pcap_pkthdr *head;
	const uint8_t *data;
	int answer;

	for (;;) {
		if (++live->unchecked >= CHECK_FRAMES) {
			live->unchecked = 0;
			if (!go_on(live))
				return TR_END;
			if ((live->uncounted += CHECK_FRAMES) >= COUNT_FRAMES) {
				live->uncounted = 0;
				(void)count_dropped(live);
			}
		}
		answer = pcap_next_ex(live->pcap, &head, &data);
		if (answer == 1)
			break;
		if (answer != 0 && !end_with_interface(live))
			return tr_fail(err, "capture: %.300s", pcap_geterr(live->pcap));
		if (!go_on(live) || drained(live) || (answer == 0 && !live_await(live)))
			return TR_END;
	}
	live_set_frame(live, head, data, frame);
	return live->stopping && (frame->time_ns > live->stop_ns || live->drain-- == 0) ? TR_END
											: TR_OK;
}

enum pk_live_state pk_live_state(const struct pk_live *live)
{
	return live->state;
}

bool pk_live_lost(struct pk_live *live, uint64_t *frames)
{
	const bool known = count_dropped(live);

	*frames = live->dropped.frames;
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
	if (live->pcap)
		pcap_close(live->pcap);
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
