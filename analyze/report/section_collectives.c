// SPDX-License-Identifier: GPL-3.0-or-later
// Collective operations found in messages: which, and which nodes and links delay them.
#include <stdio.h>
#include <stdlib.h>

#include "report/drawing.h"
#include "report/section.h"
#include "value/number.h"

#define KINDS_DRAWN 4u // those that take most time
#define DELAYS_SAID 8u // in the summary, and of each what it costs the first KINDS_DRAWN

// The input whose figure is in the summary: the first, where nothing else is drawn there.
static const struct input *leading(const struct report *report)
{
	const struct input *input = report_first(report, INPUT_MESSAGES);

	return input && input->exchanges->kind_count > 0 && !report->compare &&
			       overview_of(report).count == 0 &&
			       !report_first(report, INPUT_DELIVERIES)
		       ? input
		       : NULL;
}

static bool is_same_delay(const struct exchange_delay *a, const struct exchange_delay *b)
{
	return b->all == 1 && a->nodes.src == b->nodes.src && a->nodes.dst == b->nodes.dst;
}

// Says of each node and link once what it costs the collectives; of no link if there are late
// nodes, after which what waited for them is sent at once.
static void say_delays(struct page *page, const struct input *input)
{
	const struct exchange_run *run = input->exchanges;
	char text[4000] = "", node[32], to[32];
	size_t said = 0;
	bool late = run->late_by_others > 0;

	for (size_t i = 0; i < run->delay_count; i++)
		late = late || run->delays[i].of.dst == EXCHANGE_NONE;
	for (size_t i = 0; i < run->delay_count; i++) {
		const struct exchange_delay *delay = &run->delays[i];
		const bool link = delay->of.dst != EXCHANGE_NONE;
		size_t before = 0, costs = 0;

		while (before < i && !is_same_delay(delay, &run->delays[before]))
			before++;
		if (before < i || delay->all > 1 || (link && late) || said++ >= DELAYS_SAID)
			continue;
		text_append(text, sizeof(text), "%s%s%s%s is %s, which alone costs",
			    *text ? "; " : "", exchange_label(run, delay->nodes.src, node),
			    link ? " to " : "",
			    link ? exchange_label(run, delay->nodes.dst, to) : "",
			    link ? "slow" : "late");
		for (size_t k = i; k < run->delay_count; k++) {
			const struct exchange_delay *other = &run->delays[k];

			if (is_same_delay(delay, other) && costs++ < KINDS_DRAWN)
				text_append(
					text, sizeof(text), "%s %s (%s) of collective %zu",
					k > i ? "," : "",
					number_percent(
						moments_mean(&other->cost) / other->mean_ticks, 3)
						.text,
					number_time(exchange_seconds(run, &other->cost).value, 3)
						.text,
					other->kind + 1);
		}
		if (costs > KINDS_DRAWN)
			text_append(text, sizeof(text), " and more of %zu others",
				    costs - KINDS_DRAWN);
	}
	if (said > DELAYS_SAID)
		text_append(text, sizeof(text), "; %zu more are in the tables", said - DELAYS_SAID);
	if (*text)
		page_answer(page, "%s: %s.", input->name, text);
}

static void say_kinds(struct page *page, const struct input *input)
{
	const struct exchange_run *run = input->exchanges;
	struct collective_length *lengths = collective_lengths(run, SIZE_MAX, run->kind_count);

	if (!lengths)
		page->failed = true;
	for (size_t i = 0; lengths && i < run->kind_count && i < KINDS_DRAWN; i++) {
		const struct exchange_kind *kind = &run->kinds[lengths[i].index];
		const struct exchange *first = kind->of[0];
		const struct moments times = exchange_times(kind);

		page_paragraph(page,
			       "Collective %zu of %s: %s operation%s by %s of %u nodes (%s), "
			       "%s%s.",
			       lengths[i].index + 1, input->name, number_count(kind->count).text,
			       kind->count == 1 ? "" : "s", first->algorithm, first->places,
			       first->operation,
			       number_time(exchange_seconds(run, &times).value, 4).text,
			       kind->count == 1 ? "" : " each");
	}
	if (run->kind_count > KINDS_DRAWN)
		page_paragraph(page, "%zu further collectives take less time.",
			       run->kind_count - KINDS_DRAWN);
	free(lengths);
}

// The order of the nodes, which the algorithm needs and the names may hide, and sizes.
static void say_order(struct page *page, const struct exchange_run *run, size_t kind)
{
	const struct exchange *first = run->kinds[kind].of[0];
	uint64_t least = UINT64_MAX, most = 0;
	char text[NODES_SHOWN * 34 + 200] = "", node[32];

	for (size_t m = 0; m < first->count; m++) {
		const uint64_t bytes = first->parts[m].of->size_bytes;

		least = bytes < least ? bytes : least;
		most = bytes > most ? bytes : most;
	}
	text_append(text, sizeof(text), "Collective %zu: messages of %s", kind + 1,
		    number_count(least).text);
	if (most > least)
		text_append(text, sizeof(text), " to %s", number_count(most).text);
	text_append(text, sizeof(text), " B, between the nodes in the order ");
	for (uint32_t p = 0; p < first->places && p < NODES_SHOWN; p++)
		text_append(text, sizeof(text), "%s%s", p > 0 ? ", " : "",
			    exchange_label(run, first->nodes[p], node));
	page_paragraph(page, "%s%s.", text, first->places > NODES_SHOWN ? " and so on" : "");
}

// Draws those that take most time, first the first of them, and the others with all orders.
static void show_kinds(struct page *page, const struct exchange_run *run, bool first, bool others)
{
	struct collective_length *lengths = collective_lengths(run, SIZE_MAX, run->kind_count);

	if (!lengths)
		page->failed = true;
	for (size_t i = 0; lengths && i < run->kind_count && i < KINDS_DRAWN; i++) {
		if (others)
			say_order(page, run, lengths[i].index);
		if (i == 0 ? first : others)
			collective_draw(page, run, lengths[i].index);
	}
	free(lengths);
}

void collectives_lead(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++)
		if (report->inputs[i].exchanges) {
			say_delays(page, &report->inputs[i]);
			say_kinds(page, &report->inputs[i]);
		}
	if (leading(report))
		show_kinds(page, leading(report)->exchanges, true, false);
}

void collectives_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];
		const struct exchange_run *run = input->exchanges;
		struct table *table;

		if (!run || run->kind_count == 0)
			continue;
		table = page_table(page, "Collective operations in %s.", input->name);
		exchange_tabulate_kinds(table, run);
		if (run->cut)
			table_note(table, "These are those of the first %s messages.",
				   number_count(run->count + run->left_out).text);
		if (run->delay_count > 0) {
			table = page_table(page, "Late nodes and slow links in %s.", input->name);
			exchange_tabulate_delays(table, run);
		} else {
			page_paragraph(page,
				       "In %s no node is later and no link slower than the others "
				       "by what can be told from chance and costs 1 %%.",
				       input->name);
		}
		show_kinds(page, run, leading(report) != input, true);
		if (run->doubts[EXCHANGE_FOUND] < run->count) {
			table = page_table(page, "Messages of %s of no collective operation.",
					   input->name);
			exchange_tabulate_doubts(table, run);
		}
	}
}
