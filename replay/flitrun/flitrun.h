// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flitrun share: a GOAL program in the processes of an MPI job, rank i of one in
// rank i of the other. Failures of MPI itself end the job with MPI's message
// (MPI_ERRORS_ARE_FATAL). Times are int64_t nanoseconds.
#ifndef FLITRUN_FLITRUN_H
#define FLITRUN_FLITRUN_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table/table.h"
#include "text/goal.h"
#include "tool/tool.h"

// ---- portion.c
// The part of the program that a process runs.

struct portion {
	uint32_t rank, ranks;
	struct goal_op *ops;
	uint32_t op_count;
	struct goal_need *needs; // indices in ops
	uint32_t need_count;
	uint64_t most_sent,
		most_received; // bytes of the largest message of the rank, of the largest to it
};

// Whether the MPI job can run the program: a process for each rank, sizes and tags that MPI takes.
// TR_ERROR names the line.
enum tr_status portion_check(const struct goal_program *program, int processes,
			     struct tr_error *err);

// In every process of the job: rank 0 gives each its part of program, which the others do not have
// (NULL). TR_ERROR if out of memory; portion_clear also then.
enum tr_status portion_give(struct portion *portion, const struct goal_program *program,
			    struct tr_error *err);
void portion_clear(struct portion *portion);

// ---- clocks.c
// The clock of each process beside that of rank 0, by the two-way minimum method (Cristian 1989:
// the exchange with the shortest round trip is the most precise). Processes of one kernel and time
// namespace share the clock.

struct clock_offset {
	int64_t offset_ns; // this clock less that of rank 0
	int64_t error_ns;  // at most so far off: half of the least round trip
};

// CLOCK_MONOTONIC.
int64_t clock_now_ns(void);

// Sleeps until then; precise to some tens of microseconds.
void clock_sleep_until(int64_t time_ns);

// In every process of the job.
struct clock_offset clock_compare(void);

// ---- execute.c
// A rank carries out its operations.

struct run_rules {
	int64_t timeout_ns; // without a begin or an end of an operation
	bool sleeps;	    // instead of busy waiting
};

// Of an operation: times after the start of the repetition; of a send or receive the message.
struct run_record {
	int64_t begin_ns, end_ns;
	uint64_t bytes;
	uint32_t op; // of the rank, from 0
	uint32_t peer, tag;
	uint32_t kind; // enum goal_kind
};

struct executor;

// portion is lent until the close. NULL if out of memory.
struct executor *executor_open(const struct portion *portion, const struct run_rules *rules);
void executor_close(struct executor *executor);

// Carries out all operations once from start_ns of this process's clock on. False if some do not
// end: circular needs, or nothing happened for the timeout. err says so only if memory ran out.
bool executor_run(struct executor *executor, MPI_Comm comm, int64_t start_ns, struct tr_error *err);

// Of the last run, in the order in which the operations began; valid until the next.
const struct run_record *executor_records(const struct executor *executor, uint32_t *count);

// How long after the start it began.
int64_t executor_late_ns(const struct executor *executor);

// Waits for a request as the rules say, without a limit.
void executor_wait(const struct executor *executor, MPI_Request *request);

// Whether the operation began and has not ended, or has not begun.
bool executor_waits(const struct executor *executor, uint32_t op, bool begun);

// ---- standstill.c

// Lines that name some operations that have not ended.
void portion_describe(const struct portion *portion, const struct executor *executor, char *text,
		      size_t text_bytes);

// ---- recording.c
// Sums that rank 0 computes from the records of all ranks.

// Means over the repetitions of each rank are sums / repetitions.
struct rank_sums {
	int64_t finish_ns, compute_ns, transfer_ns, wait_ns;
	uint64_t sent, sent_bytes;
};

struct repetition {
	int64_t finish_ns;
	uint32_t last_rank;
	uint64_t messages, bytes, unreceived;
	int64_t late_ns, clock_ns;
};

struct recording {
	struct tool *tool;
	const char *path; // of the stream of messages; NULL: none
	bool compress;
	uint32_t ranks;
	uint64_t operations;
	struct tr_writer *writer; // the tool's
	int64_t first_ns;	  // start of the first repetition written
	struct rank_sums *sums;	  // of each rank
	struct repetition *repetitions;
	size_t count;
};

// TR_ERROR if out of memory; recording_clear also then.
enum tr_status recording_open(struct recording *recording, size_t repetitions,
			      struct tr_error *err);
void recording_clear(struct recording *recording);

// In every process: takes the records of a repetition that began at start_ns to rank 0, which adds
// and writes them (recording is NULL in the others). At rank 0, TR_ERROR if memory ran out or
// writing failed.
enum tr_status recording_take(struct recording *recording, const struct executor *executor,
			      int64_t start_ns, int64_t clock_error_ns, struct tr_error *err);

// The tables, for the caller to free.
#define RECORDING_TABLES 3u
void recording_tables(const struct recording *recording, int level_percent,
		      struct table *tables[RECORDING_TABLES]);

#endif
