// SPDX-License-Identifier: GPL-3.0-or-later
// Rates over intervals: what of them is planned for, and the pairs that a trace or the counters of
// ports give.
#ifndef REPLAY_FLITPLAN_PLAN_RATES_H
#define REPLAY_FLITPLAN_PLAN_RATES_H

#include <stdbool.h>
#include <stdint.h>

#include "file/source.h"
#include "value/num.h"
#include "value/status.h"

// "mean", "peak:TIME" or "95%:TIME". Zero: the mean, not given.
struct plan_rate {
	bool given;
	double share; // of the intervals that are not above it; 1: the peak; 0: the mean
	struct num_ratio width_s; // of an interval; 0/0: mean
};
enum tr_status plan_rate_parse(const char *text, struct plan_rate *rate, struct tr_error *err);

// Bytes of a key in an interval, and in as many more after it.
struct plan_point {
	uint64_t key;
	int64_t interval;
	double bytes;
	int64_t covered; // time that they are of, in ticks of the caller
	uint64_t more;
};

// Points, those of one key and interval added up as far as memory asks for it. Zero is a valid
// empty one.
struct plan_series {
	struct plan_point *points;
	uint32_t count, room;
};

// TR_ERROR if out of memory.
enum tr_status plan_series_add(struct plan_series *series, const struct plan_point *point,
			       struct tr_error *err);

// Adds up all, in order of keys, then intervals.
void plan_series_merge(struct plan_series *series);
void plan_series_close(struct plan_series *series);

// The bytes of an interval that the share of intervals is not above (nearest rank), of count points
// in any order, which are sorted, and of zeros.
double plan_rate_quantile(struct plan_point *points, uint32_t count, uint64_t zeros, double share);

// The text of a table of pairs.
struct plan_pairs {
	char *text;
	size_t bytes;
	double seconds; // that its bytes are of
	char note[400]; // what they are
	char warning[400];
};

// Reads a stream of packets, and closes the source: of each pair of nodes the rate of its payload.
// The caller frees the text. TR_ERROR where it has no whole interval.
enum tr_status plan_rates_of_trace(struct tr_source *source, const struct plan_rate *rate,
				   struct plan_pairs *pairs, struct tr_error *err);

// Finds a and b, so that a[i] b[j] is what port i sends to another port j, of what each sends and
// receives, which add up to the same. Returns by which share what a port receives is missed at
// most: if no matrix has the totals, because a port sends and receives more than all together, what
// they send is kept alone.
double plan_gravity_fit(const double *sent, const double *received, uint32_t ports, double *a,
			double *b);
double plan_gravity_sum(const double *values, uint32_t count);

// ---- counters of ports, by line: times, and the names of objects that snmpget and snmpwalk print

enum plan_counter { COUNTER_SENT, COUNTER_RECEIVED, COUNTERS };

// An object of the interfaces' tables; COUNTERS: the name of a port.
struct plan_object {
	const char *name, *number;
	enum plan_counter counter; // a switch receives what the port's host sends
	bool wide;		   // of 64 bits
};

// Whether a line begins with a time in seconds since the Unix epoch; and that, and what follows,
// the name of what is read then, or "".
bool plan_counter_is_time(const char *line, int64_t *ns, const char **name);

// The object of a name such as IF-MIB::ifName.3, iso.3.6.1... or .1.3.6.1..., and its index in the
// name; NULL: another one.
const struct plan_object *plan_counter_object(const char *name, const char **index);

// ---- rates of counters

// Whether a source begins as counters of ports do; and those, as flitplan(1) describes them, of
// ports of at most rate_bps. The matrix is a guess: that of the least information which has the
// ports' totals. TR_ERROR names the line.
bool plan_counters_begin(const char *text);
enum tr_status plan_rates_of_counters(struct tr_source *source, const struct plan_rate *rate,
				      double rate_bps, struct plan_pairs *pairs,
				      struct tr_error *err);

#endif
