// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of message-passing programs, by operation.
#include "report/section.h"
#include "report/timeline.h"
#include "trace/number.h"
#include "trace/ticks.h"

static const char *const operations[INPUT_OPERATIONS] = {
	"other", "send",   "recv",	"isend",  "irecv",     "wait",	  "barrier",
	"bcast", "reduce", "allreduce", "gather", "allgather", "scatter", "alltoall",
};

static void add_table(struct page *page, const struct input *input)
{
	const struct message_sums *sums = input->messages;
	uint64_t ticks_per_s = tr_reader_header(input->in)->ticks_per_s;
	struct table *table = page_table(page, "Messages by operation, %s.", input->name);

	table_words(table, "operation");
	table_numbers(table, "messages");
	table_numbers(table, "bytes");
	table_numbers(table, "mean size (B)");
	table_numbers(table, "mean duration");
	table_numbers(table, "longest");
	for (unsigned i = 0; i < INPUT_OPERATIONS; i++) {
		const struct moments *size = &sums->size_bytes[i], *duration = &sums->duration_ticks[i];

		if (size->n == 0)
			continue;
		table_text(table, operations[i]);
		table_count(table, size->n);
		table_text(table, number_real((double)size->sum, 6).text);
		table_real(table, moments_mean(size), 5);
		table_text(table, number_time(moments_mean(duration) / (double)ticks_per_s, 4).text);
		table_text(table, duration->n == 0 ? NULL : number_time(tr_ticks_seconds(duration->max, ticks_per_s), 4).text);
	}
}

void messages_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];

		if (input->kind != INPUT_MESSAGES)
			continue;
		if (input->messages->messages == 0) {
			page_paragraph(page, "%s contains no messages.", input->name);
			continue;
		}
		page_paragraph(
			page, "%s holds %s messages over %s.", input->name, number_count(input->messages->messages).text,
			number_time(tr_ticks_seconds(span_between(input->messages->first_ticks, input->messages->last_ticks),
						     tr_reader_header(input->in)->ticks_per_s),
				    4)
				.text);
		add_table(page, input);
	}
}
