// SPDX-License-Identifier: GPL-3.0-or-later
// What captures of several points showed (--join): in the trace, and in the summary.
#include "points.h"

#include <math.h>
#include <stdio.h>

#include "value/number.h"
#include "value/ticks.h"

#define COUNTED_MAX 128u // points whose errors are counters of the trace
#define LISTED_MAX 16u	 // points and pairs in the summary

// All ways together.
static struct pt_way sum_ways(const struct cap_points *points)
{
	struct pt_way sum = {.sent = 0};

	for (uint32_t from = 0; from < points->count; from++)
		for (uint32_t to = 0; to < points->count; to++) {
			const struct pt_way *way = pt_join_way(points->join, from, to);

			sum.sent += way->sent;
			sum.delivered += way->delivered;
			sum.lost += way->lost;
			sum.undecided += way->undecided;
			sum.duplicates += way->duplicates;
			sum.unsent += way->unsent;
			sum.resent += way->resent;
			sum.early += way->early;
		}
	return sum;
}

void cap_points_counters(const struct cap *cap, struct tr_writer *writer)
{
	const struct cap_points *points = cap->points;
	const struct pt_beside beside = pt_join_beside(points->join);
	const struct pt_way sum = sum_ways(points);
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {
		{"joined", sum.delivered},
		{"lost_on_the_way", sum.lost},
		{"fate_unknown", sum.undecided},
		{"duplicates", sum.duplicates},
		{"unseen_at_sender", sum.unsent},
		{"resent", sum.resent},
		{"received_before_sent", sum.early},
		{"at_no_point", beside.elsewhere},
		{"at_one_point", beside.within},
		{"on_the_way", beside.between},
		{"joined_early", beside.hurried},
		{"late_clamped", beside.late},
		{"clock_steps", pt_clocks_steps(points->clocks)->count},
	};
	char key[CAP_NAME_BYTES];

	// The writer remembers a failure, which its close reports.
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value)
			(void)tr_put_counter(writer, rows[i].key, rows[i].value);
	for (uint32_t i = 1; i < points->count && i < COUNTED_MAX; i++) {
		const struct pt_clock clock = pt_clocks_of(points->clocks, i);

		(void)snprintf(key, sizeof(key), "clock_%s_ns.%.200s",
			       clock.claimed ? "error" : "bound", points->names[i]);
		(void)tr_put_counter(writer, key,
				     (uint64_t)(clock.claimed ? clock.error_ns : clock.bound_ns) +
					     1);
	}
}

static void print_clock(const struct cap_points *points, uint32_t point)
{
	const struct pt_clock clock = pt_clocks_of(points->clocks, point);
	char offset[64];

	(void)fprintf(stderr, "flitcap: clock of %s: %s s from that of %s, drift %.4f ppm, ",
		      points->names[point],
		      tr_ticks_format(clock.offset_ns, PK_TICKS_PER_S, offset, sizeof(offset)),
		      points->names[0], clock.drift_ppm);
	if (clock.claimed)
		(void)fprintf(stderr, "within %s if the minimum delays are equal, ",
			      number_time(clock.error_ns * 1e-9, 3).text);
	(void)fprintf(stderr, "within %s in any case", number_time(clock.bound_ns * 1e-9, 3).text);
	if (clock.via)
		(void)fprintf(stderr, " (via %s)", points->names[clock.via]);
	if (clock.lines > 1)
		(void)fprintf(stderr, "; it %s: %zu pieces",
			      pt_clocks_steps(points->clocks)->count ? "stepped or changed its rate"
								     : "changed its rate",
			      clock.lines);
	(void)fputc('\n', stderr);
}

static void print_steps(const struct cap_points *points)
{
	const struct pt_steps *steps = pt_clocks_steps(points->clocks);
	char at[64], by[64], back[64];

	for (size_t i = 0; i < steps->count && i < LISTED_MAX; i++) {
		const struct pt_step *step = &steps->steps[i];

		(void)fprintf(stderr, "flitcap: clock of %s: stepped by %s s at %s s",
			      points->names[step->point],
			      tr_ticks_format(step->ahead_ns, PK_TICKS_PER_S, by, sizeof(by)),
			      tr_ticks_format(step->at_ns, PK_TICKS_PER_S, at, sizeof(at)));
		if (!step->certain)
			(void)fprintf(stderr, ", or that of %s by %s s", points->names[step->other],
				      tr_ticks_format(-step->ahead_ns, PK_TICKS_PER_S, back,
						      sizeof(back)));
		(void)fputc('\n', stderr);
	}
	if (steps->count > LISTED_MAX)
		(void)fprintf(stderr, "flitcap: and %zu more steps\n", steps->count - LISTED_MAX);
}

static void print_fates(const struct pt_way *way)
{
	(void)fprintf(
		stderr,
		": %llu sent (%llu again), %llu lost, %llu unknown; %llu duplicates, %llu unsent",
		(unsigned long long)way->sent, (unsigned long long)way->resent,
		(unsigned long long)way->lost, (unsigned long long)way->undecided,
		(unsigned long long)way->duplicates, (unsigned long long)way->unsent);
}

static void print_way(const struct cap_points *points, uint32_t from, uint32_t to,
		      const struct pt_way *way)
{
	(void)fprintf(stderr, "flitcap: %s to %s", points->names[from], points->names[to]);
	print_fates(way);
	if (way->delivered)
		(void)fprintf(
			stderr, "; delay %s, mean %s, to %s",
			number_time((double)way->delay_min_ns * 1e-9, 4).text,
			number_time((double)way->delay_sum_ns / (double)way->delivered * 1e-9, 4)
				.text,
			number_time((double)way->delay_max_ns * 1e-9, 4).text);
	(void)fputc('\n', stderr);
}

// More packets are lost or unsent than joined.
static void warn_of_few(const struct cap_points *points)
{
	const double longest_ns = (double)points->cap->feed.output.ahead_ns;
	double bound_ns = 0;

	for (uint32_t i = 1; i < points->count; i++)
		bound_ns = fmax(bound_ns, pt_clocks_of(points->clocks, i).bound_ns);
	if (longest_ns < bound_ns)
		tool_warn(points->cap->tool,
			  "more packets are lost or unsent than joined: --longest-delay is %s, and "
			  "clocks are known within %s only",
			  number_time(longest_ns * 1e-9, 3).text,
			  number_time(bound_ns * 1e-9, 3).text);
	else
		tool_warn(points->cap->tool,
			  "more packets are lost or unsent than joined: an adapter may cut or join "
			  "segments, or the captures keep different numbers of bytes (see "
			  "flitcap(1))");
}

void cap_print_points(const struct cap *cap)
{
	const struct cap_points *points = cap->points;
	size_t listed = 0, ways = 0;
	struct pt_way sum;

	if (!points)
		return;
	sum = sum_ways(points);
	if (sum.lost + sum.unsent > sum.delivered)
		warn_of_few(points);
	for (uint32_t i = 1; i < points->count && i < LISTED_MAX; i++)
		print_clock(points, i);
	print_steps(points);
	for (uint32_t from = 0; from < points->count; from++)
		for (uint32_t to = 0; to < points->count; to++) {
			const struct pt_way *way = pt_join_way(points->join, from, to);

			if (!way->sent && !way->unsent)
				continue;
			ways++;
			if (listed < LISTED_MAX && ++listed)
				print_way(points, from, to, way);
		}
	if (ways > listed)
		(void)fprintf(stderr, "flitcap: and %zu more pairs (see flitreport(1))\n",
			      ways - listed);
	if (ways > 1) {
		(void)fprintf(stderr, "flitcap: all %zu pairs", ways);
		print_fates(&sum);
		(void)fputc('\n', stderr);
	}
}
