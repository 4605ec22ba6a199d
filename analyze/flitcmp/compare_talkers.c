// SPDX-License-Identifier: GPL-3.0-or-later
// The table of what changed from one trace to another, by hosts and pairs.
#include "flitcmp.h"

#define CHANGE_DIGITS 5

static void put_difference(struct table *table, const struct talker_difference *difference, double factor)
{
	for (size_t i = 0; i < 2; i++)
		table_real(table, factor * difference->values[i], CHANGE_DIGITS);
	table_real(table, factor * (difference->values[1] - difference->values[0]), CHANGE_DIGITS);
	table_real(table, factor * difference->interval.lo, CHANGE_DIGITS);
	table_real(table, factor * difference->interval.hi, CHANGE_DIGITS);
}

static void put_change(struct table *table, const struct compare_report *report, const struct compare_trace *before,
		       const struct compare_trace *after, const struct talker_changes *changes,
		       const struct talker_change *change)
{
	const char *const *names = (const char *const *)report->cells->alternatives.names;

	table_text(table, names[before->alternative]);
	table_text(table, names[after->alternative]);
	table_text(table, joint_nodes_label(&changes->nodes, change->src));
	table_text(table, change->dst == TALKER_HOST ? "all" : joint_nodes_label(&changes->nodes, change->dst));
	table_text(table, talker_change_word(change));
	table_text(table, talker_change_by(change));
	put_difference(table, &change->rate, 8);
	put_difference(table, &change->share, 100);
	for (size_t i = 0; i < 2; i++)
		table_real(table, 100 * change->present[i], 3);
}

static enum tr_status put_changes(struct table *table, const struct compare_report *report, const struct compare_trace *before,
				  const struct compare_trace *after, struct tr_error *err)
{
	struct talker_changes changes;

	if (talkers_compare(&before->talkers, &after->talkers, report->level_percent / 100.0, &changes, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < changes.host_count; i++)
		put_change(table, report, before, after, &changes, &changes.hosts[i]);
	for (size_t i = 0; i < changes.pair_count; i++)
		put_change(table, report, before, after, &changes, &changes.pairs[i]);
	if (changes.basis != NODES_BY_NAME)
		table_note(table, "%s and %s have no name of a node in common: nodes are matched by %sorder of traffic",
			   report->cells->alternatives.names[before->alternative],
			   report->cells->alternatives.names[after->alternative],
			   changes.basis == NODES_BY_ROLE ? "role and " : "");
	talker_changes_clear(&changes);
	return TR_OK;
}

struct table *compare_talkers(const struct compare_report *report, struct tr_error *err)
{
	static const char *const keys[] = {"from",
					   "to",
					   "src",
					   "dst",
					   "is",
					   "by",
					   "before_bps",
					   "after_bps",
					   "difference_bps",
					   "lo_bps",
					   "hi_bps",
					   "before_percent",
					   "after_percent",
					   "difference_percent",
					   "lo_percent",
					   "hi_percent",
					   "before_present_percent",
					   "after_present_percent"};
	struct table *table = table_new("changes", "Hosts and pairs whose payload changed most, by rate and by share");
	const struct compare_traces *traces = report->traces;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		table_column(table, keys[i]);
	table_note(
		table,
		"of the payload; dst all: what a host sends or receives; bps: over the whole trace; percent: share of all; lo, hi: %d %% interval of the difference, of each row by itself, never narrower than a packet of each pair more or less, none where a trace is too short; present: time from the first packet to the last, of the trace's",
		report->level_percent);
	for (size_t i = 0; i < traces->count; i++)
		for (size_t k = i + 1; k < traces->count; k++)
			if (put_changes(table, report, &traces->list[i], &traces->list[k], err) != TR_OK) {
				table_free(table);
				return NULL;
			}
	return table;
}
