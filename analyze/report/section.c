// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/section.h"

// In the order of the page.
const struct section sections[] = {
	{NULL, INPUT_ANY, 0, summary_build},
	{"Packets over time", INPUT_PACKETS | INPUT_MODEL, 0, counts_build},
	{"Bursts seen at several scales", INPUT_PACKETS | INPUT_MODEL, 0, zoom_build},
	{"Variability across time scales", INPUT_PACKETS | INPUT_MODEL, 0, scaling_build},
	{"Periods", INPUT_PACKETS | INPUT_MODEL, 0, periods_build},
	{"What tests say", INPUT_PACKETS | INPUT_MODEL, 0, verdicts_build},
	{"Packet sizes", INPUT_PACKETS | INPUT_MODEL, 0, sizes_build},
	{"Gaps between packets", INPUT_PACKETS | INPUT_MODEL, 0, gaps_build},
	{"Who talks to whom", INPUT_PACKETS, 0, matrix_build},
	{"Bursts by role and class", INPUT_PACKETS | INPUT_MODEL, 0, roles_build},
	{"The fitted model", INPUT_MODEL, 0, model_build},
	{"The models held against the trace", INPUT_MODEL, INPUT_PACKETS | INPUT_MODEL, likeness_build},
	{"Model against trace", INPUT_MODEL, INPUT_PACKETS | INPUT_MODEL, fit_build},
	{"Latency and throughput in the network", INPUT_DELIVERIES, 0, latency_build},
	{"Deliveries by source and destination", INPUT_DELIVERIES, 0, pairs_build},
	{"Links", INPUT_LINKS, 0, links_build},
	{"Messages", INPUT_MESSAGES, 0, messages_build},
	{"Series of counts", INPUT_SERIES, 0, series_build},
	{"Tables", INPUT_TABLES, 0, tables_build},
	{"Methods", INPUT_PACKETS | INPUT_MODEL, 0, methods_build},
	{"How the inputs were made", INPUT_ANY, 0, provenance_build},
};
const size_t section_count = sizeof sections / sizeof *sections;

void sections_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < section_count; i++) {
		const struct section *section = &sections[i];

		if ((section->wants & report->kinds) == 0 ||
		    (section->needs & report->kinds) != section->needs)
			continue;
		if (section->title)
			page_section(page, section->title);
		section->build(report, page);
	}
}
