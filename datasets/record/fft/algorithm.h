// SPDX-License-Identifier: GPL-3.0-or-later
// One way of spreading a two-dimensional transform over processes, the program around it, and the phases of computing that
// it goes through.
#ifndef FFT_ALGORITHM_H
#define FFT_ALGORITHM_H

#include <fftw3.h>
#include <stdbool.h>
#include <time.h>

// What one run is asked to do.
struct job {
	int n;		    // side of the square image, points
	int repetitions;    // transforms in a row
	double flops_per_s; // emulated rate of computing of a process; 0: as fast as it goes
	double pause_s;	    // least silence between two transforms
	double extra_s;	    // mean of the exponential silence added to it
	bool verify;	    // compare every result with a serial transform
	int rank;	    // of this process; the controller is 0
	int procs;
};

struct algorithm {
	const char *name;
	// Can an image of n x n points be spread over procs processes? Otherwise `needs` says what
	// must hold.
	bool (*fits)(int n, int procs);
	const char *needs;
	// Plans and buffers of one process. NULL: no memory. The job must live until close.
	void *(*open)(const struct job *job);
	// The forward transform, unnormalised, of n*n points in row order. Every process calls it;
	// image (read) and result (written whole) are looked at on the controller, rank 0, only.
	void (*forward)(void *state, const fftwf_complex *image, fftwf_complex *result);
	void (*close)(void *state);
};

// The program around an algorithm: options, repetitions, checks. Returns its exit status:
// 0 done, 1 a result differs from the serial transform, 2 could not.
int algorithm_main(int argc, char **argv, const struct algorithm *algorithm);

// Phases of computing last as long as on a machine of a given rate, so that many processes on a few cores keep the time line
// of as many machines.

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
