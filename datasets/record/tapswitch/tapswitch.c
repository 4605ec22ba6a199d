// SPDX-License-Identifier: GPL-3.0-or-later
// A switch in user space, for kernels that cannot delay frames: each host, a network namespace
// PREFIX-<i>, gets a TAP device eth0 (whose address and MTU others set); the links to and from it
// have a rate and a latency, frames are stored and forwarded. What passes the switch is written to
// a pcap file (nanoseconds, 96 bytes a frame) with the time at which, by the model, the whole frame
// is in the switch, so that the file is in order of time whatever the machine's scheduler does.
// Frames are handed on when they are due, or as soon after as the machine gets to it. Ends on
// SIGINT or SIGTERM, once no frame is under way. Exit status 0, or 2 when something failed.
//     tapswitch PREFIX HOSTS BITS-PER-S LATENCY-NS FILE
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tap_link.h"

enum { HOSTS_MAX = 64, FRAME_MIN = 14, FRAME_MAX = 9216, SNAP = 96, LINK_ETHERNET = 1 };

struct tapswitch {
	int hosts;
	struct link link[2 * HOSTS_MAX]; // from host i: link i; to host i: link hosts + i
	uint64_t mac[HOSTS_MAX];	 // learned from what host i has sent; 0: nothing yet
	struct pollfd tap[HOSTS_MAX];
	FILE *file;
};

static volatile sig_atomic_t ending;

static void on_signal(int number)
{
	(void)number;
	ending = 1;
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// The TAP device of a host; this process is in the host's namespace afterwards. -1: errno.
static int host_join(const char *prefix, int host)
{
	struct ifreq request = {.ifr_name = "eth0", .ifr_flags = IFF_TAP | IFF_NO_PI};
	char path[128];
	int space, tap;

	snprintf(path, sizeof(path), "/run/netns/%s-%d", prefix, host);
	space = open(path, O_RDONLY | O_CLOEXEC);
	if (space < 0 || setns(space, CLONE_NEWNET) != 0)
		return -1;
	close(space);
	tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return tap < 0 || ioctl(tap, TUNSETIFF, &request) != 0 ? -1 : tap;
}

static bool file_begin(FILE *file)
{
	const uint32_t header[] = {0xa1b23c4d, 2 | 4 << 16, 0, 0, SNAP, LINK_ETHERNET};

	return fwrite(header, sizeof(header), 1, file) == 1;
}

static bool file_put(FILE *file, const struct frame *frame)
{
	uint32_t kept = frame->length < SNAP ? (uint32_t)frame->length : SNAP;
	const uint32_t header[] = {(uint32_t)(frame->due_ns / 1000000000), (uint32_t)(frame->due_ns % 1000000000), kept,
				   (uint32_t)frame->length};

	return fwrite(header, sizeof(header), 1, file) == 1 && fwrite(frame->bytes, kept, 1, file) == 1;
}

static uint64_t address(const uint8_t *bytes)
{
	uint64_t mac = 0;

	for (int i = 0; i < 6; i++)
		mac = mac << 8 | bytes[i];
	return mac;
}

// Sends a frame that has reached the switch on to the host that it is for, or to all others while
// that one is not known and when it is for a group.
static bool forward(struct tapswitch *s, int from, const struct frame *frame)
{
	uint64_t destination = address(frame->bytes);
	int only = -1;

	s->mac[from] = address(frame->bytes + 6);
	for (int i = 0; i < s->hosts; i++)
		if (s->mac[i] == destination)
			only = i;
	for (int i = 0; i < s->hosts; i++)
		if (i != from && (only < 0 || i == only) &&
		    !link_send(&s->link[s->hosts + i], frame->due_ns, frame->bytes, frame->length))
			return false;
	return true;
}

// What happens when the first frame of a link is at its far end.
static bool arrive(struct tapswitch *s, int link)
{
	struct frame *frame = link_take(&s->link[link]);
	bool done;

	if (link < s->hosts)
		done = file_put(s->file, frame) && forward(s, link, frame);
	else
		done = write(s->tap[link - s->hosts].fd, frame->bytes, frame->length) >= 0;
	free(frame);
	return done;
}

// The link whose first frame is due earliest; of several the lowest, so the switch goes first.
static int earliest(const struct tapswitch *s)
{
	int first = 0;

	for (int i = 1; i < 2 * s->hosts; i++)
		if (link_due(&s->link[i]) < link_due(&s->link[first]))
			first = i;
	return first;
}

// Takes what the hosts have sent. false: errno.
static bool collect(struct tapswitch *s)
{
	uint8_t bytes[FRAME_MAX];

	for (int i = 0; i < s->hosts; i++) {
		ssize_t length;

		while ((length = read(s->tap[i].fd, bytes, sizeof(bytes))) >= FRAME_MIN)
			if (!link_send(&s->link[i], now_ns(), bytes, (size_t)length))
				return false;
		if (length < 0 && errno != EAGAIN)
			return false;
	}
	return true;
}

static bool switch_run(struct tapswitch *s)
{
	for (;;) {
		struct timespec wait = {.tv_nsec = 100000000};
		int64_t due, now = now_ns();
		int link;

		while ((due = link_due(&s->link[link = earliest(s)])) <= now)
			if (!arrive(s, link))
				return false;
		if (ending && due == INT64_MAX)
			return fclose(s->file) == 0;
		if (due - now < wait.tv_nsec)
			wait.tv_nsec = due - now;
		if (ppoll(s->tap, (nfds_t)s->hosts, &wait, NULL) < 0 && errno != EINTR)
			return false;
		if (!collect(s))
			return false;
	}
}

static bool number(const char *text, int64_t lo, int64_t hi, int64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoll(text, &end, 10);
	return errno == 0 && end != text && *end == '\0' && *value >= lo && *value <= hi;
}

static bool switch_open(struct tapswitch *s, char **argv, const struct link *link)
{
	s->file = fopen(argv[5], "wbe");
	if (!s->file || !file_begin(s->file))
		return false;
	for (int i = 0; i < s->hosts; i++) {
		s->link[i] = s->link[s->hosts + i] = *link;
		s->tap[i] = (struct pollfd){.fd = host_join(argv[1], i), .events = POLLIN};
		if (s->tap[i].fd < 0)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	static struct tapswitch s;
	struct link link = {0};
	int64_t hosts;

	if (argc != 6 || !number(argv[2], 2, HOSTS_MAX, &hosts) ||
	    !number(argv[3], 1000, INT64_C(1000000000000), &link.bits_per_s) ||
	    !number(argv[4], 0, 1000000000, &link.latency_ns)) {
		fprintf(stderr, "usage: tapswitch PREFIX HOSTS BITS-PER-S LATENCY-NS FILE\n");
		return 2;
	}
	s.hosts = (int)hosts;
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	if (!switch_open(&s, argv, &link)) {
		fprintf(stderr, "tapswitch: cannot begin: %s\n", strerror(errno));
		return 2;
	}
	fprintf(stderr, "switching\n");
	if (switch_run(&s))
		return 0;
	fprintf(stderr, "tapswitch: cannot go on: %s\n", strerror(errno));
	return 2;
}
