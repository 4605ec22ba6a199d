// SPDX-License-Identifier: GPL-3.0-or-later
// What is counted while packets arrive: a line every so often, or metrics.
#include "flitcount.h"

#include <stdio.h>

#include "stream/ib.h"
#include "value/ticks.h"

#define LINE_DIGITS 7

// ---- lines

static const struct matrix_cell *largest_pair(const struct matrix *pairs)
{
	const struct matrix_cell *largest = NULL;

	for (size_t i = 0; i < pairs->pairs; i++)
		if (!largest || pairs->cells[i].size_bytes > largest->size_bytes)
			largest = &pairs->cells[i];
	return largest;
}

static void add_largest_pair(struct table *table, const struct count_live *live, double seconds)
{
	const struct matrix_cell *pair = largest_pair(&live->pairs);
	const struct tr_names *names = tr_reader_names(live->in);
	char name[2 * TR_NAME_TEXT_MAX + 2];

	if (!pair) {
		table_none(table);
		table_none(table);
		return;
	}
	(void)snprintf(name, sizeof(name), "%s>%s", tr_names_node(names, pair->src),
		       tr_names_node(names, pair->dst));
	table_real(table, 8 * (double)pair->size_bytes / seconds, LINE_DIGITS);
	table_text(table, name);
}

// The interval from live->begin_ticks to end_ticks.
static enum tr_status print_interval(struct count_live *live, int64_t end_ticks,
				     struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(live->in);
	const double seconds = tr_ticks_seconds(end_ticks - live->begin_ticks, header->ticks_per_s);
	struct table *table = table_new("every", "Packets and rates of each interval");
	const struct count_totals *now = &live->totals, *then = &live->before;
	FILE *out = tool_stdout(live->tool);
	enum tr_status status;
	char time_s[64];

	table_columns(table, "time_s interval_s packets wire_b_s payload_b_s marked notifications "
			     "pauses pair_wire_b_s");
	table_words(table, "largest_pair");
	table_decimal(table, live_reports_time_text(header, end_ticks, time_s, sizeof(time_s)));
	table_real(table, seconds, 10);
	table_count(table, now->packets - then->packets);
	table_real(table, 8 * (double)(now->wire_bytes - then->wire_bytes) / seconds, LINE_DIGITS);
	table_real(table, 8 * (double)(now->payload_bytes - then->payload_bytes) / seconds,
		   LINE_DIGITS);
	table_count(table, now->marked - then->marked);
	table_count(table, now->notifications - then->notifications);
	table_count(table, now->pause_frames - then->pause_frames);
	add_largest_pair(table, live, seconds);
	status = table_print_lines(table, !live->headed, live->style, out, err);
	table_free(table);
	live->headed = true;
	if (status == TR_OK && fflush(out) != 0)
		return TR_END; // the tool reports it
	return status;
}

// A live_report of what came between the one before and due_ticks. Of metrics only the newest is of
// use.
static enum tr_status report_interval(void *context, int64_t due_ticks, int64_t now_ticks,
				      struct tr_error *err)
{
	struct count_live *live = context;
	enum tr_status status;

	if (live->metrics && now_ticks - due_ticks >= live->reports.grid.width_ticks)
		return TR_OK;
	if (live->metrics)
		return count_metrics_write(live, due_ticks);
	status = print_interval(live, due_ticks, err);
	live->before = live->totals;
	live->begin_ticks = due_ticks;
	matrix_clear(&live->pairs);
	return status;
}

// ---- packets

// A frame asks for a pause, or for its end; it is no packet, and there is no line before the first.
static enum tr_status count_pause(struct count_live *live, const struct tr_packet *pause,
				  uint32_t quanta, struct tr_error *err)
{
	const unsigned classes = pause->opcode ? pause->opcode : 1u << (COUNT_CLASSES - 1);
	struct count_totals *totals = &live->totals;

	if (totals->packets > 0 && pause->time_ticks >= live->reports.due_ticks &&
	    live_reports_packet(&live->reports, pause->time_ticks, report_interval, live, err) !=
		    TR_OK)
		return TR_ERROR;
	if (totals->packets > 0)
		live->last_ticks = pause->time_ticks;
	totals->pause_frames += pause->wire_bytes > 0; // of the first of a frame's records
	for (unsigned i = 0; i < COUNT_CLASSES; i++)
		if (classes >> i & 1)
			(quanta ? totals->pauses : totals->pause_ends)[i]++;
	return TR_OK;
}

static enum tr_status count_packet(struct count_live *live, const struct tr_packet *packet,
				   struct tr_error *err)
{
	struct count_totals *totals = &live->totals;
	enum tr_status status = TR_OK;

	if (packet->time_ticks >= live->reports.due_ticks)
		status = live_reports_packet(&live->reports, packet->time_ticks, report_interval,
					     live, err);
	if (status != TR_OK)
		return status;
	if (totals->packets == 0)
		live->begin_ticks = packet->time_ticks;
	live->last_ticks = packet->time_ticks;
	totals->packets++;
	totals->wire_bytes += packet->wire_bytes;
	totals->payload_bytes += packet->payload_bytes;
	totals->markable += (packet->flags & TR_FLAG_MARKABLE) != 0;
	totals->marked += (packet->flags & TR_FLAG_MARKED) != 0;
	totals->notifications += packet->opcode == TR_IB_CNP;
	if (live->metrics)
		return count_rates_add(&live->rates, packet->time_ticks, packet->wire_bytes, err);
	if (matrix_reserve(&live->pairs, err) != TR_OK)
		return TR_ERROR;
	matrix_add(&live->pairs, packet->src, packet->dst, 1, packet->wire_bytes);
	return TR_OK;
}

static enum tr_status count_packets(struct count_live *live, struct tr_error *err)
{
	const bool deliveries = tr_reader_header(live->in)->kind == TR_DELIVERY;
	const bool has_pauses = tr_reader_pauses(live->in)->any;
	const struct tr_names *names = tr_reader_names(live->in);
	const size_t stride = tr_reader_stride(live->in);
	enum tr_status status = TR_OK;
	const void *records;
	const char *at;
	size_t count;

	if (tr_next_block(live->in, &records, &count) != TR_OK)
		return TR_OK;
	at = records;
	for (; count > 0 && status == TR_OK; count--, at += stride) {
		const struct tr_delivery *record = (const void *)at;
		const struct tr_flow *pause = has_pauses
						      ? tr_names_pause(names, record->packet.flow)
						      : NULL;

		if (pause)
			status = count_pause(live, &record->packet, pause->dst_port, err);
		else if (!deliveries || record->status == TR_DELIVERED)
			status = count_packet(live, &record->packet, err);
	}
	return status;
}

// The trace is complete up to time_ticks.
static enum tr_status pass_time(struct count_live *live, int64_t time_ticks, struct tr_error *err)
{
	if (time_ticks == INT64_MIN || live->totals.packets == 0)
		return TR_OK;
	if (live->metrics && count_rates_pass(&live->rates, time_ticks, err) != TR_OK)
		return TR_ERROR;
	if (time_ticks > live->last_ticks)
		live->last_ticks = time_ticks;
	return live_reports_time(&live->reports, time_ticks, report_interval, live, err);
}

static enum tr_status finish_live(struct count_live *live, struct tr_error *err)
{
	if (live->metrics)
		return count_metrics_write(live, live->last_ticks);
	if (live->totals.packets == live->before.packets &&
	    live->totals.pause_frames == live->before.pause_frames &&
	    live->last_ticks == live->begin_ticks)
		return TR_OK;
	return print_interval(live, live->last_ticks, err);
}

enum tr_status count_live_stream(struct count_live *live, struct tr_reader *in,
				 struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	enum tr_status status;
	size_t ready;

	if (header->unsorted)
		return tr_fail(err, "is not in time order: sort it with flitcat --sort");
	live->in = in;
	tr_reader_pauses(in)->keep = true;
	if (live_reports_open(&live->reports, live->every, header, err) != TR_OK ||
	    (live->metrics && count_rates_open(&live->rates, header, err) != TR_OK))
		return TR_ERROR;
	status = TR_OK;
	while (status == TR_OK && tr_advance(in, &ready) == TR_OK) {
		if (ready > 0)
			status = count_packets(live, err);
		if (status == TR_OK)
			status = pass_time(live, tr_reader_time(in), err);
	}
	if (status == TR_OK && (!*tr_reader_error(in) || tool_keep_going(live->tool)))
		status = finish_live(live, err);
	matrix_clear(&live->pairs);
	return status;
}
