// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of flitstat, a function each: bursts, the window that ends them, and the share of
// overhead, as in Yates 1997; traffic by pair, the controller, sizes and gaps.
#include "flitstat.h"

#include <math.h>
#include <stdlib.h>

#include "stat/intervals/interval.h"
#include "stat/nodes/discovery.h"
#include "table/table_rows.h"
#include "value/ticks.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define DIGITS 7
#define BEFORE_TRAFFIC 3 // tables

// By enum tr_class, then all of them together.
static const char *const class_names[TRAFFIC_KINDS] = {"none", "data", "overhead", "all"};
static const enum tr_role roles[] = {TR_ROLE_CONTROLLER, TR_ROLE_WORKER, TR_ROLE_UNKNOWN};
// Data and overhead first, then unclassed packets.
static const enum tr_class classes[] = {TR_CLASS_DATA, TR_CLASS_OVERHEAD, TR_CLASS_NONE};

static struct table *table_with(const char *name, const char *title, const char *columns)
{
	struct table *table = table_new(name, title);

	table_columns(table, columns);
	return table;
}

static struct table *trace_table(const struct traffic_view *view)
{
	static const char columns[] = "packets bytes duration_s senders_x_classes";
	const struct traffic *traffic = view->traffic;
	const struct traffic_kind *all = &traffic->kinds[TRAFFIC_CLASSES];
	const uint64_t span = (uint64_t)traffic->last_ticks - (uint64_t)traffic->first_ticks;
	struct table *table = table_with("trace", NULL, columns);

	table_count(table, all->packets);
	table_count(table, all->size_bytes);
	table_real(table, tr_ticks_seconds((int64_t)span, view->ticks_per_s), 12);
	table_count(table, traffic->stream_count);
	if (traffic->senders_unknown > 0)
		table_note(table, "%llu packets from senders beyond the node table are in no burst",
			   (unsigned long long)traffic->senders_unknown);
	return table;
}

static void add_train(struct table *table, const struct traffic_view *view, const char *of,
		      const struct burst_gap *gap, uint64_t packets)
{
	char text[BURST_GAP_TEXT];

	table_text(table, of);
	table_real(table, gap->ticks > 0 ? tr_ticks_seconds(gap->ticks, view->ticks_per_s) : NAN,
		   DIGITS);
	table_text(table, burst_gap_basis(gap));
	table_real(table, gap->depth, 4);
	table_count(table, gap->bursts);
	table_real(table, gap->bursts > 0 ? (double)packets / (double)gap->bursts : NAN, DIGITS);
	if (gap->basis == BURST_BASIS_NONE)
		table_note(table, "%s: %s", of, burst_gap_say(gap, view->ticks_per_s, text));
}

static struct table *bursts_table(const struct traffic_view *view)
{
	static const char columns[] = "of burst_gap_s basis depth bursts packets_per_burst";
	const struct traffic *traffic = view->traffic;
	const uint64_t packets = traffic->kinds[TRAFFIC_CLASSES].packets;
	struct table *table = table_with("bursts", "Bursts", columns);

	add_train(table, view, "all", &view->gap, packets);
	add_train(table, view, "streams", &view->stream_gap, packets - traffic->senders_unknown);
	table_note(table, "all: the packets of all senders as one train; streams: those of each "
			  "sender and class");
	return table;
}

static void add_curve(struct table *table, const struct traffic_view *view, const char *of,
		      enum traffic_trains trains)
{
	const struct burst_gaps *list = &view->traffic->settings->gaps;
	struct burst_gap_counts gaps;

	traffic_gaps(view->traffic, trains, &gaps);
	for (size_t i = 0; i < list->count; i++) {
		const uint64_t here = burst_gap_bursts(list, &gaps, i);
		const uint64_t next = i + 1 < list->count ? burst_gap_bursts(list, &gaps, i + 1)
							  : 0;

		table_text(table, of);
		table_real(table, tr_ticks_seconds(list->ticks[i], view->ticks_per_s), DIGITS);
		table_count(table, here);
		table_real(table, (double)gaps.packets / (double)here, DIGITS);
		table_real(table, next > 0 ? 100 * ((double)here / (double)next - 1) : NAN, 4);
	}
}

static struct table *curve_table(const struct traffic_view *view)
{
	static const char columns[] = "of burst_gap_s bursts packets_per_burst growth_percent";
	struct table *table = table_with("burst_gaps", "Bursts by each gap", columns);

	add_curve(table, view, "all", TRAFFIC_ALL);
	add_curve(table, view, "streams", TRAFFIC_STREAMS);
	return table;
}

// A row of the traffic table; no value is below least; unit converts the moments' unit to the
// statistic's.
static void add_statistic(struct table *table, const struct traffic_view *view, enum tr_role role,
			  enum tr_class class, const char *statistic, const struct moments *moments,
			  const struct mean_error *error, double least, double unit)
{
	const double mean = moments_mean(moments), n = (double)moments->n;
	const struct interval interval = mean_error_interval(mean, error, view->level, least);
	const double needed = moments->n < 2 ? NAN
					     : ceil(mean_error_needed(mean, error, view->level,
								      view->accuracy_percent, n));

	table_text(table, tr_role_name(role));
	table_text(table, class_names[class]);
	table_text(table, statistic);
	table_count(table, moments->n);
	table_real(table, moments_mean(moments) * unit, DIGITS);
	table_real(table, interval.lo * unit, DIGITS);
	table_real(table, interval.hi * unit, DIGITS);
	table_real(table, moments_variance(moments) * unit * unit, DIGITS);
	table_real(table, needed, 12);
	table_text(table, !isfinite(needed) ? NULL : n >= needed ? "yes" : "no");
	if (error->known && error->h > .5)
		table_note(
			table, "%s of %s %s: long memory (H %.2f), its interval narrows as n^-%.2f",
			statistic, tr_role_name(role), class_names[class], error->h, 1 - error->h);
}

static void add_bursts(struct table *table, const struct traffic_view *view, enum tr_role role,
		       enum tr_class class, const struct burst_statistics *s,
		       const struct burst_errors *e)
{
	const double second = 1 / (double)view->ticks_per_s;

	add_statistic(table, view, role, class, "burst_interarrival_s", &s->interarrival,
		      &e->interarrival, 0, second);
	add_statistic(table, view, role, class, "silence_s", &s->silence, &e->silence, 0, second);
	add_statistic(table, view, role, class, "pulses_per_burst", &s->pulses, &e->pulses, 1, 1);
	add_statistic(table, view, role, class, "inter_pulse_s", &s->delay, &e->delay, 0, second);
}

// NULL if out of memory.
static struct table *traffic_table(const struct traffic_view *view, struct tr_error *err)
{
	static const char columns[] =
		"role class statistic n mean mean_lo mean_hi variance needed enough";
	struct table *table = table_with("traffic", "Bursts by role and class", columns);

	for (size_t r = 0; r < COUNT_OF(roles); r++)
		for (size_t c = 0; c < COUNT_OF(classes); c++) {
			const struct burst_statistics s = traffic_bursts(view->traffic, view->roles,
									 roles[r], classes[c],
									 view->stream_gap.index);

			struct burst_errors e;

			if (s.size_bytes.n == 0)
				continue;
			if (traffic_errors(view->traffic, view->roles, roles[r], classes[c],
					   view->stream_gap.index, &s, view->level, &e,
					   err) != TR_OK) {
				table_free(table);
				return NULL;
			}
			if (view->stream_gap.basis != BURST_BASIS_NONE)
				add_bursts(table, view, roles[r], classes[c], &s, &e);
			add_statistic(table, view, roles[r], classes[c], "size_B", &s.size_bytes,
				      &e.size_bytes, 0, 1);
		}
	table_note(table,
		   "mean_lo, mean_hi: %g %% confidence interval for dependent packets "
		   "(flitline-intervals(7)), kept above 0, or 1 pulse, none where the trace is too "
		   "short; needed: samples to know the mean to %g %%, or the least that may give "
		   "an interval",
		   100 * view->level, view->accuracy_percent);
	return table;
}

// In percent (Yates 1997, figure 4-18); NaN if there are none.
static double overhead_percent(double overhead, double data)
{
	return overhead + data > 0 ? 100 * overhead / (overhead + data) : NAN;
}

static void add_overhead(struct table *table, const char *role, const struct moments *data,
			 const struct moments *overhead)
{
	if (data->n + overhead->n == 0)
		return;
	table_text(table, role);
	table_count(table, data->n);
	table_count(table, overhead->n);
	table_real(table, overhead_percent((double)overhead->n, (double)data->n), 6);
	table_count(table, (uint64_t)data->sum);
	table_count(table, (uint64_t)overhead->sum);
	table_real(table, overhead_percent((double)overhead->sum, (double)data->sum), 6);
}

static struct table *overhead_table(const struct traffic_view *view)
{
	static const char columns[] = "role data_packets overhead_packets overhead_packets_percent "
				      "data_B overhead_B overhead_B_percent";
	struct table *table = table_with("overhead", "Overhead", columns);
	struct moments all_data = {0}, all_overhead = {0};

	for (size_t r = 0; r < COUNT_OF(roles); r++) {
		const struct moments data = traffic_bursts(view->traffic, view->roles, roles[r],
							   TR_CLASS_DATA, view->stream_gap.index)
						    .size_bytes;
		const struct moments overhead = traffic_bursts(view->traffic, view->roles, roles[r],
							       TR_CLASS_OVERHEAD,
							       view->stream_gap.index)
							.size_bytes;

		moments_merge(&all_data, &data);
		moments_merge(&all_overhead, &overhead);
		add_overhead(table, tr_role_name(roles[r]), &data, &overhead);
	}
	add_overhead(table, "all", &all_data, &all_overhead);
	return table;
}

TABLE_ROW(controller, (text, candidate), (text, found_by), (real, share_of_data, 4), (text, next),
	  (real, next_share, 4), (count, blocks_led), (count, blocks), (real, order, 4),
	  (count, episodes_ahead), (count, episodes_behind), (real, chance_among_equals, 3));

static struct table *controller_table(const struct traffic_view *view)
{
	static const char *const bases[] = {"not found", "share", "order"};
	const struct role_finding *finding = &view->finding;
	struct table *table = table_of("controller", "Controller", controller_fields);

	if (view->traffic->roles.joined)
		table_note(table, "not looked for: this needs all packets in order, but the trace "
				  "came in parts; --set-role sets roles");
	else if (finding->nodes < 2)
		table_note(table, "no two nodes exchange data");
	else
		TABLE_PUT(table, controller, .candidate = tr_names_node(view->names, finding->node),
			  .found_by = bases[finding->basis], .share_of_data = finding->share,
			  .next = tr_names_node(view->names, finding->next),
			  .next_share = finding->next_share, .blocks_led = finding->led,
			  .blocks = finding->blocks, .order = finding->order,
			  .episodes_ahead = finding->ahead, .episodes_behind = finding->behind,
			  .chance_among_equals = finding->chance);
	return table;
}

TABLE_ROW(node_role, (text, node), (text, role), (count, data_sent_B), (count, data_received_B));

static struct table *nodes_table(const struct traffic_view *view)
{
	const struct role_finder *finder = &view->traffic->roles;
	struct table *table = table_of("nodes", "Roles", node_role_fields);
	bool *pausing = stat_pausing(&view->traffic->matrix, view->names);

	if (!pausing)
		table_fail(table);
	for (uint32_t i = 0;
	     pausing && i < view->names->node_count && i < view->traffic->node_count; i++) {
		const struct role_balance balance = role_balance_of(finder, i);

		if (pausing[i] ||
		    (!tr_names_find_node(view->names, i) && !role_takes_part(finder, i)))
			continue;
		TABLE_PUT(table, node_role, .node = tr_names_node(view->names, i),
			  .role = tr_role_name((enum tr_role)view->roles[i]),
			  .data_sent_B = balance.sent_bytes,
			  .data_received_B = balance.received_bytes);
	}
	free(pausing);
	return table;
}

TABLE_ROW(exchange, (text, src), (text, dst), (count, packets), (count, bytes),
	  (real, bytes_percent, 5));

static struct table *matrix_table(const struct traffic_view *view)
{
	const struct matrix *matrix = &view->traffic->matrix;
	const double total = (double)view->traffic->kinds[TRAFFIC_CLASSES].size_bytes;
	struct table *table = table_of("matrix", "Traffic matrix", exchange_fields);

	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];

		TABLE_PUT(table, exchange, .src = discovery_node_name(view->names, cell->src),
			  .dst = discovery_node_name(view->names, cell->dst),
			  .packets = cell->packets, .bytes = cell->size_bytes,
			  .bytes_percent = 100 * (double)cell->size_bytes / total);
	}
	if (view->joined > 0)
		table_note(table,
			   "multicast: %u addresses of multicast, broadcast and hosts without one, "
			   "each in less than %g %% of the bytes; --all-nodes lists them",
			   view->joined, 100 * DISCOVERY_SHARE);
	if (matrix->rest.packets > 0)
		table_note(table, "%llu packets of pairs beyond --memory are not shown",
			   (unsigned long long)matrix->rest.packets);
	return table;
}

static const double shares[] = {0.5, 0.9, 0.99, 0.999, 0.9999};

static void traffic_report_add_quantiles(struct table *table, const char *class, const char *of,
					 const struct quantile *quantile, double unit)
{
	table_text(table, class);
	table_text(table, of);
	table_count(table, quantile->n);
	for (size_t i = 0; i < COUNT_OF(shares); i++)
		table_real(table,
			   quantile->n > 0 ? (double)quantile_get(quantile, shares[i]) * unit : NAN,
			   6);
	table_real(table, quantile->n > 0 ? (double)quantile->max * unit : NAN, 9);
}

static struct table *quantiles_table(const struct traffic_view *view)
{
	static const char columns[] = "class of n p50 p90 p99 p99.9 p99.99 max";
	const double second = 1 / (double)view->ticks_per_s;
	struct table *table = table_with("quantiles", "Quantiles of sizes and gaps by class",
					 columns);

	for (size_t i = TRAFFIC_KINDS; i-- > 0;) {
		const struct traffic_kind *kind = &view->traffic->kinds[i];

		if (kind->packets == 0)
			continue;
		traffic_report_add_quantiles(table, class_names[i], "size_B", &kind->sizes, 1);
		traffic_report_add_quantiles(table, class_names[i], "gap_s", &kind->gaps, second);
	}
	table_note(table, "quantiles have a relative error of at most 1/%d", 2 << QUANTILE_BITS);
	return table;
}

// Without rows they are not printed.
static size_t put_congestion(const struct traffic_view *view, struct table **tables)
{
	struct table *const both[] = {table_new("marks", "Marks and notifications"),
				      table_new("pauses", "Pauses of links")};
	size_t count = 0;

	congestion_tabulate_marks(both[0], view->congestion, view->names);
	congestion_tabulate_pauses(both[1], view->congestion, view->names);
	for (size_t i = 0; i < COUNT_OF(both); i++)
		if (table_rows(both[i])) // one that failed has some
			tables[count++] = both[i];
		else
			table_free(both[i]);
	return count;
}

enum tr_status traffic_report(const struct traffic_view *view, struct table_style style, FILE *out,
			      struct tr_error *err)
{
	static struct table *(*const makers[])(const struct traffic_view *) = {
		trace_table, overhead_table, bursts_table,    controller_table,
		nodes_table, matrix_table,   quantiles_table,
	};
	struct table *tables[COUNT_OF(makers) + 4], *traffic = traffic_table(view, err);
	size_t count = 0;

	if (!traffic)
		return TR_ERROR;
	for (size_t i = 0; i < COUNT_OF(makers); i++) {
		if (i == BEFORE_TRAFFIC)
			tables[count++] = traffic;
		tables[count++] = makers[i](view);
	}
	if (view->points)
		tables[count++] = curve_table(view);
	count += put_congestion(view, tables + count);
	return tables_finish(tables, count, style, "flitstat", out, err);
}
