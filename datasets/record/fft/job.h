// SPDX-License-Identifier: GPL-3.0-or-later
// What one run of a transform program is asked to do.
#ifndef FFT_JOB_H
#define FFT_JOB_H

#include <stdbool.h>

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

// Fills *job from the options. Returns false, with one line of reason in why (size bytes),
// when they cannot be understood; rank and procs are left alone.
bool job_parse(int argc, char **argv, struct job *job, char *why, int size);

// What the options are, for people.
extern const char job_usage[];

#endif
