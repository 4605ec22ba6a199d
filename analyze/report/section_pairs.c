// SPDX-License-Identifier: GPL-3.0-or-later
// Deliveries by source and destination.
#include <stdio.h>

#include "report/drawing.h"
#include "report/section.h"
#include "trace/number.h"

#define PAIRS_SHOWN 16

static void add_maps(struct page *page, const struct input *input)
{
	const struct carried *carried = input->carried;
	const struct tr_names *names = tr_reader_names(input->in);
	const struct heat_map bytes = {"Payload delivered", "payload", HEAT_BYTES, 0, 0};
	const struct heat_map latency = {"Mean latency", "latency", HEAT_MEAN, carried->ticks_per_s, 0};
	struct figure *figure = page_figure(page, 2, "Deliveries by pair of nodes");

	heat_map_add(figure, &carried->pairs, names, &bytes);
	heat_map_add(figure, &carried->waits, names, &latency);
	page_caption(
		page, figure,
		"%s, delivered packets from each source (row) to each destination (column). With more than %u nodes, those with the most payload (left) or the longest total latency (right) are shown.",
		input->name, NODES_SHOWN);
}

static void add_row(struct table *table, const struct input *input, const struct matrix_cell *cell)
{
	const struct carried *carried = input->carried;
	const struct tr_names *names = tr_reader_names(input->in);
	const struct matrix_cell *wait = matrix_find(&carried->waits, cell->src, cell->dst);
	const struct matrix_cell *loss = matrix_find(&carried->losses, cell->src, cell->dst);
	char label[TEXT_LABEL_BYTES];

	table_text(table, node_label(names, cell->src, 30, label));
	table_text(table, node_label(names, cell->dst, 30, label));
	table_count(table, cell->packets);
	table_count(table, cell->size_bytes);
	table_real(table, (double)cell->size_bytes / carried_duration(carried) / 1e6, 4);
	table_text(table,
		   !wait ? NULL
			 : number_real((double)wait->size_bytes / (double)wait->packets / (double)carried->ticks_per_s * 1e6, 5)
				   .text);
	table_count(table, loss ? loss->packets : 0);
}

static void add_table(struct page *page, const struct input *input)
{
	const struct matrix *matrix = &input->carried->pairs;
	const struct matrix_cell *pairs[PAIRS_SHOWN];
	size_t count = pairs_choose(matrix, pairs, PAIRS_SHOWN);
	struct table *table = page_table(page, "The %zu pairs with most payload delivered, %s.", count, input->name);

	table_words(table, "source");
	table_words(table, "destination");
	table_numbers(table, "packets");
	table_numbers(table, "payload (B)");
	table_numbers(table, "carried (MB/s)");
	table_numbers(table, "mean latency (µs)");
	table_numbers(table, "dropped");
	for (size_t i = 0; i < count; i++)
		add_row(table, input, pairs[i]);
	if (count < matrix->pairs)
		table_note(table, "%s further pairs are not listed.", number_count(matrix->pairs - count).text);
}

void pairs_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		if (report->inputs[i].kind != INPUT_DELIVERIES)
			continue;
		if (report->inputs[i].carried->pairs.pairs == 0) {
			page_paragraph(page, "%s contains no delivered packets.", report->inputs[i].name);
			continue;
		}
		add_maps(page, &report->inputs[i]);
		add_table(page, &report->inputs[i]);
	}
}
