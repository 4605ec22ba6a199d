// SPDX-License-Identifier: GPL-3.0-or-later
// What tests answer, in words.
#include "report/number.h"
#include "report/section.h"

static void add_rows(struct grid *grid, const struct stream *stream)
{
	for (size_t i = 0; i < stream->verdicts.count; i++) {
		const struct verdict_row *row = &stream->verdicts.rows[i];

		grid_text(grid, stream->label);
		grid_text(grid, row->question);
		grid_text(grid, verdict_word(row->answer));
		grid_text(grid, row->sentence);
		grid_text(grid, row->on);
		grid_count(grid, row->n);
	}
}

void verdicts_build(const struct report *report, struct page *page)
{
	const struct stream *list[REPORT_STREAMS];
	const size_t count = report_streams(report, list, REPORT_STREAMS);
	struct grid *grid;
	size_t rows = 0;

	for (size_t i = 0; i < count; i++)
		rows += list[i]->verdicts.count;
	if (rows == 0) {
		page_paragraph(page, "There are too few packets for tests.");
		return;
	}
	grid = page_grid(page, "What the tests of flittest(1) answer, at a joint 5 %% (Holm); not decided where they disagree or there "
			 "is too little.");
	grid_words(grid, "traffic");
	grid_words(grid, "question");
	grid_words(grid, "answer");
	grid_words(grid, "in words");
	grid_words(grid, "put to");
	grid_numbers(grid, "values");
	for (size_t i = 0; i < count; i++)
		add_rows(grid, list[i]);
	grid_note(grid, "Gaps are those of the whole stream, or %s of them drawn at random where there are more; counts are "
		  "those of the bins that the estimators of H ran over, for the shuffles the first %s at most.", number_count(GAP_SAMPLE_MAX).text, number_count(VERDICT_SHUFFLED_MAX).text);
}
