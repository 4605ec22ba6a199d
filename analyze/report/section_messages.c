// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of message-passing programs: who sends to whom in an iteration, and how the iterations
// repeat; by pair, size and operation.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/drawing.h"
#include "report/section.h"
#include "report/timeline.h"
#include "stream/words.h"
#include "table/table_rows.h"
#include "value/number.h"
#include "value/ticks.h"

#define PAIRS_SHOWN 16
#define SIZES_SHOWN 12

TABLE_ROW(operation, (text, operation), (count, messages), (number, bytes, 0, "payload (B)"),
	  (real, mean, 5, "mean payload (B)"), (number, duration, 0, "mean duration"),
	  (number, longest));

static void add_operations(struct page *page, const struct input *input)
{
	const struct message_log *log = input->messages;
	uint64_t ticks_per_s = tr_reader_header(input->in)->ticks_per_s;
	struct table *table = page_table(page, "Messages by operation, %s.", input->name);

	table_heads(table, operation_fields);
	for (unsigned i = 0; i < LOG_OPERATIONS; i++) {
		const struct moments *size = &log->size_bytes[i],
				     *duration = &log->duration_ticks[i];

		if (size->n == 0)
			continue;
		TABLE_PUT(table, operation, .operation = tr_word(TR_OPERATION_CODE, i),
			  .messages = size->n, .bytes = number_real((double)size->sum, 6),
			  .mean = moments_mean(size),
			  .duration = number_time(moments_mean(duration) / (double)ticks_per_s, 4),
			  .longest = duration->n == 0 ? (struct number){""}
						      : number_time(tr_ticks_seconds(duration->max,
										     ticks_per_s),
								    4));
	}
}

// ---- how they were found

static uint64_t section_messages_counter(const struct input *input, const char *key)
{
	const struct tr_names *names = tr_reader_names(input->in);

	for (uint32_t i = 0; i < names->counter_count; i++)
		if (strcmp(names->counters[i].key, key) == 0)
			return names->counters[i].value;
	return 0;
}

TABLE_ROW(known_messages, (text, found, 0, "known from"), (count, messages), (count, eager),
	  (count, rendezvous), (count, partly, 0, "partly unseen"));

static void add_count(struct table *table, const char *found, const struct message_counts *counts)
{
	if (counts->messages > 0)
		TABLE_PUT(table, known_messages, .found = found, .messages = counts->messages,
			  .eager = counts->eager, .rendezvous = counts->rendezvous,
			  .partly = counts->partly);
}

static void note_unseen(struct table *table, uint64_t headers, uint64_t least, uint64_t likely)
{
	const struct number seen = number_count(headers), most = number_count(likely);
	const char *were = headers == 1 ? " was" : "s were";

	if (likely == 0)
		table_note(table, "%s header%s not seen; no message is known to be missing.",
			   seen.text, were);
	else if (least < likely)
		table_note(table,
			   "%s header%s not seen: at least %s messages, and likely %s, are missing "
			   "here.",
			   seen.text, were, number_count(least).text, most.text);
	else
		table_note(table, "%s header%s not seen: likely %s message%s missing here.",
			   seen.text, were, most.text, likely == 1 ? " is" : "s are");
}

static void section_messages_add_counts(struct page *page, const struct input *input)
{
	const struct message_log *log = input->messages;
	const uint64_t unseen = section_messages_counter(input, "headers_unseen"),
		       missing = section_messages_counter(input, "payload_missing_B"),
		       lost = section_messages_counter(input, "rdma_packets_missing");
	struct table *table = page_table(page, "How the messages of %s are known.", input->name);

	table_heads(table, known_messages_fields);
	add_count(table,
		  section_messages_counter(input, "messages_by_headers") > 0 ||
				  section_messages_counter(input, "messages_of_rdma") > 0
			  ? "headers in packets"
			  : "the program",
		  &log->of_headers);
	add_count(table, "sizes and times of packets", &log->by_rule);
	if (unseen > 0)
		note_unseen(table, unseen, section_messages_counter(input, "messages_unseen"),
			    section_messages_counter(input, "messages_unseen_likely"));
	if (missing > 0)
		table_note(table, "%s B of TCP payload are in no captured packet.",
			   number_count(missing).text);
	if (lost > 0)
		table_note(
			table,
			"%s packets of RDMA are in no captured frame, and likely the begins of "
			"%s messages.",
			number_count(lost).text,
			number_count(section_messages_counter(input, "rdma_messages_unseen_likely"))
				.text);
	if (log->cut)
		table_note(table, "Iterations, pairs and sizes are those of the first %s messages.",
			   number_count(LOG_MESSAGES).text);
}

// ---- pairs and sizes

TABLE_ROW(message_pair, (text, source), (text, destination), (count, messages),
	  (count, bytes, 0, "payload (B)"), (real, mean, 4, "mean payload (B)"));

static void add_pairs(struct page *page, const struct message_view *view)
{
	const struct message_log *log = view->log;
	const struct matrix_cell *pairs[PAIRS_SHOWN];
	const size_t count = pairs_choose(&log->pairs, pairs, PAIRS_SHOWN);
	char label[TEXT_LABEL_BYTES], to[TEXT_LABEL_BYTES];
	struct table *table = page_table(page, "%s, %s.",
					 ranking_title(label, "pairs", count, log->pairs.pairs),
					 view->label);

	table_heads(table, message_pair_fields);
	for (size_t i = 0; i < count; i++)
		TABLE_PUT(table, message_pair,
			  .source = message_end_label(view, pairs[i]->src, 30, label),
			  .destination = message_end_label(view, pairs[i]->dst, 30, to),
			  .messages = pairs[i]->packets, .bytes = pairs[i]->size_bytes,
			  .mean = (double)pairs[i]->size_bytes / (double)pairs[i]->packets);
	pairs_note(table, &log->pairs, count, "");
}

// Messages of one size.
struct size_row {
	uint64_t size_bytes, messages, eager, rendezvous;
	double seconds; // sum of their durations
};
TABLE_VIEW(size_row, struct size_row, (count, size_bytes, 0, "payload (B)"), (count, messages),
	   (count, eager), (count, rendezvous));

static int by_size(const void *left, const void *right)
{
	const struct size_row *a = left, *b = right;

	return (a->size_bytes > b->size_bytes) - (a->size_bytes < b->size_bytes);
}

static int by_bytes(const void *left, const void *right)
{
	const struct size_row *a = left, *b = right;
	const double x = (double)a->size_bytes * (double)a->messages,
		     y = (double)b->size_bytes * (double)b->messages;

	return x != y ? (x < y) - (x > y) : by_size(a, b);
}

// The different sizes, those with most bytes first; returns how many. rows has one for each message
// of the log.
static size_t collect_sizes(const struct message_log *log, double ticks_per_s,
			    struct size_row *rows)
{
	size_t sizes = 0;

	for (size_t i = 0; i < log->count; i++) {
		const struct logged_message *message = &log->list[i];

		rows[i] = (struct size_row){
			message->size_bytes, 1, (message->flags & TR_MESSAGE_EAGER) != 0,
			(message->flags & TR_MESSAGE_RENDEZVOUS) != 0,
			(double)(message->end_ticks - message->begin_ticks) / ticks_per_s};
	}
	qsort(rows, log->count, sizeof(*rows), by_size);
	for (size_t i = 0; i < log->count; i++) {
		if (sizes == 0 || rows[sizes - 1].size_bytes != rows[i].size_bytes) {
			rows[sizes++] = rows[i];
			continue;
		}
		rows[sizes - 1].messages++;
		rows[sizes - 1].eager += rows[i].eager;
		rows[sizes - 1].rendezvous += rows[i].rendezvous;
		rows[sizes - 1].seconds += rows[i].seconds;
	}
	qsort(rows, sizes, sizeof(*rows), by_bytes);
	return sizes;
}

static void add_sizes(struct page *page, const struct input *input)
{
	const struct message_log *log = input->messages;
	struct size_row *rows = calloc(log->count, sizeof(*rows));
	struct table *table;
	size_t sizes;

	if (!rows) {
		page->failed = true;
		return;
	}
	sizes = collect_sizes(log, (double)tr_reader_header(input->in)->ticks_per_s, rows);
	table = page_table(page, "%s, %s.",
			   sizes > SIZES_SHOWN ? "Sizes with the most payload" : "Sizes",
			   input->name);
	table_heads(table, size_row_fields);
	table_numbers(table, "mean duration");
	for (size_t i = 0; i < sizes && i < SIZES_SHOWN; i++) {
		table_row(table, size_row_fields, &rows[i]);
		table_text(table,
			   rows[i].seconds > 0
				   ? number_time(rows[i].seconds / (double)rows[i].messages, 4).text
				   : "0");
	}
	if (sizes > SIZES_SHOWN)
		note_unlisted(table, sizes - SIZES_SHOWN, "size", "");
	free(rows);
}

// ---- iterations

static void say_iterations(struct page *page, const struct input *input)
{
	const struct message_log *log = input->messages;
	const struct iterations *all = &log->iterations;
	const double ticks_per_s = (double)tr_reader_header(input->in)->ticks_per_s;

	if (!all->silences) {
		page_paragraph(page,
			       "No silences of the whole network separate iterations: the time is "
			       "cut into %s parts of equal length.",
			       number_count(all->count).text);
		return;
	}
	if (!iterations_repeat(&log->iterations)) {
		page_paragraph(page,
			       "Silences of the whole network separate %s parts, few of which have "
			       "the same messages.",
			       number_count(all->count).text);
		return;
	}
	page_paragraph(page,
		       "Silences of the whole network separate %s iterations; %s of them have the "
		       "same messages between the same nodes, such as iteration %s: %s. They last "
		       "%s on average (%s to %s), after silences of %s on average.",
		       number_count(all->count).text, number_percent(all->alike, 3).text,
		       number_count(all->typical + 1).text,
		       number_count(all->begins[all->typical + 1] - all->begins[all->typical]).text,
		       number_time(moments_mean(&log->length_ticks) / ticks_per_s, 4).text,
		       number_time((double)log->length_ticks.min / ticks_per_s, 4).text,
		       number_time((double)log->length_ticks.max / ticks_per_s, 4).text,
		       number_time(moments_mean(&log->silence_ticks) / ticks_per_s, 4).text);
}

void messages_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];
		struct message_view view;

		if (input->kind != INPUT_MESSAGES)
			continue;
		view = (struct message_view){input->name, input->messages,
					     tr_reader_names(input->in),
					     (double)tr_reader_header(input->in)->ticks_per_s};
		if (message_log_count(view.log) == 0) {
			page_paragraph(page, "%s contains no messages.", input->name);
			continue;
		}
		page_paragraph(
			page, "%s holds %s messages over %s.", input->name,
			number_count(message_log_count(view.log)).text,
			number_time(tr_ticks_seconds(span_between(input->messages->first_ticks,
								  input->messages->last_ticks),
						     tr_reader_header(input->in)->ticks_per_s),
				    4)
				.text);
		if (view.log->iterations.count > 0) {
			say_iterations(page, input);
			message_timeline_draw(page, &view);
			add_pairs(page, &view);
			add_sizes(page, input);
		}
		section_messages_add_counts(page, input);
		add_operations(page, input);
	}
}
