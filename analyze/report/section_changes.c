// SPDX-License-Identifier: GPL-3.0-or-later
// What changed from one stream to another: hosts and pairs that vanished, appeared or moved most.
#include <math.h>
#include <stdio.h>

#include "report/drawing.h"
#include "report/section.h"
#include "stat/nodes/talker_changes.h"
#include "table/table_rows.h"
#include "value/number.h"

static void say_ends(char *text, size_t bytes, const struct talker_changes *changes,
		     const struct talker_change *change)
{
	char src[TEXT_LABEL_BYTES], dst[TEXT_LABEL_BYTES];

	text_append(text, bytes, "%s%s", *text ? "; " : "",
		    text_shorten(joint_nodes_label(&changes->nodes, change->src), 30, src));
	if (change->dst != TALKER_HOST)
		text_append(text, bytes, " → %s",
			    text_shorten(joint_nodes_label(&changes->nodes, change->dst), 30, dst));
}

// "1.20 Mb/s, 10.3 %"
static void say_amount(char *text, size_t bytes, const struct talker_change *change, size_t side)
{
	if (isfinite(change->rate.values[side]))
		text_append(text, bytes, "%s, ",
			    number_bit_rate(8 * change->rate.values[side], 3).text);
	text_append(text, bytes, "%s", number_percent(change->share.values[side], 3).text);
}

static void say_change(char *text, size_t bytes, const struct talker_changes *changes,
		       const struct talker_change *change)
{
	const bool vanished = change->share.values[1] == 0;

	say_ends(text, bytes, changes, change);
	if (vanished || change->share.values[0] == 0) {
		text_append(text, bytes, " %s (", talker_change_word(change));
		say_amount(text, bytes, change, !vanished);
	} else {
		text_append(text, bytes, " moved (from ");
		say_amount(text, bytes, change, 0);
		text_append(text, bytes, " to ");
		say_amount(text, bytes, change, 1);
	}
	text_append(text, bytes, ")");
}

static void lead_with_changes(struct page *page, const struct talker_changes *changes,
			      const struct stream *before, const struct stream *after)
{
	const struct talker_change *facts[TALKER_FACTS];
	char text[1024] = "";
	size_t more;
	const size_t count = talker_facts(changes, facts, &more);

	for (size_t i = 0; i < count; i++)
		say_change(text, sizeof(text), changes, facts[i]);
	if (more > 0)
		text_append(text, sizeof(text), "; and %zu more", more);
	if (count > 0)
		page_answer(page, "Changes of the payload from %s to %s, largest first: %s.",
			    before->label, after->label, text);
	else
		page_answer(page,
			    "From %s to %s no host and no pair of hosts changed its rate or share "
			    "of the payload significantly.",
			    before->label, after->label);
}

TABLE_ROW(change, (text, source, 0, "source, or host"), (text, destination),
	  (text, change, 0, "change (by)"), (real, before, 4, "before (Mb/s)"),
	  (real, after, 4, "after (Mb/s)"), (range, rate, 0, "interval of the difference (Mb/s)"),
	  (real, before_share, 4, "before (%)"), (real, after_share, 4, "after (%)"),
	  (range, share, 0, "interval of the difference (%)"));

static void put_change_row(struct table *table, const struct talker_changes *changes,
			   const struct talker_change *change)
{
	const struct talker_difference *rate = &change->rate, *share = &change->share;
	const char *word = talker_change_word(change), *by = talker_change_by(change);
	char from[TEXT_LABEL_BYTES], to[TEXT_LABEL_BYTES], verdict[64];

	(void)snprintf(verdict, sizeof(verdict), by ? "%s (%s)" : "%s", word ? word : "-", by);
	TABLE_PUT(table, change,
		  .source = text_shorten(joint_nodes_label(&changes->nodes, change->src), 30, from),
		  .destination = change->dst == TALKER_HOST
					 ? "all"
					 : text_shorten(
						   joint_nodes_label(&changes->nodes, change->dst),
						   30, to),
		  .change = verdict, .before = 8e-6 * rate->values[0],
		  .after = 8e-6 * rate->values[1],
		  .rate = {NAN, 8e-6 * rate->interval.lo, 8e-6 * rate->interval.hi},
		  .before_share = 100 * share->values[0], .after_share = 100 * share->values[1],
		  .share = {NAN, 100 * share->interval.lo, 100 * share->interval.hi});
}

#define PRESENT .9 // of the trace's time; less is said

static void note_presence(struct table *table, const struct talker_changes *changes,
			  const struct talker_change *change, const struct stream *const streams[2])
{
	char text[256] = "";

	for (size_t i = 0; i < 2; i++) {
		if (change->share.values[i] == 0 || change->present[i] >= PRESENT)
			continue;
		text[0] = 0;
		say_ends(text, sizeof(text), changes, change);
		table_note(table, "%s: its packets span %s of the time of %s.", text,
			   number_percent(change->present[i], 2).text, streams[i]->label);
	}
}

static void note_basis(struct table *table, const struct talker_changes *changes)
{
	if (changes->basis != NODES_BY_NAME)
		table_note(table,
			   "The two have no node name in common: nodes are matched by %sorder of "
			   "traffic.",
			   changes->basis == NODES_BY_ROLE ? "role and " : "");
}

static void tabulate_changes(struct page *page, const struct talker_changes *changes,
			     const struct stream *before, const struct stream *after, double level)
{
	struct table *table = page_table(
		page,
		"Hosts and pairs whose payload changed most from %s to %s, by rate and by share.",
		before->label, after->label);
	const struct stream *const streams[] = {before, after};

	table_heads(table, change_fields);
	for (size_t i = 0; i < changes->host_count; i++)
		put_change_row(table, changes, &changes->hosts[i]);
	for (size_t i = 0; i < changes->pair_count; i++)
		put_change_row(table, changes, &changes->pairs[i]);
	table_note(table,
		   "all: what a host sends or receives, to and from all others. Mb/s of payload "
		   "over the whole trace, %% of all payload. Intervals at %g %%, for each row "
		   "alone and for dependent payload (flitline-intervals(7)), at least one packet "
		   "of each pair to either side; none where an input is too short. The sentence "
		   "above holds for all hosts and pairs jointly.",
		   level * 100);
	for (size_t i = 0; i < changes->pair_count; i++)
		note_presence(table, changes, &changes->pairs[i], streams);
	note_basis(table, changes);
}

void changes_build(const struct stream *before, const struct stream *after, double level,
		   struct page *page)
{
	struct talker_changes changes;
	struct tr_error ignored;

	if (talkers_compare(&before->talkers, &after->talkers, level, &changes, &ignored) !=
	    TR_OK) {
		page->failed = true;
		return;
	}
	lead_with_changes(page, &changes, before, after);
	if (changes.host_count + changes.pair_count > 0)
		tabulate_changes(page, &changes, before, after, level);
	talker_changes_clear(&changes);
}
