// SPDX-License-Identifier: GPL-3.0-or-later
// To be preloaded: CLOCK_STEP_AFTER frames after the start the system's clock steps by
// CLOCK_STEP_MS, in what clock_gettime says and in the stamps of later frames alike.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pcap/pcap.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static atomic_long frames; // of all rings

static long setting(const char *name)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : 0;
}

// By how much the clock is off, in seconds and nanoseconds of the same sign.
static struct timespec step(void)
{
	const long ms = frames > setting("CLOCK_STEP_AFTER") ? setting("CLOCK_STEP_MS") : 0;

	return (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
}

static void next_function(void *function, size_t bytes, const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	memcpy(function, &found, bytes);
}

// Moves a time by the step; unit: fractions in a second.
static void move(time_t *time_s, long *fraction, long unit)
{
	const struct timespec by = step();

	*time_s += by.tv_sec;
	*fraction += by.tv_nsec / (1000000000 / unit);
	if (*fraction < 0 || *fraction >= unit) {
		*time_s += *fraction < 0 ? -1 : 1;
		*fraction += *fraction < 0 ? unit : -unit;
	}
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	static int (*real)(clockid_t, struct timespec *);
	int status;

	if (!real)
		next_function(&real, sizeof(real), "clock_gettime");
	status = real(clock, time);
	if (clock == CLOCK_REALTIME)
		move(&time->tv_sec, &time->tv_nsec, 1000000000);
	return status;
}

int pcap_next_ex(pcap_t *pcap, struct pcap_pkthdr **head, const u_char **data)
{
	static int (*real)(pcap_t *, struct pcap_pkthdr **, const u_char **);
	static _Thread_local struct pcap_pkthdr moved; // a thread has one ring
	int status;

	if (!real)
		next_function(&real, sizeof(real), "pcap_next_ex");
	status = real(pcap, head, data);
	if (status != 1)
		return status;
	frames++;
	moved = **head;
	move(&moved.ts.tv_sec, &moved.ts.tv_usec,
	     pcap_get_tstamp_precision(pcap) == PCAP_TSTAMP_PRECISION_NANO ? 1000000000 : 1000000);
	*head = &moved;
	return status;
}
