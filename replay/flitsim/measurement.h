// SPDX-License-Identifier: GPL-3.0-or-later
// What flitsim measures in a run: which worms, until when, and the results.
#ifndef REPLAY_FLITSIM_MEASUREMENT_H
#define REPLAY_FLITSIM_MEASUREMENT_H

#include <stdint.h>
#include <stdio.h>

#include "flitsim.h"
#include "sim_ports.h"
#include "net/drive/worm.h"
#include "net/fabric.h"
#include "stat/intervals/batches.h"
#include "stat/intervals/quantile.h"
#include "stat/intervals/saturation.h"
#include "table/table.h"
#include "value/grow.h"
#include "value/hash.h"
#include "value/status.h"

// The record kept of a worm that has ended: input of all tables.

// Times in ticks; -1: did not happen.
struct outcome {
	int64_t time_ticks;    // of the fate: delivered, dropped, or the end of the run
	int64_t planned_ticks; // when it was due to enter its source's queue
	int64_t created_ticks;
	int64_t started_ticks;
	int64_t injected_ticks;
	int64_t received_ticks;
	uint32_t size_bytes;
	uint32_t source; // host; means nothing for a worm that never entered
	uint8_t class;	 // enum tr_class
	uint8_t status;	 // enum tr_delivery_status
	uint8_t reason;	 // enum tr_drop_reason
};

// The outcome of a worm that was delivered, dropped, or under way at the end.
static inline struct outcome outcome_of(const struct net_worm *worm,
					const struct tr_delivery *delivery)
{
	return (struct outcome){
		.time_ticks = delivery->packet.time_ticks,
		.planned_ticks = worm->packet.time_ticks,
		.created_ticks = worm->created_ticks,
		.started_ticks = worm->started_ticks,
		.injected_ticks = worm->injected_ticks,
		.received_ticks = worm->received_ticks,
		.size_bytes = worm->size_bytes,
		.source = worm->source,
		.class = worm->packet.class,
		.status = delivery->status,
		.reason = delivery->reason,
	};
}

// The speed of the worm over so many ticks, above 0, in 1e-3 B/s.
static inline int64_t outcome_mBps(const struct outcome *outcome, int64_t ticks,
				   uint64_t ticks_per_s)
{
	uint64_t product;

	if (!__builtin_mul_overflow((uint64_t)outcome->size_bytes * 1000, ticks_per_s, &product))
		return (int64_t)(product / (uint64_t)ticks);
	return (int64_t)((__int128)outcome->size_bytes * 1000 * ticks_per_s / (uint64_t)ticks);
}

// Throughput of a delivered worm as in Yates 1997, size / (delivered - start of the fetch), in 1e-3
// B/s.
static inline int64_t outcome_worm_mBps(const struct outcome *outcome, uint64_t ticks_per_s)
{
	return outcome_mBps(outcome, outcome->time_ticks - outcome->started_ticks, ticks_per_s);
}

// --- stop_rule.c

// A mean used by rules: the latency or the throughput of the worms of a class, or the bytes carried
// by the network per time.

#define RUN_MEAN_ALL UINT8_MAX

enum run_mean_kind { RUN_MEAN_LATENCY, RUN_MEAN_THROUGHPUT, RUN_MEAN_CARRIED };

// Samples are the latency in ticks, the throughput in 1e-3 B/s, or the ticks since the previous
// delivery, together with the sizes.
struct run_mean {
	enum run_mean_kind kind;
	uint8_t class;	// enum tr_class, or RUN_MEAN_ALL
	double percent; // required half-width of the interval; 0: none
	uint64_t ticks_per_s;
	struct steady samples;
	struct steady sizes_mB; // carried: sizes of the samples' worms
	int64_t last_ticks;	// carried: the last delivery
	bool begun;		// carried: there was a delivery
};

// Reads "[data|overhead] latency|throughput|carried PERCENT%" into an empty mean. TR_ERROR for
// anything else.
enum tr_status run_mean_parse(struct run_mean *mean, const char *text, struct tr_error *err);

// Writes "data latency" to out; returns it.
const char *run_mean_name(const struct run_mean *mean, char *out, size_t out_bytes);

// Adds the worm if it was delivered and is of the class. Returns whether it was.
bool run_mean_add(struct run_mean *mean, const struct outcome *outcome);

// Estimates the mean without the first skip samples.
struct known_mean run_mean_get(const struct run_mean *mean, uint64_t skip, double level);

// When a run stops before its traffic ends: at a simulated time, after a number of worms or bytes
// of data, or when a mean is known precisely enough; at the first of several, or when all hold.

#define STOP_LEAST_SAMPLES 1000u // before a mean is evaluated

enum stop_cause { STOP_NONE, STOP_TIME, STOP_WORMS, STOP_BYTES, STOP_MEAN, STOP_CAUSES };

extern const struct opt_choice stop_words[]; // conditions

struct stop_rule {
	uint64_t worms_left;  // delivered; UINT64_MAX: no bound
	uint64_t bytes_left;  // of these worms, all but overhead
	struct run_mean mean; // percent 0: none
	bool settles;	      // the transient of the mean does not count
	double level;	      // of the mean's interval
	uint64_t next_look;   // evaluate the mean at this number of samples
	bool mean_known;      // at the last evaluation
	bool all;	      // every given bound must hold
	bool has_time;
	struct num_ratio time_s; // the caller cuts the run here
	enum stop_cause cause;
};

// No bounds, no mean.
void stop_rule_start(struct stop_rule *rule);

// Reads conditions joined by "or", or by "and": "worms 31000", "bytes 8MB", "workload rc:256"
// (stat/intervals/workload.h, one node per host), "latency 1%" (run_mean_parse), "time 10ms", which
// cannot be used with "and". "=" may replace the blank. Each at most once. TR_ERROR for anything
// else.
enum tr_status stop_rule_read(struct stop_rule *rule, const char *text, uint32_t hosts,
			      struct tr_error *err);

#define THREADS_MOST 1024u

// How many threads --threads, or FLIT_THREADS, allows; 0 where what is counted may end the run.
// TR_ERROR: that is no such number.
enum tr_status sim_threads(const struct sim_options *options, const struct stop_rule *rule,
			   uint32_t *threads, struct tr_error *err);

// Counts a worm that has ended; TR_END when the rule holds (rule->cause says why). measured: the
// worm counts for the mean.
//
// The mean is evaluated at 1,000 samples and then whenever they have grown by a tenth; it is
// precise enough when half the width of its interval is at most its percentage, and (if it settles)
// the steady part has begun.
enum tr_status stop_rule_add(struct stop_rule *rule, const struct outcome *outcome, bool measured);

// --- measurement.c

// Which worms are measured: those delivered from a time on, those behind the first so many, or
// (automatic) from where a mean's series is steady. Where that is, is known at the end only: until
// then the worms are kept in a temporary file.

struct warmup {
	int64_t begin_ticks; // worms before it are left out
	bool given;	     // begin_ticks counts
	uint64_t skip;	     // delivered worms that are still to be left out
	bool automatic;
	struct run_mean mean; // automatic: the series that is tested
	FILE *kept;	      // automatic: struct outcome of each delivered worm
	uint64_t left_out;    // delivered worms
	bool settled;	      // automatic, after warmup_finish: the rule found a steady part
};

// Opens the temporary file where automatic is set. TR_ERROR where it cannot.
enum tr_status warmup_open(struct warmup *warmup, struct tr_error *err);

// Whether the worm is measured now. If it may be measured later, it is kept. TR_ERROR where the
// file cannot be written.
enum tr_status warmup_take(struct warmup *warmup, const struct outcome *outcome, bool *measured,
			   struct tr_error *err);

// Automatic: finds the begin and passes each measured worm to add. Otherwise nothing.
enum tr_status warmup_finish(struct warmup *warmup,
			     void (*add)(void *context, const struct outcome *outcome),
			     void *context, struct tr_error *err);

// Drops what was kept.
void warmup_close(struct warmup *warmup);

// --- summary.c

// Results of a run: per class, throughput and latency of worms, and losses.

#define SUMMARY_CLASSES 4u // by enum tr_class, and all of them

// How a run ended, which says what its means are worth.
struct run_end {
	const char *by; // traffic, time, worms, bytes, mean, unfinished (a program), deadlock,
			// livelock; static
	enum saturation_answer saturated;
};

struct summary_class {
	uint64_t ended; // whatever their fate, also in the warm-up
	uint64_t delivered;
	uint64_t worms; // the measured ones of these
	uint64_t size_bytes;
	struct batches latency_ticks;
	struct batches worm_mBps;	      // 1e-3 B/s: size / (delivered - start of the DMA)
	struct batches link_mBps;	      // size / (last character received - first one sent)
	struct quantile latency_distribution; // in ticks
};

struct summary {
	const struct net_column *own; // the counters of the network's kind; NULL: it has none
	uint64_t ticks_per_s;
	double links_Bps; // what the links of all hosts carry; 0: not known
	struct summary_class classes[SUMMARY_CLASSES];
	uint64_t dropped[TR_DROP_REASONS];
	uint64_t in_flight;
	uint64_t lagged; // worms that entered their queue later than planned
	__int128 lag_ticks;
	int64_t lag_max_ticks;
	int64_t first_ticks; // of the measured time: the first worm's creation or the warm-up's end
	int64_t last_ticks;  // last delivery, or the run's end; both meaningless before a worm
};

// Counts a worm that has ended, in time order.
void summary_count(struct summary *summary, const struct outcome *outcome);

// Measures a delivered worm, in time order.
void summary_measure(struct summary *summary, const struct outcome *outcome);

// Measures delivered worms that were measured last so many times more, each time a period later;
// false where memory runs out.
bool summary_repeat(struct summary *summary, const struct outcome *outcomes, size_t count,
		    uint64_t times, int64_t period_ticks);

// The tables, freed by the caller; returns how many. level (in percent) is that of the intervals.
#define SUMMARY_TABLES 4u
size_t summary_tables(const struct summary *summary, const struct net_totals *totals,
		      const struct run_end *end, int level_percent,
		      struct table *tables[SUMMARY_TABLES]);

// --- shares.c

// What each host sent of the worms that were measured, for networks that say what a host's link
// carries.

struct share {
	uint64_t worms;
	uint64_t bytes;
	const char *role;  // lent; NULL: not known
	const char *group; // lent; NULL: none
};

struct shares {
	struct share *of; // by host; NULL: not wanted
	uint32_t hosts;
	struct num_ratio rate_bps;
};

// Room for this many hosts. With a rate of 0/0 nothing is added up. TR_ERROR where memory runs out.
// Close it in any case.
enum tr_status shares_open(struct shares *shares, uint32_t hosts, struct num_ratio rate_bps,
			   struct tr_error *err);

// Adds a worm to what its source sent, times times.
void shares_add(struct shares *shares, const struct outcome *outcome, uint64_t times);

// Notes roles and groups of the hosts, as far as the trace's names and the map, both lent, have
// them.
void shares_name(struct shares *shares, struct node_map *map, const struct tr_names *names);

// For all hosts, those of each role and those of each group, in the order of their first hosts; the
// caller's to free. NULL where nothing was added up. all_traffic: the run ended with its traffic,
// so that a note says what the ratio then means.
struct table *shares_table(const struct shares *shares, double span_s, bool all_traffic);

// Frees what it holds; it is empty then.
void shares_close(struct shares *shares);

// --- order.c

// Which packets came after one that their source sent later to the same destination.

struct order_pair {
	uint64_t key;		// its hosts
	int64_t created_ticks;	// of the packet that was sent last, of those that have come
	int64_t injected_ticks; // and when it left
	bool overtaken;		// one of its packets was
};

struct order_sums {
	uint64_t delivered, overtaken, pairs_overtaken;
};

// Zero is a valid empty one.
struct order {
	bool wanted; // nothing is added or printed otherwise
	struct order_pair *pairs;
	uint32_t count, room;
	struct tr_hash index;
	struct order_sums sums, marked;
};

// Adds a packet that was delivered, in time order. TR_ERROR where memory runs out.
enum tr_status order_add(struct order *order, const struct net_worm *worm, struct tr_error *err);

// times 0: what is added from now on may come again. Above 0: it came so many times more, each a
// period later, and so did the packets that are under way.
void order_repeat(struct order *order, uint64_t times, int64_t period_ticks);

// The caller's to free; NULL where it is not wanted.
struct table *order_table(const struct order *order);

// Frees what it holds.
void order_close(struct order *order);

// --- measurement.c

// The measured part of a run: after its warm-up, and until its end.

// The worms that ended in a part of a run that may come again.
struct period {
	struct outcome *outcomes; // in the order in which they ended
	size_t count;
	size_t room;
	bool records;
};

struct measurement {
	struct summary summary;
	struct warmup warmup;
	struct stop_rule stop;
	struct shares shares;
	struct saturation saturation;
	struct order order;
	struct period period;
	bool unfinished;   // set by the caller: the program has not finished
	bool has_end;	   // the run is cut before end_ticks
	int64_t end_ticks; // in ticks of the trace's clock, as all times
};

// Starts a measurement, which must be zero, as the options say, of this network. TR_ERROR: an
// option is wrong, a time does not fit, or there is no temporary file. Close it in any case.
enum tr_status measurement_open(struct measurement *measurement, const struct sim_options *options,
				const struct fabric *fabric, const struct net_setup *setup,
				const struct sim_ports *ports, struct tr_error *err);

// A packet of a trace is due at this time; in order of time.
void measurement_offer(struct measurement *measurement, int64_t time_ticks);

// Takes a worm that has ended; TR_END when the run should stop.
enum tr_status measurement_take(struct measurement *measurement, const struct net_worm *worm,
				const struct tr_delivery *delivery, struct tr_error *err);

// times 0: the worms that end from now on may be a period. Above 0: they were one, in which none
// was dropped, and it comes so many times more: measures it as if they ended again, each time a
// period later. Only of programs, without a warm-up and rules that stop the run. TR_ERROR where
// memory runs out.
enum tr_status measurement_repeat(struct measurement *measurement, uint64_t times,
				  int64_t period_ticks, struct tr_error *err);

// After the run: determines which worms are measured and over which time.
enum tr_status measurement_finish(struct measurement *measurement, const struct net_totals *totals,
				  struct tr_error *err);

// Whether the run was stopped, as requested, before its traffic ended.
bool measurement_cut(const struct measurement *measurement, const struct net_totals *totals);

// How the run ended.
struct run_end measurement_end(const struct measurement *measurement,
			       const struct net_totals *totals);

// Most tables that may come before those of a measurement.
#define MEASUREMENT_BEFORE_MAX 16u

// Prints the tables: before_count others (at most MEASUREMENT_BEFORE_MAX), the measurement, and the
// course of the run.
enum tr_status measurement_print(const struct measurement *measurement,
				 const struct net_totals *totals, struct table *const *before,
				 size_t before_count, const struct sim_output_options *options,
				 FILE *out, struct tr_error *err);

// Frees what it holds, but not the struct; NULL does nothing.
void measurement_close(struct measurement *measurement);

#endif
