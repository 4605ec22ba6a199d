// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/section.h"

// In the order of the page.
const struct section sections[] = {
	{NULL, INPUT_ANY, 0, summary_build},
	{"How do packets come over time?", INPUT_PACKETS | INPUT_GENERATED, 0, counts_build},
	{"Do the bursts look alike at all scales?", INPUT_PACKETS | INPUT_GENERATED, 0, zoom_build},
	{"How does the variability change with the scale?", INPUT_PACKETS | INPUT_GENERATED, 0, scaling_build},
	{"Does the traffic repeat?", INPUT_PACKETS | INPUT_GENERATED, 0, periods_build},
	{"What do the tests answer?", INPUT_PACKETS | INPUT_GENERATED, 0, verdicts_build},
	{"How large are the packets?", INPUT_PACKETS | INPUT_GENERATED, 0, sizes_build},
	{"How long are the gaps between packets?", INPUT_PACKETS | INPUT_GENERATED, 0, gaps_build},
	{"Who talks to whom?", INPUT_PACKETS, 0, matrix_build},
	{"Who sends the bursts, and how long are they?", INPUT_PACKETS | INPUT_GENERATED, 0, roles_build},
	{"What does the model say?", INPUT_MODEL, 0, model_build},
	{"How near do the models come to the trace?", INPUT_GENERATED, INPUT_PACKETS | INPUT_GENERATED, likeness_build},
	{"In which numbers do model and trace differ?", INPUT_GENERATED, INPUT_PACKETS | INPUT_GENERATED, fit_build},
	{"How long do packets take through the network, and how many arrive?", INPUT_DELIVERIES, 0, latency_build},
	{"Which pairs of nodes have to wait?", INPUT_DELIVERIES, 0, pairs_build},
	{"How busy are the links?", INPUT_LINKS, 0, links_build},
	{"Which messages were sent?", INPUT_MESSAGES, 0, messages_build},
	{"What do the series of counts hold?", INPUT_SERIES, 0, series_build},
	{"What did the tables measure?", INPUT_TABLES, 0, tables_build},
	{"How was it computed?", INPUT_PACKETS | INPUT_GENERATED, 0, methods_build},
	{"How were the inputs made?", INPUT_ANY, 0, provenance_build},
};
const size_t section_count = sizeof(sections) / sizeof(*sections);

void sections_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < section_count; i++) {
		const struct section *section = &sections[i];

		if ((section->wants & report->kinds) == 0 || (section->needs & report->kinds) != section->needs)
			continue;
		if (section->title)
			page_section(page, section->title);
		section->build(report, page);
	}
}
