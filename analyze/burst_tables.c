// SPDX-License-Identifier: GPL-3.0-or-later
// Bursts, the window that ends them, and the share of overhead: as in Yates
// 1997.
#include <math.h>

#include "stat/interval.h"
#include "trace/ticks.h"
#include "traffic_tables.h"

#define DIGITS 7

static const enum tr_role roles[] = {TR_ROLE_CONTROLLER, TR_ROLE_WORKER, TR_ROLE_UNKNOWN};
// Data and overhead first, then what has no class.
static const enum tr_class classes[] = {TR_CLASS_DATA, TR_CLASS_OVERHEAD, TR_CLASS_NONE};

static double window_seconds(const struct traffic_view *view, size_t i)
{
	return tr_ticks_seconds(view->traffic->settings->windows.ticks[i], view->ticks_per_s);
}

struct table *window_table(const struct traffic_view *view)
{
	static const char *const columns[] = {"window_s", "basis", "bursts", "pulses_per_burst"};
	static const char *const bases[] = {"given", "plateau", "no plateau"};
	struct table *table = table_with("window", "silence that ends a burst", columns,
					 COUNT_OF(columns));

	table_real(table, window_seconds(view, view->window), DIGITS);
	table_text(table, bases[view->window_basis]);
	table_count(table, window_curve_bursts(view->curve, view->window));
	table_real(table, window_curve_pulses(view->curve, view->window), DIGITS);
	if (view->window_basis == WINDOW_NO_PLATEAU)
		table_note(table, "no window stands out, the bursts below are those of the default one; "
			   "flitfit(1) tells silences from gaps by likelihood");
	return table;
}

struct table *curve_table(const struct traffic_view *view)
{
	static const char *const columns[] = {"window_s", "bursts", "pulses_per_burst",
					      "growth_percent"};
	const size_t count = view->traffic->settings->windows.count;
	struct table *table = table_with("windows", "window search", columns, COUNT_OF(columns));

	for (size_t i = 0; i < count; i++) {
		const double here = window_curve_pulses(view->curve, i);
		const double next = i + 1 < count ? window_curve_pulses(view->curve, i + 1) : NAN;

		table_real(table, window_seconds(view, i), DIGITS);
		table_count(table, window_curve_bursts(view->curve, i));
		table_real(table, here, DIGITS);
		table_real(table, 100 * (next / here - 1), 4);
	}
	return table;
}

// A row of the traffic table; no value is below least; unit is what one of the moments' units is in that of the statistic.
static void add_statistic(struct table *table, const struct traffic_view *view, enum tr_role role,
			  enum tr_class class, const char *statistic, const struct moments *moments,
			  double least, double unit)
{
	const struct interval interval = interval_above(mean_interval(moments, view->level), least);
	const double needed = ceil(moments_needed(moments, view->level, view->accuracy_percent));

	table_text(table, tr_role_name(role));
	table_text(table, traffic_class_names[class]);
	table_text(table, statistic);
	table_count(table, moments->n);
	table_real(table, moments_mean(moments) * unit, DIGITS);
	table_real(table, interval.lo * unit, DIGITS);
	table_real(table, interval.hi * unit, DIGITS);
	table_real(table, moments_variance(moments) * unit * unit, DIGITS);
	table_real(table, needed, 12);
	if (isfinite(needed))
		table_text(table, (double)moments->n >= needed ? "yes" : "no");
	else
		table_none(table);
}

struct table *traffic_table(const struct traffic_view *view)
{
	static const char *const columns[] = {"role", "class", "statistic", "n", "mean", "mean_lo",
					      "mean_hi", "variance", "needed", "enough"};
	const double second = 1 / (double)view->ticks_per_s;
	struct table *table = table_with("traffic", "bursts by role and class", columns,
					 COUNT_OF(columns));

	for (size_t r = 0; r < COUNT_OF(roles); r++)
		for (size_t c = 0; c < COUNT_OF(classes); c++) {
			const struct burst_statistics s = traffic_bursts(
				view->traffic, view->roles, roles[r], classes[c], view->window);

			if (s.size_bytes.n == 0)
				continue;
			add_statistic(table, view, roles[r], classes[c], "burst_interarrival_s",
				      &s.interarrival, 0, second);
			add_statistic(table, view, roles[r], classes[c], "silence_s", &s.silence, 0, second);
			add_statistic(table, view, roles[r], classes[c], "pulses_per_burst", &s.pulses, 1, 1);
			add_statistic(table, view, roles[r], classes[c], "inter_pulse_s", &s.delay, 0, second);
			add_statistic(table, view, roles[r], classes[c], "size_B", &s.size_bytes, 0, 1);
		}
	table_note(table, "interval of the mean: %g %%, Student's, kept above 0 and 1 pulse; needed: samples for %g %% of the "
		   "mean at that level",
		   100 * view->level, view->accuracy_percent);
	return table;
}

static void add_overhead(struct table *table, const char *role, const struct moments *data,
			 const struct moments *overhead)
{
	const struct overhead_share share = overhead_share(data, overhead);

	if (data->n + overhead->n == 0)
		return;
	table_text(table, role);
	table_count(table, data->n);
	table_count(table, overhead->n);
	table_real(table, share.packets_percent, 6);
	table_count(table, (uint64_t)data->sum);
	table_count(table, (uint64_t)overhead->sum);
	table_real(table, share.bytes_percent, 6);
}

struct table *overhead_table(const struct traffic_view *view)
{
	static const char *const columns[] = {"role", "data_packets", "overhead_packets",
					      "overhead_packets_percent", "data_B", "overhead_B",
					      "overhead_B_percent"};
	struct table *table = table_with("overhead", "share of overhead", columns,
					 COUNT_OF(columns));
	struct moments all_data = {0}, all_overhead = {0};

	for (size_t r = 0; r < COUNT_OF(roles); r++) {
		const struct moments data = traffic_bursts(view->traffic, view->roles, roles[r],
							   TR_CLASS_DATA, view->window).size_bytes;
		const struct moments overhead = traffic_bursts(view->traffic, view->roles, roles[r],
							       TR_CLASS_OVERHEAD,
							       view->window).size_bytes;

		moments_merge(&all_data, &data);
		moments_merge(&all_overhead, &overhead);
		add_overhead(table, tr_role_name(roles[r]), &data, &overhead);
	}
	add_overhead(table, "all", &all_data, &all_overhead);
	return table;
}
