// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/bursts/congestion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/grow.h"
#include "value/order.h"
#include "value/ticks.h"

#define QUANTUM_BITS 512u

// ---- marks

static bool congestion_is_of(const struct congestion_marks *marks, const struct tr_packet *packet)
{
	return marks->flow == packet->flow && marks->src == packet->src &&
	       marks->dst == packet->dst;
}

// NULL if out of memory.
static struct congestion_marks *congestion_marks_of(struct congestion *c,
						    const struct tr_packet *packet)
{
	const uint64_t key[] = {(uint64_t)packet->src << 32 | packet->dst, packet->flow};
	uint32_t *last = &c->marks_last[(packet->flow + packet->src) % 256], at, place;
	uint64_t value;

	if (*last < c->mark_count && congestion_is_of(&c->marks[*last], packet))
		return &c->marks[*last];
	if (!tr_hash_reserve(&c->marks_index))
		return NULL;
	value = tr_hash_words(&c->marks_index, key, 2);
	at = tr_hash_first(value);
	while ((place = tr_hash_next(&c->marks_index, value, &at)) != TR_HASH_NONE)
		if (congestion_is_of(&c->marks[place], packet))
			return &c->marks[*last = place];
	if (!GROW(c->marks, c->mark_capacity, c->mark_count))
		return NULL;
	*last = c->mark_count;
	tr_hash_add(&c->marks_index, value, c->mark_count);
	c->marks[c->mark_count] = (struct congestion_marks){
		.src = packet->src, .dst = packet->dst, .flow = packet->flow};
	return &c->marks[c->mark_count++];
}

enum tr_status congestion_add_mark(struct congestion *c, const struct tr_packet *packet,
				   struct tr_error *err)
{
	struct congestion_marks *marks = congestion_marks_of(c, packet);

	if (!c->recent)
		c->recent = malloc(CONGESTION_RECENT * sizeof(*c->recent));
	if (!marks || !c->recent)
		return tr_no_memory(err, "marks by flow");
	marks->markable += (packet->flags & TR_FLAG_MARKABLE) != 0;
	marks->notifications += packet->opcode == TR_IB_CNP;
	if (!(packet->flags & TR_FLAG_MARKED))
		return TR_OK;
	marks->marked++;
	c->last_flow = packet->flow;
	c->recent[c->recent_end++ % CONGESTION_RECENT] = packet->time_ticks;
	if (c->recent_end - c->recent_first > CONGESTION_RECENT)
		c->recent_first++;
	return TR_OK;
}

// ---- pauses

// What the stream says of the link; 0 also if it says two things.
static uint64_t congestion_rate_of(const struct tr_names *names, uint32_t link)
{
	uint64_t rate_bps = 0;
	char prefix[64];
	size_t bytes;

	bytes = (size_t)snprintf(prefix, sizeof(prefix), TR_LINK_RATE "%u.", link);
	for (uint32_t i = 0; i < names->counter_count; i++) {
		const char *key = names->counters[i].key;

		if (strncmp(key, prefix, bytes) != 0)
			continue;
		if (rate_bps)
			return 0;
		for (const char *digit = key + bytes; *digit >= '0' && *digit <= '9'; digit++)
			rate_bps = rate_bps * 10 + (uint64_t)(*digit - '0');
	}
	return rate_bps;
}

static struct congestion_pauses *pauses_of(struct congestion *c, const struct tr_names *names,
					   uint32_t link, uint32_t asker, unsigned class)
{
	for (size_t i = 0; i < c->pauses_count; i++)
		if (c->pauses[i].link == link && c->pauses[i].asker == asker &&
		    c->pauses[i].class == class)
			return &c->pauses[i];
	if (!GROW(c->pauses, c->pauses_capacity, c->pauses_count))
		return NULL;
	c->pauses[c->pauses_count] = (struct congestion_pauses){
		.link = link,
		.asker = asker,
		.class = (uint8_t) class,
		.rate_bps = congestion_rate_of(names, link)};
	return &c->pauses[c->pauses_count++];
}

static void end_pause(struct congestion *c, struct congestion_pauses *of, int64_t ticks,
		      const char *how)
{
	of->on = false;
	of->paused_ticks += (uint64_t)(ticks - of->begun_ticks);
	if (of->span < CONGESTION_SPANS) {
		c->spans[of->span].end_ticks = ticks;
		c->spans[of->span].how = how;
	}
}

static void begin_pause(struct congestion *c, struct congestion_pauses *of, int64_t ticks)
{
	while (c->recent_first < c->recent_end && c->recent[c->recent_first % CONGESTION_RECENT] <
							  ticks - (int64_t)(c->ticks_per_s / 1000))
		c->recent_first++;
	of->on = true;
	of->pauses++;
	of->begun_ticks = ticks;
	of->span = c->span_count++;
	if (of->span < CONGESTION_SPANS)
		c->spans[of->span] = (struct congestion_span){
			.of = (size_t)(of - c->pauses),
			.begin_ticks = ticks,
			.marked = c->recent_end - c->recent_first,
			.last_flow = c->last_flow,
		};
}

static int64_t run_out(const struct congestion *c, const struct congestion_pauses *of,
		       int64_t ticks, uint32_t quanta)
{
	const unsigned __int128 length = of->rate_bps ? (unsigned __int128)quanta * QUANTUM_BITS *
								c->ticks_per_s / of->rate_bps
						      : (unsigned __int128)INT64_MAX;

	return length >= (unsigned __int128)(INT64_MAX - (ticks > 0 ? ticks : 0))
		       ? INT64_MAX
		       : ticks + (int64_t)length;
}

static void congestion_ask(struct congestion *c, struct congestion_pauses *of, int64_t ticks,
			   uint32_t quanta)
{
	if (of->on && of->until_ticks <= ticks)
		end_pause(c, of, of->until_ticks, "ran out");
	if (!quanta) {
		of->idle_ends += !of->on;
		of->ends += of->on;
		of->ended_ticks += of->on ? (uint64_t)(ticks - of->begun_ticks) : 0;
		if (of->on)
			end_pause(c, of, ticks, "ended");
		return;
	}
	if (of->on)
		of->renewals++;
	else
		begin_pause(c, of, ticks);
	of->until_ticks = run_out(c, of, ticks, quanta);
	of->quanta_max = quanta > of->quanta_max ? quanta : of->quanta_max;
}

enum tr_status congestion_add_pause(struct congestion *c, const struct tr_names *names,
				    const struct tr_packet *pause, struct tr_error *err)
{
	const struct tr_flow *flow = tr_names_pause(names, pause->flow);
	const unsigned classes = pause->opcode ? pause->opcode : 1u << CONGESTION_LINK;

	if (!c->spans)
		c->spans = malloc(CONGESTION_SPANS * sizeof(*c->spans));
	for (unsigned i = 0; i <= CONGESTION_LINK; i++) {
		struct congestion_pauses *of;

		if (!(classes >> i & 1))
			continue;
		of = pauses_of(c, names, flow->src_port, pause->src, i);
		if (!of || !c->spans)
			return tr_no_memory(err, "pauses of links");
		congestion_ask(c, of, pause->time_ticks, flow->dst_port);
	}
	return TR_OK;
}

// Without the rate a pause that no frame ended has no known length.
void congestion_finish(struct congestion *c, int64_t last_ticks)
{
	for (size_t i = 0; i < c->pauses_count; i++) {
		struct congestion_pauses *of = &c->pauses[i];

		if (of->on && of->until_ticks <= last_ticks)
			end_pause(c, of, of->until_ticks, "ran out");
		else if (of->on && of->rate_bps)
			end_pause(c, of, last_ticks, "end of the trace");
		else if (of->on && of->span < CONGESTION_SPANS)
			c->spans[of->span].end_ticks = -1;
	}
}

bool congestion_any(const struct congestion *c)
{
	return c->recent || c->spans;
}

void congestion_close(struct congestion *c)
{
	free(c->marks);
	tr_hash_clear(&c->marks_index);
	free(c->pauses);
	free(c->spans);
	free(c->recent);
	*c = (struct congestion){.ticks_per_s = 0};
}

// ---- tables

enum marks_by { BY_SENDER, BY_RECEIVER, BY_PAIR, BY_FLOW };

struct marks_row {
	enum marks_by by;
	struct congestion_marks sum;
};

static int compare_marks(const void *left, const void *right)
{
	const struct marks_row *a = left, *b = right;

	ORDER_BY(a->by, b->by);
	ORDER_BY(a->sum.src, b->sum.src);
	ORDER_BY(a->sum.dst, b->sum.dst);
	return ORDER(a->sum.flow, b->sum.flow);
}

// Rows for everything that marks count for; a flow that was only markable has none of its own.
// Sorted, and rows of equal keys are one. rows: four for each of the marks.
static size_t sum_marks(const struct congestion *c, struct marks_row *rows)
{
	size_t count = 0, kept = 0;

	for (uint32_t i = 0; i < c->mark_count; i++) {
		const struct congestion_marks *of = &c->marks[i];

		for (enum marks_by by = BY_SENDER; by <= BY_FLOW; by++) {
			struct congestion_marks sum = *of;

			if (by == BY_FLOW &&
			    (of->flow == TR_FLOW_NONE || !(of->marked || of->notifications)))
				continue;
			sum.src = by == BY_RECEIVER ? 0 : of->src;
			sum.dst = by == BY_SENDER ? 0 : of->dst;
			sum.flow = by == BY_FLOW ? of->flow : 0;
			rows[count++] = (struct marks_row){by, sum};
		}
	}
	if (count)
		qsort(rows, count, sizeof(*rows), compare_marks);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || compare_marks(&rows[kept - 1], &rows[i]) != 0) {
			rows[kept++] = rows[i];
			continue;
		}
		rows[kept - 1].sum.markable += rows[i].sum.markable;
		rows[kept - 1].sum.marked += rows[i].sum.marked;
		rows[kept - 1].sum.notifications += rows[i].sum.notifications;
	}
	return kept;
}

static void tabulate_marks_row(struct table *table, const struct marks_row *row,
			       const struct tr_names *names)
{
	static const char *const words[] = {"sender", "receiver", "pair", "flow"};
	const struct congestion_marks *sum = &row->sum;
	const struct tr_flow *flow = row->by == BY_FLOW ? tr_names_flow(names, sum->flow) : NULL;
	const bool ib = flow && flow->protocol == TR_PROTOCOL_IB;

	table_text(table, ib ? "queue pair" : words[row->by]);
	table_text(table, row->by == BY_RECEIVER ? NULL : tr_names_node(names, sum->src));
	table_text(table, row->by == BY_SENDER ? NULL : tr_names_node(names, sum->dst));
	if (flow)
		table_count(table, flow->dst_port);
	else
		table_none(table);
	table_count(table, sum->markable);
	table_count(table, sum->marked);
	table_real(table, 100 * (double)sum->marked / (double)sum->markable, 4); // of 0: none
	table_count(table, sum->notifications);
}

void congestion_tabulate_marks(struct table *table, const struct congestion *c,
			       const struct tr_names *names)
{
	struct marks_row *rows = malloc(((size_t)4 * c->mark_count + 1) * sizeof(*rows));
	const size_t count = rows ? sum_marks(c, rows) : 0;

	table_words(table, "by");
	table_words(table, "src");
	table_words(table, "dst");
	table_columns(table, "dst_port markable marked marked_percent notifications");
	if (!rows)
		table_fail(table);
	for (size_t i = 0; i < count; i++)
		tabulate_marks_row(table, &rows[i], names);
	free(rows);
}

static void put_pauses_of(struct table *table, const struct congestion_pauses *of,
			  const struct tr_names *names)
{
	char link[32];

	(void)snprintf(link, sizeof(link), "%u.%u", of->link >> 16, of->link & 0xffff);
	table_text(table, link);
	table_text(table, tr_names_node(names, of->asker));
	if (of->class == CONGESTION_LINK)
		table_text(table, "all");
	else
		table_count(table, of->class);
}

void congestion_tabulate_pauses(struct table *table, const struct congestion *c,
				const struct tr_names *names)
{
	bool unknown = false;

	table_words(table, "link");
	table_words(table, "asker");
	table_columns(table, "priority pauses renewals ends idle_ends quanta_max rate_b_s paused_s "
			     "ended_after_s");
	for (size_t i = 0; i < c->pauses_count; i++) {
		const struct congestion_pauses *of = &c->pauses[i];

		put_pauses_of(table, of, names);
		table_count(table, of->pauses);
		table_count(table, of->renewals);
		table_count(table, of->ends);
		table_count(table, of->idle_ends);
		table_count(table, of->quanta_max);
		if (of->rate_bps) {
			table_count(table, of->rate_bps);
			table_seconds(table, (int64_t)of->paused_ticks, c->ticks_per_s);
		} else {
			table_none(table);
			table_none(table);
		}
		table_real(table,
			   (double)of->ended_ticks / (double)of->ends / (double)c->ticks_per_s, 7);
		unknown |= !of->rate_bps;
	}
	if (unknown)
		table_note(table, "paused_s needs the rate of the link: flitcap --link-rate");
}

void congestion_tabulate_spans(struct table *table, const struct congestion *c,
			       const struct tr_names *names)
{
	const size_t shown = c->span_count < CONGESTION_SPANS ? c->span_count : CONGESTION_SPANS;

	table_columns(table, "time_s");
	table_words(table, "link");
	table_words(table, "asker");
	table_columns(table, "priority lasted_s");
	table_words(table, "end");
	table_columns(table, "marked_before");
	table_words(table, "last_marked");
	for (size_t i = 0; i < shown; i++) {
		const struct congestion_span *span = &c->spans[i];
		const struct tr_flow *flow = span->marked && span->last_flow != TR_FLOW_NONE
						     ? tr_names_flow(names, span->last_flow)
						     : NULL;
		char text[2 * TR_NAME_TEXT_MAX + 32];

		table_seconds(table, span->begin_ticks, c->ticks_per_s);
		put_pauses_of(table, &c->pauses[span->of], names);
		if (span->how)
			table_seconds(table, span->end_ticks - span->begin_ticks, c->ticks_per_s);
		else
			table_none(table);
		table_text(table, span->how);
		table_count(table, span->marked);
		if (flow)
			(void)snprintf(text, sizeof(text), "%s>%s %u",
				       tr_names_node(names, flow->src),
				       tr_names_node(names, flow->dst), flow->dst_port);
		table_text(table, flow ? text : NULL);
	}
	if (shown < c->span_count)
		table_note(table, "%zu later pauses are not shown", c->span_count - shown);
}
