// SPDX-License-Identifier: GPL-3.0-or-later
// The traffic matrix: as a heat map, and the largest pairs as a table.
#include <stdio.h>
#include <string.h>

#include "page/palette.h"
#include "report/drawing.h"
#include "report/section.h"
#include "trace/number.h"

#define PAIRS_SHOWN 12
#define PAIRS_RANKED 64 // in the figure of several streams

static void add_row(struct table *table, const struct input *input, const struct matrix_cell *cell)
{
	const struct tr_names *names = tr_reader_names(input->in);
	const struct moments *all = &input->stream->size_bytes[STREAM_ALL];
	char label[TEXT_LABEL_BYTES];

	table_text(table, node_label(names, cell->src, 30, label));
	table_text(table, node_label(names, cell->dst, 30, label));
	table_count(table, cell->packets);
	table_count(table, cell->size_bytes);
	table_real(table, 100 * (double)cell->packets / (double)all->n, 3);
	table_real(table, 100 * (double)cell->size_bytes / (double)all->sum, 3);
}

static void add_table(struct page *page, const struct input *input)
{
	const struct matrix *matrix = &input->stream->traffic.matrix;
	const struct matrix_cell *pairs[PAIRS_SHOWN];
	size_t count = pairs_choose(matrix, pairs, PAIRS_SHOWN);
	struct table *table = page_table(page, "The %zu pairs with the most payload, %s.", count, input->name);

	table_words(table, "source");
	table_words(table, "destination");
	table_numbers(table, "packets");
	table_numbers(table, "payload (B)");
	table_numbers(table, "% of packets");
	table_numbers(table, "% of payload");
	for (size_t i = 0; i < count; i++)
		add_row(table, input, pairs[i]);
	if (count < matrix->pairs)
		table_note(table, "%s further pairs are not listed.", number_count(matrix->pairs - count).text);
}

static void add_map(struct figure *figure, const struct input *input)
{
	const struct heat_map map = {input->name, "payload", HEAT_BYTES, 0, 0};

	heat_map_add(figure, &input->stream->traffic.matrix, tr_reader_names(input->in), &map);
}

static bool has_pairs(const struct input *input)
{
	return input->kind == INPUT_PACKETS && input->stream->traffic.matrix.pairs > 0;
}

// NULL for generated traffic.
static const struct tr_names *names_of(const struct report *report, const struct stream *stream)
{
	for (size_t i = 0; i < report->count; i++)
		if (report->inputs[i].stream == stream && report->inputs[i].in)
			return tr_reader_names(report->inputs[i].in);
	return NULL;
}

// The node with the same name, else the same number.
static uint32_t same_node(const struct tr_names *of, uint32_t node, const struct tr_names *in)
{
	for (uint32_t i = 0; of && in && i < in->node_count; i++)
		if (strcmp(tr_names_node(of, node), tr_names_node(in, i)) == 0)
			return i;
	return node;
}

static double payload_share(const struct stream *stream, const struct matrix_cell *cell)
{
	return cell ? (double)cell->size_bytes / (double)stream->size_bytes[STREAM_ALL].sum : 0;
}

static void add_ranked(struct figure *figure, const struct overview *overview, size_t which)
{
	const struct stream *first = overview->list[0], *own = overview->list[which];
	const struct tr_names *of = names_of(overview->report, first), *in = names_of(overview->report, own);
	const struct matrix_cell *pairs[PAIRS_RANKED];
	const size_t count = pairs_choose(&first->traffic.matrix, pairs, PAIRS_RANKED);
	char label[TEXT_LABEL_BYTES];

	figure_curve(figure, CURVE_MARKS, palette_stream(which), report_short_name(overview->report, own, label));
	for (size_t i = 0; i < count; i++) {
		const struct matrix_cell *cell = matrix_find(&own->traffic.matrix, same_node(of, pairs[i]->src, in),
							     same_node(of, pairs[i]->dst, in));

		figure_row(figure, (double)i + 1, 100 * payload_share(own, cell), 0, 0);
	}
}

void pairs_panel(struct figure *figure, const struct overview *overview)
{
	const struct stream *first = overview->list[0];
	const struct heat_map map = {"Traffic matrix", "payload", HEAT_BYTES, 0, overview->height};

	if (overview->count == 1) {
		heat_map_add(figure, &first->traffic.matrix, names_of(overview->report, first), &map);
		return;
	}
	figure_panel(figure, "Traffic matrix", overview->height);
	figure_about(figure, "Share of the payload by pair of nodes, in the order of %s.", first->label);
	figure_plot(figure, "pair", "% of the payload")->y.lo = 0;
	for (size_t i = 0; i < overview->count; i++)
		add_ranked(figure, overview, i);
}

void matrix_build(const struct report *report, struct page *page)
{
	struct figure *figure = NULL;

	for (size_t i = 0; i < report->count; i++) {
		if (!has_pairs(&report->inputs[i]))
			continue;
		if (!figure)
			figure = page_figure(page, 2, "Traffic matrix");
		add_map(figure, &report->inputs[i]);
	}
	if (!figure) {
		page_paragraph(page, "No packets.");
		return;
	}
	page_caption(
		page, figure,
		"Payload from each source (row) to each destination (column), ordered by name; pairs without traffic are blank. With more than %u nodes, those with the most payload are shown.",
		NODES_SHOWN);
	for (size_t i = 0; i < report->count; i++)
		if (has_pairs(&report->inputs[i]))
			add_table(page, &report->inputs[i]);
}
