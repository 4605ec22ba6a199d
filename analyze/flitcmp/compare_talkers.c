// SPDX-License-Identifier: GPL-3.0-or-later
// The table of what changed from one trace to another, by hosts and pairs.
#include "flitcmp.h"

#include "table/table_rows.h"

#define CHANGE_DIGITS 5

TABLE_ROW(talker, (text, from), (text, to), (text, src), (text, dst), (text, is), (text, by),
	  (real, before_bps, CHANGE_DIGITS), (real, after_bps, CHANGE_DIGITS),
	  (real, difference_bps, CHANGE_DIGITS), (real, lo_bps, CHANGE_DIGITS),
	  (real, hi_bps, CHANGE_DIGITS), (real, before_percent, CHANGE_DIGITS),
	  (real, after_percent, CHANGE_DIGITS), (real, difference_percent, CHANGE_DIGITS),
	  (real, lo_percent, CHANGE_DIGITS), (real, hi_percent, CHANGE_DIGITS),
	  (real, before_present_percent, 3), (real, after_present_percent, 3));

static void put_change(struct table *table, const struct compare_report *report,
		       const struct compare_trace *before, const struct compare_trace *after,
		       const struct talker_changes *changes, const struct talker_change *change)
{
	const char *const *names = (const char *const *)report->cells->alternatives.names;
	const struct talker_difference *rate = &change->rate, *share = &change->share;

	TABLE_PUT(
		table, talker, .from = names[before->alternative], .to = names[after->alternative],
		.src = joint_nodes_label(&changes->nodes, change->src),
		.dst = change->dst == TALKER_HOST ? "all"
						  : joint_nodes_label(&changes->nodes, change->dst),
		.is = talker_change_word(change), .by = talker_change_by(change),
		.before_bps = 8 * rate->values[0], .after_bps = 8 * rate->values[1],
		.difference_bps = 8 * (rate->values[1] - rate->values[0]),
		.lo_bps = 8 * rate->interval.lo, .hi_bps = 8 * rate->interval.hi,
		.before_percent = 100 * share->values[0], .after_percent = 100 * share->values[1],
		.difference_percent = 100 * (share->values[1] - share->values[0]),
		.lo_percent = 100 * share->interval.lo, .hi_percent = 100 * share->interval.hi,
		.before_present_percent = 100 * change->present[0],
		.after_present_percent = 100 * change->present[1]);
}

static enum tr_status put_changes(struct table *table, const struct compare_report *report,
				  const struct compare_trace *before,
				  const struct compare_trace *after, struct tr_error *err)
{
	struct talker_changes changes;

	if (talkers_compare(&before->talkers, &after->talkers, report->level_percent / 100.0,
			    &changes, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < changes.host_count; i++)
		put_change(table, report, before, after, &changes, &changes.hosts[i]);
	for (size_t i = 0; i < changes.pair_count; i++)
		put_change(table, report, before, after, &changes, &changes.pairs[i]);
	if (changes.basis != NODES_BY_NAME)
		table_note(table,
			   "%s and %s have no node name in common: nodes are matched by %sorder of "
			   "traffic",
			   report->cells->alternatives.names[before->alternative],
			   report->cells->alternatives.names[after->alternative],
			   changes.basis == NODES_BY_ROLE ? "role and " : "");
	talker_changes_clear(&changes);
	return TR_OK;
}

struct table *compare_talkers(const struct compare_report *report, struct tr_error *err)
{
	struct table *table = table_of(
		"changes", "Hosts and pairs whose payload changed most, by rate and by share",
		talker_fields);
	const struct compare_traces *traces = report->traces;

	table_note(
		table,
		"of the payload; dst all: all that a host sends or receives; bps: over the whole "
		"trace; percent: share of all; lo, hi: %d %% interval of the difference, for each "
		"row alone, at least one packet of each pair to either side, none where a trace is "
		"too short; present: time from the first packet to the last over that of the trace",
		report->level_percent);
	for (size_t i = 0; i < traces->count; i++)
		for (size_t k = i + 1; k < traces->count; k++)
			if (put_changes(table, report, &traces->list[i], &traces->list[k], err) !=
			    TR_OK) {
				table_free(table);
				return NULL;
			}
	return table;
}
