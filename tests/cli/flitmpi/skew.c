// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded: a clock of each rank's own, as hosts have. Rank r is 3 r seconds ahead and gains 200 r
// us a second.
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *out)
{
	static long start;
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");
	const int result = (int)syscall(SYS_clock_gettime, clock, out);
	long ns, number;

	rank = rank ? rank : getenv("PMI_RANK");
	number = rank ? atol(rank) : 0;
	if (clock != CLOCK_REALTIME || number == 0)
		return result;
	ns = out->tv_sec * 1000000000L + out->tv_nsec;
	if (!start)
		start = ns;
	ns += number * 3000000000L + (ns - start) * number / 5000;
	out->tv_sec = ns / 1000000000;
	out->tv_nsec = ns % 1000000000;
	return result;
}
