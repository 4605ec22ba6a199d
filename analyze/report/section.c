// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/section.h"

#include "table/table.h"
#include "value/escape.h"

// In the order of the page.
const struct section sections[] = {
	{NULL, INPUT_ANY, 0, summary_build},
	{"Packet counts over time", INPUT_PACKETS | INPUT_GENERATED, 0, counts_build},
	{"Burstiness across time scales", INPUT_PACKETS | INPUT_GENERATED, 0, zoom_build},
	{"Largest microbursts", INPUT_PACKETS, 0, microbursts_build},
	{"Congestion", INPUT_PACKETS | INPUT_DELIVERIES, INPUT_CONGESTION, congestion_build},
	{"Scaling", INPUT_PACKETS | INPUT_GENERATED, 0, scaling_build},
	{"Periods", INPUT_PACKETS | INPUT_GENERATED, 0, periods_build},
	{"Hypothesis tests", INPUT_PACKETS | INPUT_GENERATED, 0, verdicts_build},
	{"Packet sizes", INPUT_PACKETS | INPUT_GENERATED, 0, sizes_build},
	{"Interarrival times", INPUT_PACKETS | INPUT_GENERATED, 0, gaps_build},
	{"Hosts and pairs", INPUT_PACKETS, 0, matrix_build},
	{"Bursts by role and class", INPUT_PACKETS | INPUT_GENERATED, 0, roles_build},
	{"Model", INPUT_MODEL, 0, model_build},
	{"Distances between models and trace", INPUT_GENERATED, INPUT_PACKETS | INPUT_GENERATED,
	 likeness_build},
	{"Comparison of model and trace", INPUT_GENERATED, INPUT_PACKETS | INPUT_GENERATED,
	 fit_build},
	{"Latency and throughput", INPUT_DELIVERIES, 0, latency_build},
	{"Latency by pair of nodes", INPUT_DELIVERIES, 0, pairs_build},
	{"Link utilisation", INPUT_LINKS, 0, links_build},
	{"Collective operations", INPUT_MESSAGES, INPUT_COLLECTIVES, collectives_build},
	{"Messages", INPUT_MESSAGES, 0, messages_build},
	{"Series of counts", INPUT_SERIES, 0, series_build},
	{"Tables", INPUT_TABLES, 0, tables_build},
	{"Methods", INPUT_PACKETS | INPUT_GENERATED, 0, methods_build},
	{"Provenance of the inputs", INPUT_ANY, 0, provenance_build},
};
const size_t section_count = sizeof(sections) / sizeof(*sections);

const char *section_title(size_t index)
{
	return sections[index].title ? sections[index].title : PAGE_SUMMARY;
}

// What inputs make a section, for its list.
static const struct {
	unsigned kind;
	const char *word;
} kinds[] = {{INPUT_PACKETS, "packets"},     {INPUT_MODEL, "model"},
	     {INPUT_GENERATED, "generated"}, {INPUT_DELIVERIES, "deliveries"},
	     {INPUT_LINKS, "link samples"},  {INPUT_SERIES, "series"},
	     {INPUT_MESSAGES, "messages"},   {INPUT_TABLES, "tables"}};

enum tr_status sections_list(struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *table = table_new("sections", "Sections of a report");

	table_columns(table, "section inputs");
	for (size_t i = 0; i < section_count; i++) {
		char words[200] = "";

		for (size_t k = 0;
		     k < sizeof(kinds) / sizeof(*kinds) && sections[i].wants != INPUT_ANY; k++)
			if (sections[i].wants & kinds[k].kind)
				text_append(words, sizeof(words), "%s%s", *words ? ", " : "",
					    kinds[k].word);
		table_text(table, section_title(i));
		table_text(table, *words ? words : "any");
	}
	return tables_finish(&table, 1, style, "flitreport", out, err);
}

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
