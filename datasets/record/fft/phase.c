// SPDX-License-Identifier: GPL-3.0-or-later
#include "phase.h"

#include <errno.h>
#include <math.h>

struct timespec phase_begin(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now;
}

void phase_end(struct timespec begun, double flops, double flops_per_s)
{
	double ns;

	if (flops_per_s <= 0)
		return;
	ns = (double)begun.tv_nsec + flops / flops_per_s * 1e9;
	begun.tv_sec += (time_t)(ns / 1e9);
	begun.tv_nsec = (long)fmod(ns, 1e9);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &begun, NULL) == EINTR)
		;
}

void phase_pause(double seconds)
{
	phase_end(phase_begin(), seconds, 1);
}

double phase_flops(double points, double length)
{
	return 5 * points * log2(length);
}
