// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/timeline.h"
#include "stream/provenance.h"

#define SHORT_NAME 14 // characters

// How one kind of records is collected: open, add, finish.
struct intake {
	enum tr_kind records;
	enum input_kind kind;
	enum tr_status (*open)(struct input *input, const struct tr_header *header,
			       struct tr_error *err);
	enum tr_status (*add)(struct input *input, const void *records, size_t stride_bytes,
			      size_t count, struct tr_error *err);
	enum tr_status (*finish)(struct input *input, struct tr_error *err); // may be NULL
	bool ordered; // records must not step back in time
};

static enum tr_status open_packets(struct input *input, const struct tr_header *header,
				   struct tr_error *err)
{
	if (input->compared && likeness_new(&input->likeness, header, err) != TR_OK)
		return TR_ERROR;
	if (stream_open(&input->stream, input->name, header, &input->bursts.rule, err) != TR_OK ||
	    stream_search_microbursts(input->stream, input->bursts.microburst_width, err) != TR_OK)
		return TR_ERROR;
	return input->compared ? stream_search_messages(input->stream, err) : TR_OK;
}

static enum tr_status add_packets(struct input *input, const void *records, size_t stride_bytes,
				  size_t count, struct tr_error *err)
{
	if (input->likeness &&
	    likeness_add(input->likeness, records, stride_bytes, count, err) != TR_OK)
		return TR_ERROR;
	return stream_add(input->stream, records, stride_bytes, count, err);
}

static enum tr_status finish_packets(struct input *input, struct tr_error *err)
{
	return stream_finish(input->stream, tr_reader_names(input->in), input->level, err);
}

static enum tr_status open_deliveries(struct input *input, const struct tr_header *header,
				      struct tr_error *err)
{
	if (input->beside &&
	    stream_open(&input->stream, input->name, header, &input->bursts.rule, err) != TR_OK)
		return TR_ERROR;
	return carried_open(&input->carried, input->name, header, err);
}

static enum tr_status add_deliveries(struct input *input, const void *records, size_t stride_bytes,
				     size_t count, struct tr_error *err)
{
	const char *at = records;

	for (size_t i = 0; i < count; i++, at += stride_bytes) {
		const struct tr_delivery *delivery = (const void *)at;

		if (carried_add(input->carried, delivery, err) != TR_OK)
			return TR_ERROR;
		if (input->beside && delivery->status == TR_DELIVERED &&
		    stream_add(input->stream, &delivery->packet, sizeof(delivery->packet), 1,
			       err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status finish_deliveries(struct input *input, struct tr_error *err)
{
	return input->beside
		       ? stream_finish(input->stream, tr_reader_names(input->in), input->level, err)
		       : TR_OK;
}

static enum tr_status open_links(struct input *input, const struct tr_header *header,
				 struct tr_error *err)
{
	return link_map_open(&input->links, input->name, header->ticks_per_s, err);
}

static enum tr_status add_links(struct input *input, const void *records, size_t stride_bytes,
				size_t count, struct tr_error *err)
{
	const char *at = records;

	for (size_t i = 0; i < count; i++, at += stride_bytes)
		if (link_map_add(input->links, (const void *)at, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

static enum tr_status open_messages(struct input *input, const struct tr_header *header,
				    struct tr_error *err)
{
	(void)header;
	input->messages = calloc(1, sizeof(*input->messages));
	input->exchanges = calloc(1, sizeof(*input->exchanges));
	return input->messages && input->exchanges
		       ? TR_OK
		       : tr_no_memory(err, "the messages of %s", input->name);
}

static enum tr_status add_messages(struct input *input, const void *records, size_t stride_bytes,
				   size_t count, struct tr_error *err)
{
	const char *at = records;

	for (size_t i = 0; i < count; i++, at += stride_bytes)
		if (message_log_add(input->messages, (const void *)at, err) != TR_OK)
			return TR_ERROR;
		else if (input->exchanges->count == LOG_MESSAGES)
			input->exchanges->cut = true;
		else if (exchange_run_take(input->exchanges, (const void *)at, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

static enum tr_status finish_messages(struct input *input, struct tr_error *err)
{
	if (message_log_finish(input->messages, err) != TR_OK)
		return TR_ERROR;
	return exchange_run_find(input->exchanges, tr_reader_names(input->in),
				 tr_reader_header(input->in), input->level, err);
}

static enum tr_status open_series(struct input *input, const struct tr_header *header,
				  struct tr_error *err)
{
	(void)header;
	input->series = calloc(1, sizeof(*input->series));
	return input->series ? TR_OK : tr_no_memory(err, "the series of %s", input->name);
}

static void add_bin(struct series_sums *sums, const struct tr_series *bin)
{
	if (sums->bins == 0 && !sums->mixed) {
		sums->width_ticks = bin->width_ticks > 0 ? bin->width_ticks : 1;
		sums->node = bin->node;
		sums->class = bin->class;
	}
	if (bin->width_ticks != sums->width_ticks || bin->node != sums->node ||
	    bin->class != sums->class) {
		sums->mixed = true;
		return;
	}
	sums->bins++;
	sums->size_bytes += bin->size_bytes;
	moments_add(&sums->count, bin->count <= INT64_MAX ? (int64_t)bin->count : INT64_MAX);
	timeline_add(&sums->timeline, bin->start_ticks / sums->width_ticks, bin->count);
}

static enum tr_status add_series(struct input *input, const void *records, size_t stride_bytes,
				 size_t count, struct tr_error *err)
{
	const char *at = records;

	(void)err;
	for (size_t i = 0; i < count; i++, at += stride_bytes)
		add_bin(input->series, (const void *)at);
	return TR_OK;
}

static const struct intake intakes[] = {
	{TR_PACKET, INPUT_PACKETS, open_packets, add_packets, finish_packets, true},
	{TR_DELIVERY, INPUT_DELIVERIES, open_deliveries, add_deliveries, finish_deliveries, true},
	{TR_LINK, INPUT_LINKS, open_links, add_links, NULL, true},
	{TR_MESSAGE, INPUT_MESSAGES, open_messages, add_messages, finish_messages, false},
	{TR_SERIES, INPUT_SERIES, open_series, add_series, NULL, false},
};

static const struct intake *find_intake(unsigned kind)
{
	for (size_t i = 0; i < sizeof(intakes) / sizeof(*intakes); i++)
		if (intakes[i].records == kind)
			return &intakes[i];
	return NULL;
}

// Adds what a block says of congestion, and takes its pauses out: kept then has the others.
static enum tr_status take_congestion(struct input *input, const void **records, size_t *count,
				      uint8_t **kept, struct tr_error *err)
{
	const size_t stride = tr_reader_stride(input->in);
	struct tr_pauses out = {.any = tr_reader_pauses(input->in)->any};
	const uint8_t *at = *records;
	uint8_t *room;

	for (size_t i = 0; i < *count; i++)
		if (congestion_add(&input->congestion, input->in, (const void *)(at + i * stride),
				   err) == TR_ERROR)
			return TR_ERROR;
	if (!out.any)
		return TR_OK;
	room = realloc(*kept, *count * stride);
	if (!room)
		return tr_no_memory(err, "a block without its pauses");
	*kept = room;
	*records = room;
	tr_pauses_take_out(&out, tr_reader_names(input->in), &at, stride, room, count);
	return TR_OK;
}

static enum tr_status report_add_blocks(struct input *input, const struct intake *intake,
					uint8_t **kept, struct tr_error *err)
{
	struct tr_reader *in = input->in;
	enum tr_status status;
	const void *records;
	size_t count;

	tr_reader_pauses(in)->keep = true;
	while ((status = tr_next_block(in, &records, &count)) == TR_OK)
		if ((tr_kind_has_packet(intake->records) &&
		     take_congestion(input, &records, &count, kept, err) != TR_OK) ||
		    (count > 0 &&
		     intake->add(input, records, tr_reader_stride(in), count, err) != TR_OK))
			return TR_ERROR;
	input->whole = status == TR_END;
	congestion_finish(&input->congestion, tr_reader_time(in));
	return TR_OK;
}

enum tr_status input_read(struct input *input, struct tr_reader *in, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	const struct intake *intake = find_intake(header->kind);
	uint8_t *kept = NULL;
	enum tr_status status;

	if (!intake)
		return tr_fail(err, "%s: unknown record kind %u", tr_reader_name(in), header->kind);
	if (header->unsorted && intake->ordered)
		return tr_fail(err, "%s: not in order of time; use flitcat --sort",
			       tr_reader_name(in));
	input->kind = intake->kind;
	input->in = in;
	(void)text_shorten(tr_provenance_base(tr_reader_name(in)), 60, input->name);
	if (intake->open(input, header, err) != TR_OK)
		return TR_ERROR;
	input->congestion.ticks_per_s = header->ticks_per_s;
	status = report_add_blocks(input, intake, &kept, err);
	free(kept);
	if (status != TR_OK)
		return TR_ERROR;
	(void)tr_reader_odd(in, input->odd);
	return intake->finish ? intake->finish(input, err) : TR_OK;
}

unsigned input_kinds(const struct input *input)
{
	const bool found = input->exchanges && input->exchanges->kind_count > 0;

	return input->kind | (congestion_any(&input->congestion) ? INPUT_CONGESTION : 0) |
	       (found ? INPUT_COLLECTIVES : 0);
}

void input_clear(struct input *input)
{
	model_clear(&input->model);
	stream_close(input->stream);
	likeness_free(input->likeness);
	carried_close(input->carried);
	congestion_close(&input->congestion);
	link_map_close(input->links);
	printed_tables_clear(&input->tables);
	if (input->messages)
		message_log_clear(input->messages);
	free(input->messages);
	if (input->exchanges)
		exchange_run_clear(input->exchanges);
	free(input->exchanges);
	free(input->series);
	free(input->explanation);
	free(input->generated.label);
}

static double score_of(const struct input *model)
{
	return model->likeness && isfinite(model->likeness->score) ? model->likeness->score
								   : INFINITY;
}

// By score, then by index among the inputs, which are in one array.
static int report_by_score(const void *left, const void *right)
{
	const struct input *a = *(const struct input *const *)left,
			   *b = *(const struct input *const *)right;
	const double x = score_of(a), y = score_of(b);

	return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

size_t report_models(const struct report *report, const struct input **list, size_t max)
{
	const struct input **all = calloc(report->count + 1, sizeof(*all));
	size_t count = 0;

	for (size_t i = 0; all && i < report->count; i++)
		if (report->inputs[i].kind == INPUT_MODEL)
			all[count++] = &report->inputs[i];
	if (all)
		qsort(all, count, sizeof(*all), report_by_score);
	count = count < max ? count : max;
	for (size_t i = 0; i < count; i++)
		list[i] = all[i];
	free(all);
	return count;
}

size_t report_streams(const struct report *report, const struct stream **list, size_t max)
{
	const struct input *models[REPORT_MODELS];
	const size_t model_count = report_models(report, models, REPORT_MODELS);
	size_t count = 0;

	for (size_t i = 0; i < report->count && count < max; i++)
		if (report->inputs[i].stream && report->inputs[i].kind != INPUT_MODEL)
			list[count++] = report->inputs[i].stream;
	for (size_t i = 0; i < model_count && count < max; i++)
		if (models[i]->stream)
			list[count++] = models[i]->stream;
	return count;
}

const struct input *report_first(const struct report *report, enum input_kind kind)
{
	for (size_t i = 0; i < report->count; i++)
		if (report->inputs[i].kind == kind)
			return &report->inputs[i];
	return NULL;
}

const char *report_model_name(const struct input *model, size_t max, char out[TEXT_LABEL_BYTES])
{
	static const char ending[] = ".model";
	char name[TEXT_LABEL_BYTES];
	size_t length;

	(void)snprintf(name, sizeof(name), "%s", model->name);
	length = strlen(name);
	if (length >= sizeof(ending) && strcmp(name + length - (sizeof(ending) - 1), ending) == 0)
		name[length - (sizeof(ending) - 1)] = '\0';
	return text_shorten(name, max, out);
}

const char *report_short_name(const struct report *report, const struct stream *stream,
			      char out[TEXT_LABEL_BYTES])
{
	const struct input *own = NULL;
	size_t alike = 0;

	for (size_t i = 0; i < report->count; i++) {
		alike += report->inputs[i].stream &&
			 report->inputs[i].stream->generated == stream->generated;
		own = report->inputs[i].stream == stream ? &report->inputs[i] : own;
	}
	if (alike < 2)
		return text_shorten(stream->generated ? "model" : "trace", SHORT_NAME, out);
	return own && stream->generated ? report_model_name(own, SHORT_NAME, out)
					: text_shorten(stream->label, SHORT_NAME, out);
}
