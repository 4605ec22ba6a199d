// SPDX-License-Identifier: GPL-3.0-or-later
// What changed from one stream to another: hosts and pairs that vanished, appeared or moved most.
#include <math.h>

#include "report/drawing.h"
#include "report/section.h"
#include "stat/talkers.h"
#include "trace/number.h"

#define TOLD 2u // changes of each kind in the sentence

static void say_change(char *text, size_t bytes, const struct talker_changes *changes, const struct talker_change *change)
{
	const char *word = talker_change_word(change);
	char src[TEXT_LABEL_BYTES], dst[TEXT_LABEL_BYTES];

	text_append(text, bytes, "%s%s", *text ? "; " : "",
		    text_shorten(joint_nodes_label(&changes->nodes, change->src), 30, src));
	if (change->dst != TALKER_HOST)
		text_append(text, bytes, " → %s", text_shorten(joint_nodes_label(&changes->nodes, change->dst), 30, dst));
	text_append(text, bytes, " from %s to %s", number_percent(change->shares[0], 3).text,
		    number_percent(change->shares[1], 3).text);
	if (change->shares[0] == 0 || change->shares[1] == 0)
		text_append(text, bytes, " (%s)", word);
}

// Says those changes that their intervals confirm, or that need none.
static size_t say_changes(char *text, size_t bytes, const struct talker_changes *changes, const struct talker_change *list,
			  size_t count)
{
	size_t told = 0;

	for (size_t i = 0; i < count && told < TOLD; i++) {
		const char *word = talker_change_word(&list[i]);

		if (!word || *word == 's')
			continue;
		say_change(text, bytes, changes, &list[i]);
		told++;
	}
	return told;
}

static void lead_with_changes(struct page *page, const struct talker_changes *changes, const struct stream *before,
			      const struct stream *after)
{
	char text[1024] = "";
	size_t told = say_changes(text, sizeof(text), changes, changes->hosts, changes->host_count);

	told += say_changes(text, sizeof(text), changes, changes->pairs, changes->pair_count);
	if (told > 0)
		page_answer(page, "What changed from %s to %s, by share of the payload: %s.", before->label, after->label,
			    text);
	else
		page_answer(page, "From %s to %s no host and no pair of hosts changed its share of the payload for certain.",
			    before->label, after->label);
}

static void put_change_row(struct table *table, const struct talker_changes *changes, const struct talker_change *change)
{
	const double difference = 100 * (change->shares[1] - change->shares[0]);
	const double lo = 100 * change->difference.lo, hi = 100 * change->difference.hi;
	char label[TEXT_LABEL_BYTES];

	table_text(table, text_shorten(joint_nodes_label(&changes->nodes, change->src), 30, label));
	table_text(table, change->dst == TALKER_HOST
				  ? "all"
				  : text_shorten(joint_nodes_label(&changes->nodes, change->dst), 30, label));
	table_real(table, 100 * change->shares[0], 3);
	table_real(table, 100 * change->shares[1], 3);
	table_error(table, difference, lo, hi);
	table_error_range(table, lo, hi);
	table_text(table, talker_change_word(change));
}

static void note_basis(struct table *table, const struct talker_changes *changes)
{
	if (changes->basis != NODES_BY_NAME)
		table_note(table, "The two have no name of a node in common: nodes are matched by %sorder of traffic.",
			   changes->basis == NODES_BY_ROLE ? "role and " : "");
}

static void tabulate_changes(struct page *page, const struct talker_changes *changes, const struct stream *before,
			     const struct stream *after, double level)
{
	struct table *table = page_table(page, "Hosts and pairs whose share of the payload changed most from %s to %s, in %%.",
					 before->label, after->label);

	table_words(table, "source, or host");
	table_words(table, "destination");
	table_numbers(table, "before (%)");
	table_numbers(table, "after (%)");
	table_numbers(table, "difference");
	table_numbers(table, "interval");
	table_words(table, "change");
	for (size_t i = 0; i < changes->host_count; i++)
		put_change_row(table, changes, &changes->hosts[i]);
	for (size_t i = 0; i < changes->pair_count; i++)
		put_change_row(table, changes, &changes->pairs[i]);
	table_note(
		table,
		"all: what a host sends or receives, to and from all others. Intervals at %g %%, of each row by itself, for payload that depends on that before (flitline-intervals(7)); none where an input is too short.",
		level * 100);
	note_basis(table, changes);
}

void changes_build(const struct stream *before, const struct stream *after, double level, struct page *page)
{
	struct talker_changes changes;
	struct tr_error ignored;

	if (talkers_compare(&before->talkers, &after->talkers, level, &changes, &ignored) != TR_OK) {
		page->failed = true;
		return;
	}
	lead_with_changes(page, &changes, before, after);
	if (changes.host_count + changes.pair_count > 0)
		tabulate_changes(page, &changes, before, after, level);
	talker_changes_clear(&changes);
}
