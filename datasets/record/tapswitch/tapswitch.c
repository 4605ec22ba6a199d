// SPDX-License-Identifier: GPL-3.0-or-later
// A switch in user space, for kernels that cannot delay frames: each host, a network namespace
// PREFIX-<i>, gets a TAP device eth0 (whose address and MTU others set); the links to and from it
// have a rate and a latency, frames are stored and forwarded. What passes the switch is written to
// a pcap file (nanoseconds, 96 bytes a frame) with the time at which, by the model, the whole frame
// is in the switch, so that the file is in order of time whatever the machine's scheduler does.
// Frames are handed on when they are due, or as soon after as the machine gets to it. Ends on
// SIGINT or SIGTERM, once no frame is under way, and says how many faults there were. Exit status
// 0, or 2 when something failed.
//     tapswitch [-e] [-b bytes] [-l share] [-d share] [-o share] [-s seed] [-k bytes] [-p ports]
//     PREFIX HOSTS BITS-PER-S LATENCY-NS FILE
//       -e  frames take the time of Ethernet's preamble, padding, check sequence and gap as well,
//           as on a cable
//       -b  room at each output of the switch; what finds none is dropped (no bound)
//       -l  share of frames that each link loses, 0 to 1 (0)
//       -d  share that arrives twice (0)
//       -o  share that is late, so that others overtake it (0)
//       -s  seed of these faults: equal seeds give the n-th frame of a link equal faults (1)
//       -k  bytes to keep of each frame, 0 for all (96)
//       -p  also write what each host sends, when it hands it over, and receives, when it is due,
//           to files that begin so, by a clock of its own, and the truth (tap_ports.h)
// Both links of a host have faults. The file shows what reached the switch: a frame lost on its way
// in is not in it and one that came twice is in it twice; of what happens on the way out it shows
// only the consequences.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
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
#include "tap_ports.h"

enum {
	HOSTS_MAX = 64,
	FRAME_MIN = 14,
	FRAME_MAX = 9216,
	SNAP = 96,
	SNAP_ALL = 262144,
	LINK_ETHERNET = 1
};

struct tapswitch {
	int hosts;
	struct link link[2 * HOSTS_MAX]; // from host i: link i; to host i: link hosts + i
	uint64_t mac[HOSTS_MAX];	 // learned from what host i has sent; 0: nothing yet
	struct pollfd tap[HOSTS_MAX];
	FILE *file;
	uint32_t snap; // bytes to keep of each frame
	struct ports ports;
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

static bool file_begin(const struct tapswitch *s)
{
	const uint32_t header[] = {0xa1b23c4d, 2 | 4 << 16, 0, 0, s->snap, LINK_ETHERNET};

	return fwrite(header, sizeof(header), 1, s->file) == 1;
}

static bool file_put(const struct tapswitch *s, const struct frame *frame)
{
	uint32_t kept = frame->length < s->snap ? (uint32_t)frame->length : s->snap;
	const uint32_t header[] = {(uint32_t)(frame->due_ns / 1000000000),
				   (uint32_t)(frame->due_ns % 1000000000), kept,
				   (uint32_t)frame->length};

	return fwrite(header, sizeof(header), 1, s->file) == 1 &&
	       fwrite(frame->bytes, kept, 1, s->file) == 1;
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
		    !link_send(&s->link[s->hosts + i], frame->due_ns, frame->bytes, frame->length,
			       frame->serial))
			return false;
	return true;
}

// What happens when the first frame of a link is at its far end.
static bool arrive(struct tapswitch *s, int link)
{
	struct frame *frame = link_take(&s->link[link]);
	bool done;

	if (link < s->hosts)
		done = file_put(s, frame) && forward(s, link, frame);
	else
		done = ports_arrived(&s->ports, link - s->hosts, frame->due_ns, frame->bytes,
				     frame->length, frame->serial) &&
		       write(s->tap[link - s->hosts].fd, frame->bytes, frame->length) >= 0;
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

		while ((length = read(s->tap[i].fd, bytes, sizeof(bytes))) >= FRAME_MIN) {
			const int64_t now = now_ns();
			uint64_t serial;

			if (!ports_sent(&s->ports, i, now, bytes, (size_t)length, &serial) ||
			    !link_send(&s->link[i], now, bytes, (size_t)length, serial))
				return false;
		}
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
			return ports_close(&s->ports) & (fclose(s->file) == 0);
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

static bool share(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && *end == '\0' && *value >= 0 && *value <= 1;
}

// The operands are PREFIX and what follows it.
static bool switch_open(struct tapswitch *s, char **operands, const struct link *link)
{
	s->file = fopen(operands[4], "wbe");
	s->ports.count = s->hosts;
	s->ports.snap = s->snap;
	if (!s->file || !file_begin(s) || !ports_open(&s->ports, link->seed, now_ns()))
		return false;
	for (int i = 0; i < s->hosts; i++) {
		s->link[i] = s->link[s->hosts + i] = *link;
		s->link[i].seed = link->seed * 2 * HOSTS_MAX + (uint64_t)i;
		s->link[s->hosts + i].seed = s->link[i].seed + HOSTS_MAX;
		s->link[i].room_B = 0; // a host waits
		s->tap[i] = (struct pollfd){.fd = host_join(operands[0], i), .events = POLLIN};
		if (s->tap[i].fd < 0)
			return false;
	}
	return true;
}

static void faults_print(const struct tapswitch *s)
{
	uint64_t sum[2][FAULTS] = {0}, dropped[2] = {0};

	for (int i = 0; i < 2 * s->hosts; i++) {
		for (int fault = 0; fault < FAULTS; fault++)
			sum[i / s->hosts][fault] += s->link[i].count[fault];
		dropped[i / s->hosts] += s->link[i].dropped;
	}
	for (int way = 0; way < 2; way++)
		fprintf(stderr,
			"faults %s: %" PRIu64 " lost %" PRIu64 " twice %" PRIu64 " late %" PRIu64
			" dropped\n",
			way ? "out" : "in", sum[way][FAULT_LOST], sum[way][FAULT_TWICE],
			sum[way][FAULT_LATE], dropped[way]);
}

static bool options_take(int argc, char **argv, struct tapswitch *s, struct link *link)
{
	int64_t hosts, seed = 1, snap = SNAP, room = 0;
	bool good = true;
	int option;

	while ((option = getopt(argc, argv, "eb:l:d:o:s:k:p:")) != -1)
		switch (option) {
		case 'e': link->ethernet = true; break;
		case 'b': good = number(optarg, 0, INT32_MAX, &room) && good; break;
		case 'l': good = share(optarg, &link->share[FAULT_LOST]) && good; break;
		case 'd': good = share(optarg, &link->share[FAULT_TWICE]) && good; break;
		case 'o': good = share(optarg, &link->share[FAULT_LATE]) && good; break;
		case 's': good = number(optarg, 0, INT32_MAX, &seed) && good; break;
		case 'p': s->ports.prefix = optarg; break;
		case 'k': good = number(optarg, 0, SNAP_ALL, &snap) && good; break;
		default: good = false;
		}
	argv += optind;
	if (!good || argc - optind != 5 || !number(argv[1], 2, HOSTS_MAX, &hosts) ||
	    !number(argv[2], 1000, INT64_C(1000000000000), &link->bits_per_s) ||
	    !number(argv[3], 0, 1000000000, &link->latency_ns))
		return false;
	s->hosts = (int)hosts;
	s->snap = snap > 0 ? (uint32_t)snap : SNAP_ALL;
	link->seed = (uint64_t)seed;
	link->room_B = (size_t)room;
	return true;
}

int main(int argc, char **argv)
{
	static struct tapswitch s;
	struct link link = {0};

	if (!options_take(argc, argv, &s, &link)) {
		fprintf(stderr, "usage: tapswitch [-e] [-b bytes] [-l share] [-d share] [-o share] "
				"[-s seed] [-k bytes] [-p ports] "
				"PREFIX HOSTS BITS-PER-S LATENCY-NS FILE\n");
		return 2;
	}
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	if (!switch_open(&s, argv + optind, &link)) {
		fprintf(stderr, "tapswitch: cannot begin: %s\n", strerror(errno));
		return 2;
	}
	fprintf(stderr, "switching\n");
	if (switch_run(&s)) {
		faults_print(&s);
		return 0;
	}
	fprintf(stderr, "tapswitch: cannot go on: %s\n", strerror(errno));
	return 2;
}
