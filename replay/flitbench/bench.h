// SPDX-License-Identifier: GPL-3.0-or-later
// The microbenchmarks of Gonzalez (2000): tests, their schedule, and what they measured.
#ifndef FLITBENCH_BENCH_H
#define FLITBENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "channel.h"
#include "file/source.h"
#include "table/table.h"
#include "value/status.h"

#define BENCH_SIZES_MAX 65536u
#define BENCH_REPEATS_MAX 1000u
#define BENCH_SAMPLES_MAX 4000000u

// ---- tests

// What the two sides do for exchanges of messages of some bytes.
struct bench_test {
	const char *name;
	unsigned trips; // of a message in one exchange; the latency is the elapsed time over
			// exchanges and trips
	enum tr_status (*time)(struct channel *channel, size_t bytes, uint64_t exchanges,
			       struct tr_error *err);
	enum tr_status (*answer)(struct channel *channel, size_t bytes, uint64_t exchanges,
				 struct tr_error *err);
};

enum bench_test_code { BENCH_ONE_WAY, BENCH_PING_PONG, BENCH_OVERHEAD, BENCH_TESTS };

extern const struct bench_test bench_tests[BENCH_TESTS];

// ---- results

// What the messages of a ping-pong pass between their ends.
struct bench_path {
	const char *network; // "ring" or "torus"; NULL: not known
	uint32_t hops, switches;
};

struct bench_sample {
	int64_t elapsed_ns;
	uint64_t exchanges;
};

struct loggp;

// Of a run or of a report; zero is a valid empty one. Sample r of size s is at s * repeats + r.
struct bench_results {
	const char *test, *over; // NULL: not known
	struct bench_path path;
	uint64_t *bytes; // of each size
	size_t sizes, repeats;
	double *latency_us;
	struct bench_sample *samples; // NULL for a report
	struct loggp *loggp;	      // lent; not NULL: this is measured instead
	char remarks[4][256];	      // on a report; empty: none
};

// "ring,HOPS" or "torus,HOPS,SWITCHES".
enum tr_status bench_path_parse(const char *text, struct bench_path *path, struct tr_error *err);

// Memory for so many sizes and repeats; with samples if timed. bench_results_clear also after a
// failure.
enum tr_status bench_results_open(struct bench_results *results, size_t sizes, size_t repeats,
				  bool timed, struct tr_error *err);
void bench_results_clear(struct bench_results *results);

// Time of one trip of a message in microseconds.
double bench_latency_us(const struct bench_test *test, const struct bench_sample *sample);

// Bytes over a latency in 10^6 B/s; NaN for a latency of zero.
double bench_rate_MBps(uint64_t bytes, double latency_us);

// The repeats of a size. The minimum is the result; it is accurate unless max - min > accuracy *
// min.
struct bench_summary {
	double max, min, mean;
	double spread; // (max - min) / min; 0 if both are 0
	bool accurate;
};

// Summarizes count values, at least one. accuracy: the largest spread that counts as accurate, as a
// share of the minimum.
struct bench_summary bench_summarize(const double *values, size_t count, double accuracy);

// The results as a table with a row per size; and each sample.
struct table *bench_latency_table(const struct bench_results *results, double accuracy);
struct table *bench_samples_table(const struct bench_results *results);

// Whether all sizes are accurate.
bool bench_all_accurate(const struct bench_results *results, double accuracy);

// ---- the schedule

struct bench_setup {
	const struct bench_test *test;
	uint64_t max_bytes;
	uint64_t step_bytes; // between sizes; 0: powers of two
	uint64_t repeats;
	int64_t point_ns; // a point lasts about so long
};

// The sizes from bytes_min to max_bytes into bytes (room for BENCH_SIZES_MAX; NULL: only counts
// them): bytes_min, then the multiples of the step or the powers of two above it. Returns their
// number, BENCH_SIZES_MAX + 1 if they are more.
size_t bench_sizes(const struct bench_setup *setup, uint64_t bytes_min, uint64_t *bytes);

// Times all repeats of all sizes against the other side, which runs bench_answer. progress(context,
// repeat) is called before each repeat.
enum tr_status bench_time(struct channel *channel, const struct bench_setup *setup,
			  struct bench_results *results,
			  void (*progress)(void *context, size_t repeat), void *context,
			  struct tr_error *err);

// ---- LogGP (Culler and others 1993; Alexandrov and others 1995), the overheads as Kielmann, Bal
// and Verstoep (2000)

// Of one size, the least of the repeats. Times in microseconds.
struct loggp_size {
	uint64_t bytes;
	double trip_us;		    // half of a ping-pong
	double send_us, receive_us; // that a side spends in the send, and in the receive of a
				    // message that has come
	double gap_us;		    // between messages in one direction
};

// Of the sizes the least; per byte the slopes over them (loggp.c). Not below 0, the latency not
// below 1 ns.
struct loggp {
	struct loggp_size *list; // freed by the caller
	size_t sizes;
	double latency_us;  // trip less both overheads
	double overhead_us; // mean of sending and receiving
	double byte_overhead_ns;
	double gap_us, byte_gap_ns;
};

// Measures against the other side, which runs bench_answer; progress as for bench_time.
enum tr_status bench_loggp(struct channel *channel, const struct bench_setup *setup,
			   struct loggp *loggp, void (*progress)(void *context, size_t repeat),
			   void *context, struct tr_error *err);

// A row for each size; the note has the options of flitsim.
struct table *bench_loggp_table(const struct loggp *loggp, const char *over);

// ---- parts of a run, for the side that times

// The first meeting of the two sides; and the end of the other side's work. TR_ERROR as
// channel_send.
enum tr_status bench_begin(struct channel *channel, struct tr_error *err);
enum tr_status bench_end(struct channel *channel, struct tr_error *err);

// Times as many exchanges as setup asks for.
enum tr_status bench_time_point(struct channel *channel, const struct bench_setup *setup,
				size_t bytes, struct bench_sample *sample, struct tr_error *err);

// ----

// Answers until the other side ends the run.
enum tr_status bench_answer(struct channel *channel, struct tr_error *err);

// ---- the thesis's reports

// Reads its four sections; accuracy is a fraction. TR_ERROR names the line; bench_results_clear
// also then.
enum tr_status bench_report_read(struct tr_source *source, struct bench_results *results,
				 struct tr_error *err);

// Writes them. Rates are in 10^6 B/s.
void bench_report_write(const struct bench_results *results, double accuracy, FILE *out);

#endif
