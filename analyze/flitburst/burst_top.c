// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitburst.h"

#include <stdlib.h>
#include <string.h>

#include "stream/ib.h"
#include "stream/words.h"
#include "value/grow.h"
#include "value/ticks.h"

#define WIDTH ((struct num_ratio){1, 1000}) // 1 ms

void burst_top_check(struct tool *tool)
{
	static const char *const others[] = {"burst-gap", "by",	     "finest",	 "gaps",
					     "lags",	  "origin",  "set-role", "level",
					     "memory",	  "partial", "every",	 "points"};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (tool_option_given(tool, others[i]))
			tool_error(tool, "--%s has no effect on --top", others[i]);
	if (tool_operand_count(tool) > 1)
		tool_error(tool, "--top needs one trace: join several with flitcat");
}

enum tr_status burst_top_open(struct burst_top *top, const struct burst_options *o,
			      const struct tr_header *header, struct tr_error *err)
{
	struct num_ratio width = WIDTH;

	if (o->widths.count > 1 || (o->widths.count > 0 && strchr(o->widths.words[0], ',')))
		return tr_fail(err, "--top takes one width");
	if (o->widths.count > 0 && num_parse(o->widths.words[0], NUM_TIME, &width, err) != TR_OK)
		return TR_ERROR;
	if (width.num <= 0)
		return tr_fail(err, "a width must be above 0");
	if (tr_ticks_exact(width, header->ticks_per_s, &top->width_ticks, err) != TR_OK)
		return TR_ERROR;
	top->bursts = microbursts_new(top->width_ticks, o->top);
	return top->bursts ? TR_OK
			   : tr_no_memory(err, "%llu microbursts", (unsigned long long)o->top);
}

enum tr_status burst_top_sign(struct burst_top *top, enum burst_sign sign, int64_t time_ticks,
			      struct tr_error *err)
{
	struct burst_signs *signs = &top->signs[sign];

	if (!GROW(signs->times, signs->capacity, signs->count))
		return tr_no_memory(err, "%zu signs of congestion", signs->count);
	signs->times[signs->count++] = time_ticks;
	return TR_OK;
}

// How many there are before a time.
static size_t signs_before(const struct burst_signs *signs, int64_t time_ticks)
{
	size_t low = 0, high = signs->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (signs->times[middle] < time_ticks)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Notifications and pauses come after what caused them.
static size_t signs_within(const struct burst_top *top, const struct microburst *burst, int sign)
{
	const int64_t after_ticks = sign == BURST_MARKED ? 0 : top->width_ticks;
	int64_t end_ticks;

	if (__builtin_add_overflow(burst->end_ticks, after_ticks + 1, &end_ticks))
		end_ticks = INT64_MAX;
	return signs_before(&top->signs[sign], end_ticks) -
	       signs_before(&top->signs[sign], burst->begin_ticks);
}

enum tr_status burst_top_add(struct burst_top *top, const struct tr_packet *packet,
			     uint32_t size_bytes, struct tr_error *err)
{
	if (top->packets == 0)
		top->first_ticks = packet->time_ticks;
	top->last_ticks = packet->time_ticks;
	top->packets++;
	top->size_bytes += size_bytes;
	if (packet->flags & TR_FLAG_MARKED &&
	    burst_top_sign(top, BURST_MARKED, packet->time_ticks, err) != TR_OK)
		return TR_ERROR;
	if (packet->opcode == TR_IB_CNP &&
	    burst_top_sign(top, BURST_NOTIFICATION, packet->time_ticks, err) != TR_OK)
		return TR_ERROR;
	return microbursts_add(top->bursts, packet->time_ticks, size_bytes, packet->src,
			       packet->dst, err) == TR_OK
		       ? TR_OK
		       : TR_ERROR;
}

enum tr_status burst_top_print(struct burst_top *top, const struct burst_options *o,
			       const struct tr_reader *in, FILE *out, struct tr_error *err)
{
	const bool wire = o->size == TR_SIZE_WIRE;
	const struct tr_header *header = tr_reader_header(in);
	const uint64_t ticks_per_s = header->ticks_per_s;
	const double width_s = tr_ticks_seconds(top->width_ticks, ticks_per_s);
	const double length_s = tr_ticks_seconds(top->last_ticks - top->first_ticks, ticks_per_s);
	const double mean = 8 * (double)top->size_bytes / length_s;
	struct table *table = table_new("microbursts", "Largest microbursts");
	const struct microburst *list;
	char pairs[MICROBURST_TEXT], utc[48];
	enum tr_status status;
	bool signs = false;
	size_t count;

	table_columns(table, "time_s begin length_s packets");
	table_column(table, wire ? "wire_B" : "payload_B");
	for (int k = 0; k < BURST_SIGNS; k++)
		signs |= top->signs[k].count > 0;
	if (signs)
		table_columns(table, "marked notifications pauses");
	table_columns(table, "rate_b_s of_mean pairs");
	status = microbursts_finish(top->bursts, &list, &count, err);
	for (size_t i = 0; i < count && status == TR_OK; i++) {
		const double rate = 8 * (double)list[i].largest_bytes / width_s;

		table_seconds(table, list[i].begin_ticks, ticks_per_s);
		table_text(table, header->origin_s == 0
					  ? NULL
					  : tr_ticks_utc(list[i].begin_ticks, ticks_per_s,
							 header->origin_s, header->origin_ns, utc,
							 sizeof(utc)));
		table_seconds(table, list[i].end_ticks - list[i].begin_ticks, ticks_per_s);
		table_count(table, list[i].packets);
		table_count(table, list[i].size_bytes);
		for (int k = 0; signs && k < BURST_SIGNS; k++)
			table_count(table, signs_within(top, &list[i], k));
		table_real(table, rate, 6);
		table_real(table, rate / mean, 4);
		table_text(table, microburst_say_pairs(&list[i], tr_reader_names(in), pairs));
	}
	table_note(
		table,
		"bursts by their largest window of %g s; a burst lasts while windows have at least "
		"half of its bytes; time: of the first packet, from the trace's origin; begin: the "
		"same in UTC, if the origin has a date; rate: of the %s in the largest window; "
		"of_mean: times the mean rate of the trace; pairs: in the largest window",
		width_s, wire ? "frames" : "payload");
	if (status == TR_OK)
		status = tables_print(&table, 1, o->style, "flitburst", out, err);
	table_free(table);
	return status;
}

void burst_top_close(struct burst_top *top)
{
	microbursts_free(top->bursts);
	for (int k = 0; k < BURST_SIGNS; k++)
		free(top->signs[k].times);
	*top = (struct burst_top){.bursts = NULL};
}
