// SPDX-License-Identifier: GPL-3.0-or-later
// Congestion: who was marked and notified, and who paused which link, when, and after which marks.
#include "report/section.h"

void congestion_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];
		const struct congestion *congestion = &input->congestion;
		const struct tr_names *names = input->in ? tr_reader_names(input->in) : NULL;
		struct table *table;

		if (!names || !congestion_any(congestion))
			continue;
		if (congestion->recent) {
			table = page_table(page, "Marked packets and notifications in %s.",
					   input->name);
			congestion_tabulate_marks(table, congestion, names);
		}
		if (!congestion->spans)
			continue;
		table = page_table(page, "Pauses of links in %s, by who asked for them.",
				   input->name);
		congestion_tabulate_pauses(table, congestion, names);
		table = page_table(page,
				   "Each pause in %s, with the packets marked in the millisecond "
				   "before it and the flow of the last of them.",
				   input->name);
		congestion_tabulate_spans(table, congestion, names);
	}
}
