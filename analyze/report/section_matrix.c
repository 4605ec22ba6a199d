// SPDX-License-Identifier: GPL-3.0-or-later
// Who talks: on the first screen the traffic matrix as a heat map, and the largest pairs beside it;
// then hosts and pairs in full.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/drawing.h"
#include "report/section.h"
#include "stat/nodes/discovery.h"
#include "stat/nodes/joint_nodes.h"
#include "table/table_rows.h"
#include "value/number.h"

#define PAIRS_FIRST 10 // on the first screen
#define PAIRS_SHOWN 24
#define HOSTS_SHOWN 24

// NULL for generated traffic.
static const struct tr_names *names_of(const struct report *report, const struct stream *stream)
{
	for (size_t i = 0; i < report->count; i++)
		if (report->inputs[i].stream == stream && report->inputs[i].in)
			return tr_reader_names(report->inputs[i].in);
	return NULL;
}

static double payload_share(const struct stream *stream, const struct matrix_cell *cell)
{
	return cell ? (double)cell->size_bytes / (double)stream->size_bytes[STREAM_ALL].sum : 0;
}

static double payload_rate(const struct stream *stream, const struct matrix_cell *cell)
{
	return 8 * (double)cell->size_bytes / stream_duration(stream) / 1e6;
}

// ---- the first screen, of one stream

static void note_pairs(struct table *table, const struct stream *stream, size_t listed)
{
	pairs_note(table, &stream->traffic.matrix, listed,
		   " here: see Hosts and pairs, and flitstat for all");
	if (stream->joined > 0)
		table_note(table,
			   "multicast: %u addresses of multicast, broadcast and hosts without one, "
			   "each in less than %g %% of the payload.",
			   stream->joined, 100 * DISCOVERY_SHARE);
}

TABLE_ROW(first_pair, (text, source), (text, destination), (count, bytes, 0, "payload (B)"),
	  (real, percent, 3, "% of the payload"), (real, Mbps, 3, "payload (Mb/s)"));

static void add_largest_pairs(struct page *page, const struct stream *stream,
			      const struct tr_names *names)
{
	const struct matrix_cell *pairs[PAIRS_FIRST];
	const size_t count = pairs_choose(&stream->traffic.matrix, pairs, PAIRS_FIRST);
	char label[TEXT_LABEL_BYTES], to[TEXT_LABEL_BYTES];
	struct table *table = page_table(
		page, "%s.", ranking_title(label, "pairs", count, stream->traffic.matrix.pairs));

	table_heads(table, first_pair_fields);
	for (size_t i = 0; i < count; i++)
		TABLE_PUT(table, first_pair, .source = node_label(names, pairs[i]->src, 30, label),
			  .destination = node_label(names, pairs[i]->dst, 30, to),
			  .bytes = pairs[i]->size_bytes,
			  .percent = 100 * payload_share(stream, pairs[i]),
			  .Mbps = payload_rate(stream, pairs[i]));
	note_pairs(table, stream, count);
}

static void show_one(struct page *page, const struct stream *stream, const struct tr_names *names)
{
	const struct heat_map map = {.title = NULL, .label = "payload", .value = HEAT_BYTES};
	struct figure *figure;

	page_beside(page);
	figure = page_figure(page, 1, "Traffic matrix");
	heat_map_add(figure, &stream->traffic.matrix, names, &map);
	page_caption(page, figure,
		     "Payload from each source (row) to each destination (column), those that send "
		     "or receive most first.");
	add_largest_pairs(page, stream, names);
}

// ---- the first screen, of several streams

// Streams with the numbers of one set of nodes.
struct joint_matrices {
	struct joint_nodes nodes;
	struct matrix matrices[REPORT_STREAMS], sum;
	enum node_basis basis[REPORT_STREAMS];
};

static void clear_joint(struct joint_matrices *joint)
{
	for (size_t i = 0; i < REPORT_STREAMS; i++)
		matrix_clear(&joint->matrices[i]);
	matrix_clear(&joint->sum);
	joint_nodes_clear(&joint->nodes);
}

static enum tr_status join_streams(struct joint_matrices *joint, const struct overview *overview,
				   struct tr_error *err)
{
	for (size_t i = 0; i < overview->count; i++) {
		const struct stream *stream = overview->list[i];
		const struct node_side side = {&stream->traffic.matrix,
					       names_of(overview->report, stream),
					       stream->found.roles, stream->traffic.node_count};

		if (joint_nodes_add(&joint->nodes, &side, &joint->matrices[i], &joint->basis[i],
				    err) != TR_OK ||
		    matrix_merge(&joint->sum, &joint->matrices[i], err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static void say_basis(char *text, size_t bytes, const struct joint_matrices *joint,
		      const struct overview *overview)
{
	static const char *const how[] = {[NODES_BY_ROLE] = "by role and order of traffic",
					  [NODES_BY_TRAFFIC] = "by order of traffic"};

	for (size_t i = 1; i < overview->count; i++)
		if (joint->basis[i] != NODES_BY_NAME)
			text_append(text, bytes,
				    " The nodes of %s have other names: each is matched with one "
				    "of %s %s.",
				    overview->list[i]->label, overview->list[0]->label,
				    how[joint->basis[i]]);
}

static void add_joint_maps(struct page *page, const struct joint_matrices *joint,
			   const struct overview *overview, const struct node_bytes *ranked,
			   size_t count)
{
	struct figure *figure = page_figure(page, 2, "Traffic matrix");
	struct heat_order order = {.count = count};
	double seconds[REPORT_STREAMS];
	char text[1024] = "";

	for (size_t i = 0; i < overview->count; i++)
		seconds[i] = stream_duration(overview->list[i]);
	for (size_t i = 0; i < count; i++) {
		order.nodes[i] = ranked[i].node;
		(void)text_shorten(joint_nodes_label(&joint->nodes, ranked[i].node), HEAT_LABEL,
				   order.labels[i]);
	}
	for (size_t i = 0; i < overview->count; i++) {
		const struct heat_map map = {.title = overview->list[i]->label,
					     .label = "payload",
					     .value = HEAT_RATE,
					     .seconds = seconds[i],
					     .order = &order,
					     .alike = joint->matrices,
					     .alike_seconds = seconds,
					     .alike_count = overview->count};

		heat_map_add(figure, &joint->matrices[i], NULL, &map);
	}
	say_basis(text, sizeof(text), joint, overview);
	page_caption(page, figure,
		     "Rate of the payload from each source (row) to each destination (column), "
		     "those that send or receive most first; all on one scale.%s",
		     text);
}

static void add_joint_pairs(struct page *page, const struct joint_matrices *joint,
			    const struct overview *overview)
{
	const struct matrix_cell *pairs[PAIRS_FIRST];
	const size_t count = pairs_choose(&joint->sum, pairs, PAIRS_FIRST);
	char label[TEXT_LABEL_BYTES];
	struct table *table = page_table(page, "%s: %% of the payload of each.",
					 ranking_title(label, "pairs", count, joint->sum.pairs));

	table_words(table, "source");
	table_words(table, "destination");
	for (size_t i = 0; i < overview->count; i++)
		table_numbers(table, overview->list[i]->label);
	for (size_t i = 0; i < count; i++) {
		table_text(table, text_shorten(joint_nodes_label(&joint->nodes, pairs[i]->src), 30,
					       label));
		table_text(table, text_shorten(joint_nodes_label(&joint->nodes, pairs[i]->dst), 30,
					       label));
		for (size_t k = 0; k < overview->count; k++)
			table_real(table,
				   100 * payload_share(overview->list[k],
						       matrix_find(&joint->matrices[k],
								   pairs[i]->src, pairs[i]->dst)),
				   3);
	}
	pairs_note(table, &joint->sum, count, " here: see Hosts and pairs, and flitstat for all");
}

static void show_several(struct page *page, const struct overview *overview)
{
	struct joint_matrices joint = {.nodes = {.count = 0}};
	struct tr_error ignored;
	struct node_bytes *ranked = NULL;
	size_t all = 0;

	if (join_streams(&joint, overview, &ignored) == TR_OK)
		ranked = matrix_nodes(&joint.sum, &all);
	if (ranked) {
		add_joint_maps(page, &joint, overview, ranked, all < HEAT_NODES ? all : HEAT_NODES);
		add_joint_pairs(page, &joint, overview);
	} else {
		page->failed = true;
	}
	free(ranked);
	clear_joint(&joint);
}

void who_talks_build(const struct overview *overview, struct page *page)
{
	if (overview->count > 1)
		show_several(page, overview);
	else if (overview->count == 1 && overview->list[0]->traffic.matrix.pairs > 0)
		show_one(page, overview->list[0], names_of(overview->report, overview->list[0]));
}

// ---- the section

// What a host sends and receives.
struct host_sums {
	uint64_t packets[2], bytes[2]; // sent, received
	size_t peers[2];
};

static struct host_sums sum_host(const struct matrix *matrix, uint32_t node)
{
	struct host_sums sums = {.packets = {0}};

	for (size_t i = 0; i < matrix->pairs; i++)
		for (size_t k = 0; k < 2; k++) {
			const struct matrix_cell *cell = &matrix->cells[i];

			if ((k ? cell->dst : cell->src) != node)
				continue;
			sums.packets[k] += cell->packets;
			sums.bytes[k] += cell->size_bytes;
			sums.peers[k]++;
		}
	return sums;
}

TABLE_ROW(host, (text, host), (count, sent, 0, "packets sent"),
	  (count, sent_bytes, 0, "payload sent (B)"), (count, to, 0, "to hosts"),
	  (count, received, 0, "packets received"),
	  (count, received_bytes, 0, "payload received (B)"), (count, from, 0, "from hosts"),
	  (real, percent, 3, "% of the payload"));

static void put_host_row(struct table *table, const struct input *input,
			 const struct node_bytes *node)
{
	const struct host_sums sums = sum_host(&input->stream->traffic.matrix, node->node);
	char label[TEXT_LABEL_BYTES];

	TABLE_PUT(
		table, host, .host = node_label(tr_reader_names(input->in), node->node, 30, label),
		.sent = sums.packets[0], .sent_bytes = sums.bytes[0], .to = sums.peers[0],
		.received = sums.packets[1], .received_bytes = sums.bytes[1], .from = sums.peers[1],
		.percent = 100 * (double)node->size_bytes /
			   (double)input->stream->size_bytes[STREAM_ALL].sum);
}

static void tabulate_hosts(struct page *page, const struct input *input)
{
	size_t all;
	struct node_bytes *ranked = matrix_nodes(&input->stream->traffic.matrix, &all);
	const size_t count = all < HOSTS_SHOWN ? all : HOSTS_SHOWN;
	char label[TEXT_LABEL_BYTES];
	struct table *table = page_table(page, "%s sent or received, %s.",
					 ranking_title(label, "hosts", count, all), input->name);

	page->failed |= !ranked;
	table_heads(table, host_fields);
	for (size_t i = 0; i < count; i++)
		put_host_row(table, input, &ranked[i]);
	note_unlisted(table, all - count, "host", "");
	table_note(table, "The last column adds up to 200 %% over all hosts, since each packet is "
			  "sent and received.");
	free(ranked);
}

// ---- hosts over time

#define BINS_JOINED 4u // in a column
#define TIMES_NAMED 10
#define OVER_TIME_HEIGHT 260 // at least

// The cells of a host, in Mb/s; returns the highest.
static double draw_host_cells(struct figure *figure, const struct stream *stream, uint32_t node,
			      size_t row, double column_s, bool *whole)
{
	double bytes[TIME_BINS], highest = 0;

	*whole = talkers_node_over_time(&stream->talkers, node, bytes) && *whole;
	for (size_t i = 0; i < stream->talkers.over_time.used; i += BINS_JOINED) {
		double sum = 0;

		for (size_t k = i; k < i + BINS_JOINED && k < stream->talkers.over_time.used; k++)
			sum += bytes[k];
		if (sum > 0)
			figure_row(figure, (double)(i / BINS_JOINED), (double)row,
				   8 * sum / column_s / 1e6, 0);
		highest = fmax(highest, 8 * sum / column_s / 1e6);
	}
	return highest;
}

// Rows of hosts, columns of time: who sends or receives when.
static void draw_hosts_over_time(struct page *page, const struct input *input)
{
	const struct stream *stream = input->stream;
	const struct time_rows *rows = &stream->talkers.over_time;
	const double column_s = ldexp(BINS_JOINED, (int)rows->shift) / (double)stream->ticks_per_s;
	const size_t columns = (rows->used + BINS_JOINED - 1) / BINS_JOINED;
	const struct axis_columns time = {
		columns,
		(double)(talkers_bin_begin(&stream->talkers, 0) - stream->traffic.first_ticks) /
			(double)stream->ticks_per_s,
		column_s, number_time_unit(stream_duration(stream)).factor};
	struct heat_order order;
	struct figure *figure;
	struct plot *plot;
	double highest = 0;
	bool whole = true;
	char label[80];

	page->failed |= !heat_order_find(&order, &stream->talkers.pairs,
					 tr_reader_names(input->in));
	if (columns < 2 || stream->size_bytes[STREAM_ALL].sum == 0)
		return;
	figure = page_figure(page, 0, "Hosts over time");
	figure_panel(figure, NULL, fmax(OVER_TIME_HEIGHT, 110 + 18 * (double)order.count));
	figure_about(figure, "Heat map of the payload of %zu hosts over time.", order.count);
	(void)snprintf(label, sizeof(label), "time (%s), in columns of %s",
		       number_time_unit(stream_duration(stream)).name,
		       number_time(column_s, 3).text);
	plot = figure_plot(figure, label, "host");
	axis_columns(figure, &plot->x, &time, TIMES_NAMED);
	plot->y.lo = (double)order.count - 0.5;
	plot->y.hi = -0.5;
	for (size_t i = 0; i < order.count; i++)
		figure_tic(figure, &plot->y, (double)i, order.labels[i]);
	figure_curve(figure, CURVE_CELLS, 1, NULL);
	for (size_t i = 0; i < order.count; i++)
		highest = fmax(highest, draw_host_cells(figure, stream, order.nodes[i], i, column_s,
							&whole));
	figure_heat(figure, "payload (Mb/s)", false, 0, highest);
	page_caption(page, figure,
		     "%s: payload that each host sends or receives, the largest first.%s",
		     input->name,
		     whole ? "" : " The payload of pairs beyond the first 4096 is left out.");
}

TABLE_ROW(talking_pair, (text, source), (text, destination), (count, packets),
	  (count, bytes, 0, "payload (B)"), (real, packets_percent, 3, "% of the packets"),
	  (real, percent, 3, "% of the payload"), (real, Mbps, 3, "payload (Mb/s)"));

static void put_pair_row(struct table *table, const struct input *input,
			 const struct matrix_cell *cell)
{
	const struct tr_names *names = tr_reader_names(input->in);
	char from[TEXT_LABEL_BYTES], to[TEXT_LABEL_BYTES];

	TABLE_PUT(table, talking_pair, .source = node_label(names, cell->src, 30, from),
		  .destination = node_label(names, cell->dst, 30, to), .packets = cell->packets,
		  .bytes = cell->size_bytes,
		  .packets_percent = 100 * (double)cell->packets /
				     (double)stream_packets(input->stream),
		  .percent = 100 * payload_share(input->stream, cell),
		  .Mbps = payload_rate(input->stream, cell));
}

static void tabulate_pairs(struct page *page, const struct input *input)
{
	const struct matrix *matrix = &input->stream->traffic.matrix;
	const struct matrix_cell *pairs[PAIRS_SHOWN];
	size_t count = pairs_choose(matrix, pairs, PAIRS_SHOWN);
	char label[TEXT_LABEL_BYTES];
	struct table *table = page_table(
		page, "%s, %s.", ranking_title(label, "pairs", count, matrix->pairs), input->name);

	table_heads(table, talking_pair_fields);
	for (size_t i = 0; i < count; i++)
		put_pair_row(table, input, pairs[i]);
	pairs_note(table, matrix, count, "; flitstat lists all");
}

void matrix_build(const struct report *report, struct page *page)
{
	bool any = false;

	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];

		if (input->kind != INPUT_PACKETS || input->stream->traffic.matrix.pairs == 0)
			continue;
		any = true;
		draw_hosts_over_time(page, input);
		tabulate_hosts(page, input);
		tabulate_pairs(page, input);
	}
	if (!any)
		page_paragraph(page, "No packets.");
}
