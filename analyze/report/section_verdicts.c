// SPDX-License-Identifier: GPL-3.0-or-later
// The answers of the tests, in words.
#include "report/section.h"
#include "table/table_rows.h"
#include "value/number.h"

TABLE_ROW(answer, (text, traffic), (text, question), (text, answer), (text, result), (text, data),
	  (count, values));

static void section_verdicts_add_rows(struct table *table, const struct stream *stream)
{
	for (size_t i = 0; i < stream->verdicts.count; i++) {
		const struct verdict_row *row = &stream->verdicts.rows[i];

		TABLE_PUT(table, answer, .traffic = stream->label, .question = row->question,
			  .answer = verdict_word(row->answer), .result = row->sentence,
			  .data = row->on, .values = row->n);
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
		page_paragraph(page, "Too few packets for hypothesis tests.");
		return;
	}
	table = page_table(page,
			   "Hypothesis tests of flittest(1), at a familywise level of 5 %% (Holm); "
			   "not decided if they disagree or the sample is too small.");
	table_heads(table, answer_fields);
	for (size_t i = 0; i < count; i++)
		section_verdicts_add_rows(table, list[i]);
	table_note(table,
		   "Gaps are all gaps of the stream, or a random sample of %s if there are more; "
		   "counts are those used to estimate H, at most the first %s for the shuffled "
		   "controls.",
		   number_count(GAP_SAMPLE_MAX).text, number_count(VERDICT_SHUFFLED_MAX).text);
}
