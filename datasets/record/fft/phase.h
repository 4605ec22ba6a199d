// SPDX-License-Identifier: GPL-3.0-or-later
// Phases of computing that last as long as on a machine of a given rate, so that many
// processes on a few cores keep the time line of as many machines.
#ifndef FFT_PHASE_H
#define FFT_PHASE_H

#include <time.h>

// The instant at which a phase begins (monotonic clock).
struct timespec phase_begin(void);

// Sleeps until flops / flops_per_s seconds have gone by since begun; returns at once when the
// computing itself took longer, or when flops_per_s is 0.
void phase_end(struct timespec begun, double flops, double flops_per_s);

// Sleeps for so many seconds; not at all when seconds <= 0.
void phase_pause(double seconds);

// Floating point operations of a complex transform of so many points in all, as they are
// counted by convention: 5 points log2(length) for one-dimensional transforms of that length.
double phase_flops(double points, double length);

#endif
