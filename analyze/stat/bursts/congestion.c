// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/bursts/congestion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/grow.h"
#include "value/ticks.h"

#define QUANTUM_BITS 512u

// ---- marks

static struct congestion_flow *congestion_flow_at(struct congestion *c, uint32_t flow)
{
	const size_t wanted = flow < 64 ? 64 : (size_t)flow * 2;
	struct congestion_flow *larger;

	if (flow == TR_FLOW_NONE)
		return &c->other;
	if (flow < c->flow_count)
		return &c->flows[flow];
	larger = realloc(c->flows, wanted * sizeof(*larger));
	if (!larger)
		return NULL;
	memset(larger + c->flow_count, 0, (wanted - c->flow_count) * sizeof(*larger));
	c->flows = larger;
	c->flow_count = wanted;
	return &larger[flow];
}

enum tr_status congestion_add_mark(struct congestion *c, const struct tr_packet *packet,
				   struct tr_error *err)
{
	struct congestion_flow *flow = congestion_flow_at(c, packet->flow);

	if (!c->recent)
		c->recent = malloc(CONGESTION_RECENT * sizeof(*c->recent));
	if (!flow || !c->recent)
		return tr_no_memory(err, "marks by flow");
	flow->markable += (packet->flags & TR_FLAG_MARKABLE) != 0;
	flow->notifications += packet->opcode == TR_IB_CNP;
	if (!(packet->flags & TR_FLAG_MARKED))
		return TR_OK;
	flow->marked++;
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
	free(c->flows);
	free(c->pauses);
	free(c->spans);
	free(c->recent);
	*c = (struct congestion){.ticks_per_s = 0};
}

// ---- tables

enum marks_by { BY_SENDER, BY_RECEIVER, BY_PAIR, BY_FLOW };

struct marks_row {
	enum marks_by by;
	uint32_t src, dst, flow;
	struct congestion_flow sum;
};

static int compare_marks(const void *left, const void *right)
{
	const struct marks_row *a = left, *b = right;

	if (a->by != b->by)
		return a->by < b->by ? -1 : 1;
	if (a->src != b->src)
		return a->src < b->src ? -1 : 1;
	if (a->dst != b->dst)
		return a->dst < b->dst ? -1 : 1;
	return (a->flow > b->flow) - (a->flow < b->flow);
}

static bool congestion_flow_any(const struct congestion_flow *flow)
{
	return flow->markable || flow->marked || flow->notifications;
}

// Rows of each flow under everything that it counts for; a flow that was only markable has none of
// its own. Sorted, and rows of equal keys are one.
static size_t sum_marks(const struct congestion *c, const struct tr_names *names,
			struct marks_row *rows)
{
	size_t count = 0, kept = 0;

	for (uint32_t i = 0; i < c->flow_count && i < names->flow_count; i++) {
		const struct congestion_flow *sum = &c->flows[i];
		const struct tr_flow *flow = tr_names_flow(names, i);

		if (!congestion_flow_any(sum))
			continue;
		rows[count++] = (struct marks_row){BY_SENDER, flow->src, 0, 0, *sum};
		rows[count++] = (struct marks_row){BY_RECEIVER, 0, flow->dst, 0, *sum};
		rows[count++] = (struct marks_row){BY_PAIR, flow->src, flow->dst, 0, *sum};
		if (sum->marked || sum->notifications)
			rows[count++] = (struct marks_row){BY_FLOW, flow->src, flow->dst, i, *sum};
	}
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
	const struct tr_flow *flow = row->by == BY_FLOW ? tr_names_flow(names, row->flow) : NULL;
	const bool ib = flow && flow->protocol == TR_PROTOCOL_IB;
	const struct congestion_flow *sum = &row->sum;

	table_text(table, ib ? "queue pair" : words[row->by]);
	table_text(table, row->by == BY_RECEIVER ? NULL : tr_names_node(names, row->src));
	table_text(table, row->by == BY_SENDER ? NULL : tr_names_node(names, row->dst));
	if (flow)
		table_count(table, flow->dst_port);
	else
		table_none(table);
	table_count(table, sum->markable);
	table_count(table, sum->marked);
	if (sum->markable)
		table_real(table, 100 * (double)sum->marked / (double)sum->markable, 4);
	else
		table_none(table);
	table_count(table, sum->notifications);
}

void congestion_tabulate_marks(struct table *table, const struct congestion *c,
			       const struct tr_names *names)
{
	const struct congestion_flow *other = &c->other;
	struct marks_row *rows;
	size_t count = 0;

	table_words(table, "by");
	table_words(table, "src");
	table_words(table, "dst");
	table_columns(table, "dst_port markable marked marked_percent notifications");
	for (size_t i = 0; i < c->flow_count; i++)
		count += congestion_flow_any(&c->flows[i]);
	rows = malloc((4 * count + 1) * sizeof(*rows));
	if (!rows) {
		table_fail(table);
		return;
	}
	count = sum_marks(c, names, rows);
	for (size_t i = 0; i < count; i++)
		tabulate_marks_row(table, &rows[i], names);
	if (congestion_flow_any(other))
		table_note(table, "without a flow: %llu markable, %llu marked, %llu notifications",
			   (unsigned long long)other->markable, (unsigned long long)other->marked,
			   (unsigned long long)other->notifications);
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
		if (of->ends)
			table_real(table,
				   (double)of->ended_ticks / (double)of->ends /
					   (double)c->ticks_per_s,
				   7);
		else
			table_none(table);
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
