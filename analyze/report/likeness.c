// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report.h"

#include <math.h>
#include <stdlib.h>

enum tr_status likeness_new(struct likeness **out, const struct tr_header *header,
			    struct tr_error *err)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return tr_no_memory(err, "a comparison");
	(*out)->packets = (struct packet_sample){.ticks_per_s = (double)header->ticks_per_s,
						 .most = LIKENESS_PACKETS};
	(*out)->score = NAN;
	return TR_OK;
}

static void forget(struct likeness *likeness)
{
	double ticks_per_s = likeness->packets.ticks_per_s;

	packet_sample_clear(&likeness->packets);
	likeness->packets.ticks_per_s = ticks_per_s;
}

enum tr_status likeness_add(struct likeness *likeness, const void *records, size_t stride_bytes,
			    size_t count, struct tr_error *err)
{
	const char *at = records;

	for (size_t i = 0; i < count && !likeness->too_many; i++, at += stride_bytes) {
		if (likeness->packets.count == LIKENESS_PACKETS) {
			forget(likeness);
			likeness->too_many = true;
		} else if (packet_sample_add(&likeness->packets, (const void *)at, err) != TR_OK) {
			return TR_ERROR;
		}
	}
	return TR_OK;
}

// The distances between the halves, which are the yardstick of the whole.
static enum tr_status find_yardstick(struct likeness_measure *measure,
				     const struct packet_sample *trace, struct tr_error *err)
{
	int64_t middle = packet_sample_middle(trace);
	const struct packet_sample first = packet_sample_part(trace, trace->begin_ticks, middle);
	const struct packet_sample second = packet_sample_part(trace, middle, trace->end_ticks);
	struct judge_panel halves;
	enum tr_status status = judge_panel_open(&halves, &second, &first, err);

	for (unsigned c = 0; c < JUDGE_CRITERIA && status == TR_OK; c++)
		measure->panel.yardstick[c] = halves.yardstick[c];
	judge_panel_clear(&halves);
	return status;
}

enum tr_status likeness_open(struct likeness_measure *measure, struct likeness *trace,
			     struct tr_error *err)
{
	const struct packet_sample *packets = &trace->packets;
	struct packet_sample half;
	enum tr_status status;

	if (trace->too_many || packets->count < 2 * JUDGE_PACKETS_MIN)
		return TR_OK;
	half = packet_sample_part(packets, packet_sample_middle(packets), packets->end_ticks);
	if (half.count < JUDGE_PACKETS_MIN || packets->count - half.count < JUDGE_PACKETS_MIN)
		return TR_OK;
	status = judge_panel_open(&measure->panel, packets, packets, err);
	if (status == TR_OK)
		status = find_yardstick(measure, packets, err);
	if (status == TR_OK)
		status = judge_panel_measure(&measure->panel, packets, trace->curve, err);
	measure->open = status == TR_OK;
	forget(trace);
	return status;
}

enum tr_status likeness_mark(struct likeness_measure *measure, struct likeness *model,
			     int64_t end_ticks, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	model->packets.begin_ticks = 0;
	model->packets.end_ticks = end_ticks;
	if (measure->open && !model->too_many && model->packets.count > 1)
		status = judge_panel_measure(&measure->panel, &model->packets, model->curve, err);
	for (unsigned c = 0; c < JUDGE_CRITERIA && status == TR_OK && model->curve[c]; c++)
		model->distance[c] = judge_criteria[c]->distance(
			&measure->panel.scales, measure->panel.of_data[c], model->curve[c]);
	if (status == TR_OK && model->curve[0])
		model->score = judge_panel_score(&measure->panel, model->distance);
	forget(model);
	return status;
}

void likeness_free(struct likeness *likeness)
{
	if (!likeness)
		return;
	packet_sample_clear(&likeness->packets);
	for (unsigned c = 0; c < JUDGE_CRITERIA; c++)
		free(likeness->curve[c]);
	free(likeness);
}

void likeness_close(struct likeness_measure *measure)
{
	judge_panel_clear(&measure->panel);
	measure->open = false;
}
