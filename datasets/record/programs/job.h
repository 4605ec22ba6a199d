// SPDX-License-Identifier: GPL-3.0-or-later
// What a run of a program is asked to do, and its phases of computing and silence.
#ifndef PROGRAMS_JOB_H
#define PROGRAMS_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { DONE, DIFFERS, FAILED }; // exit status of a program

struct job {
	int n;		    // size of the problem: what it means is the program's
	int repetitions;    // in a row
	double flops_per_s; // emulated rate of computing of a process; 0: as fast as it goes
	double pause_s;	    // least silence between two repetitions
	double extra_s;	    // mean of the exponential silence added to it
	bool verify;	    // compare every result
	bool last;	    // of them only the last one
	int rank;	    // of this process; the controller is 0
	int procs;
};

// A program that repeats a job on all processes; the first member of what says how.
struct job_program {
	const char *name;
	const char *size; // what -n means
	int n;		  // its default
	// Can a problem of size n be spread over procs processes? Otherwise `needs` says what must
	// hold.
	bool (*fits)(int n, int procs);
	const char *needs;
	// Plans and buffers of one process. NULL: no memory. The job must live until close.
	void *(*open)(const struct job *job);
	// All repetitions. Returns an exit status.
	int (*run)(const struct job *job, const struct job_program *program, void *state);
	void (*close)(void *state);
};

// The program around it, from the options to the exit status: 0 done, 1 a result is wrong, 2 could
// not.
int job_main(int argc, char **argv, const struct job_program *program);

// Is the result of this repetition compared? And how many are in all.
bool job_compares(const struct job *job, int repetition);
int job_compared(const struct job *job);

// A number uniform in (0, 1]; *state steps on. SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
double job_uniform(uint64_t *state);

// The silence before the next repetition, drawn from the stream *draws.
void job_silence(const struct job *job, uint64_t *draws);

// Phases of computing last as long as on a machine of a given rate, so that many processes on a few
// cores keep the time line of as many machines.

// The instant at which a phase begins (monotonic clock).
struct timespec phase_begin(void);

// Sleeps until flops / flops_per_s seconds have gone by since begun; returns at once when the
// computing itself took longer, or when flops_per_s is 0.
void phase_end(struct timespec begun, double flops, double flops_per_s);

#endif
