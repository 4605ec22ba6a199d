// SPDX-License-Identifier: GPL-3.0-or-later
// What tests answer, in words.
#include "report/section.h"
#include "trace/number.h"

static void add_rows(struct table *table, const struct stream *stream)
{
	for (size_t i = 0; i < stream->verdicts.count; i++) {
		const struct verdict_row *row = &stream->verdicts.rows[i];

		table_text(table, stream->label);
		table_text(table, row->question);
		table_text(table, verdict_word(row->answer));
		table_text(table, row->sentence);
		table_text(table, row->on);
		table_count(table, row->n);
	}
}

void verdicts_build(const struct report *report, struct page *page)
{
	const struct stream *list[REPORT_STREAMS];
	const size_t count = report_streams(report, list, REPORT_STREAMS);
	struct table *table;
	size_t rows = 0;

	for (size_t i = 0; i < count; i++)
		rows += list[i]->verdicts.count;
	if (rows == 0) {
		page_paragraph(page, "There are too few packets for tests.");
		return;
	}
	table = page_table(
		page, "What the tests of flittest(1) answer, at a joint 5 %% (Holm); not decided where they disagree or there "
		      "is too little.");
	table_words(table, "traffic");
	table_words(table, "question");
	table_words(table, "answer");
	table_words(table, "in words");
	table_words(table, "put to");
	table_numbers(table, "values");
	for (size_t i = 0; i < count; i++)
		add_rows(table, list[i]);
	table_note(table,
		   "Gaps are those of the whole stream, or %s of them drawn at random where there are more; counts are "
		   "those of the bins that the estimators of H ran over, for the shuffles the first %s at most.",
		   number_count(GAP_SAMPLE_MAX).text, number_count(VERDICT_SHUFFLED_MAX).text);
}
