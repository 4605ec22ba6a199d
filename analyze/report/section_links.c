// SPDX-License-Identifier: GPL-3.0-or-later
// The links over time: how busy they were, what blocked them, how full the buffers at their far
// ends were.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/drawing.h"
#include "report/section.h"
#include "table/table_rows.h"
#include "value/number.h"
#include "value/order.h"

#define TIMES_NAMED 5
#define LINKS_SHOWN 32
#define HEIGHT_BASE 220
#define HEIGHT_EACH 13

// A share of a column, in percent; NaN if the column has no samples.
typedef double link_measure(const struct link_sum *sum);

static double share(int64_t part, const struct link_sum *sum)
{
	return sum->width_ticks > 0 ? 100 * (double)part / (double)sum->width_ticks : NAN;
}

static double busy(const struct link_sum *sum)
{
	return share(sum->busy_ticks, sum);
}

static double by_stop(const struct link_sum *sum)
{
	return share(sum->stop_ticks, sum);
}

static double by_port(const struct link_sum *sum)
{
	return share(sum->port_ticks, sum);
}

static double by_memory(const struct link_sum *sum)
{
	return share(sum->memory_ticks, sum);
}

static double occupancy(const struct link_sum *sum)
{
	return sum->width_ticks > 0 ? (double)sum->occupancy_area / (double)sum->width_ticks : NAN;
}

static const struct heat_panel {
	const char *title, *label;
	link_measure *measure;
} panels[] = {
	{"Utilisation", "busy (%)", busy},
	{"Slack buffer at the far end", "mean occupancy (B)", occupancy},
	{"Blocked by STOP from the far end", "time (%)", by_stop},
	{"Blocked: head waiting for a port", "time (%)", by_port},
	{"Blocked: adapter memory full", "time (%)", by_memory},
};

// The links that were busy or blocked longest, at most LINKS_SHOWN, in order of id.
static size_t section_links_choose(const struct link_map *map, uint32_t chosen[LINKS_SHOWN],
				   size_t *all)
{
	size_t count = 0;

	*all = 0;
	for (uint32_t id = 0; id < map->row_count; id++) {
		size_t at;

		if (!map->rows[id])
			continue;
		++*all;
		if (count == LINKS_SHOWN &&
		    map->rows[chosen[count - 1]]->all.busy_ticks >= map->rows[id]->all.busy_ticks)
			continue;
		count += count < LINKS_SHOWN;
		for (at = count - 1; at > 0 && map->rows[chosen[at - 1]]->all.busy_ticks <
						       map->rows[id]->all.busy_ticks;
		     at--)
			chosen[at] = chosen[at - 1];
		chosen[at] = id;
	}
	return count;
}

static const char *link_label(const struct input *input, uint32_t id, size_t max,
			      char out[TEXT_LABEL_BYTES])
{
	const struct tr_names *names = tr_reader_names(input->in);

	const char *link = tr_names_link(names, id);

	if (link)
		return text_shorten(link, max, out);
	(void)snprintf(out, TEXT_LABEL_BYTES, "link %u", id);
	return out;
}

static double section_links_largest(const struct link_map *map, const uint32_t *links, size_t count,
				    link_measure *measure)
{
	double most = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t c = 0; c < map->used; c++)
			most = fmax(most, measure(&map->rows[links[i]]->columns[c]));
	return most;
}

static void section_links_set_axes(struct figure *figure, struct plot *plot,
				   const struct input *input, const uint32_t *links, size_t count)
{
	const struct link_map *map = input->links;
	const struct axis_columns columns = {map->used, 0, link_map_width(map), 1};
	char label[TEXT_LABEL_BYTES];

	plot->y.lo = (double)count - 0.5;
	plot->y.hi = -0.5;
	for (size_t i = 0; i < count; i++)
		figure_tic(figure, &plot->y, (double)i, link_label(input, links[i], 20, label));
	axis_columns(figure, &plot->x, &columns, TIMES_NAMED);
}

static void section_links_add_panel(struct figure *figure, const struct input *input,
				    const uint32_t *links, size_t count,
				    const struct heat_panel *panel)
{
	const struct link_map *map = input->links;
	double most = section_links_largest(map, links, count, panel->measure);
	struct plot *plot;

	if (!(most > 0) && panel->measure != busy)
		return;
	figure_panel(figure, panel->title, HEIGHT_BASE + HEIGHT_EACH * (double)count);
	figure_about(figure, "Heat map over links (rows) and time (columns): %s.", panel->label);
	plot = figure_plot(figure, "time (s)", "link");
	section_links_set_axes(figure, plot, input, links, count);
	figure_heat(figure, panel->label, false, 0, most > 0 ? most : 1);
	figure_curve(figure, CURVE_CELLS, 1, NULL);
	for (size_t i = 0; i < count; i++)
		for (size_t c = 0; c < map->used; c++) {
			double value = panel->measure(&map->rows[links[i]]->columns[c]);

			if (value > 0)
				figure_row(figure, (double)c, (double)i, value, 0);
		}
}

static void section_links_add_figure(struct page *page, const struct input *input,
				     const uint32_t *links, size_t count)
{
	struct figure *figure = page_figure(page, 2, "Links over time");

	for (size_t i = 0; i < sizeof(panels) / sizeof(*panels); i++)
		section_links_add_panel(figure, input, links, count, &panels[i]);
	page_caption(
		page, figure,
		"%s: shares of the time in columns of %s, at most %d of them. Time starts at the "
		"first column. Idle links stay blank. Causes that never occurred have no panel.",
		input->name, number_width(link_map_width(input->links)).text, LINK_MAP_COLUMNS);
}

TABLE_ROW(link_shares, (text, link), (real, busy, 4, "busy (%)"),
	  (real, peak, 4, "busiest column (%)"), (real, stop, 3, "blocked: STOP (%)"),
	  (real, port, 3, "port (%)"), (real, memory, 3, "memory (%)"), (count, characters),
	  (real, occupancy, 3, "occupancy (B on the wire)"),
	  (count, most, 0, "peak (B on the wire)"));

static void add_sum(struct table *table, const char *link, const struct link_sum *sum, double peak)
{
	TABLE_PUT(table, link_shares, .link = link, .busy = busy(sum), .peak = peak,
		  .stop = by_stop(sum), .port = by_port(sum), .memory = by_memory(sum),
		  .characters = sum->characters, .occupancy = occupancy(sum),
		  .most = sum->occupancy_peak);
}

static void section_links_add_table(struct page *page, const struct input *input,
				    const uint32_t *links, size_t count, size_t all)
{
	const struct link_map *map = input->links;
	struct table *table = page_table(page, "Links, %s: shares of the whole time.", input->name);
	struct link_sum total = link_map_total(map);
	char label[TEXT_LABEL_BYTES];

	table_heads(table, link_shares_fields);
	for (size_t i = 0; i < count; i++)
		add_sum(table, link_label(input, links[i], 40, label), &map->rows[links[i]]->all,
			section_links_largest(map, &links[i], 1, busy));
	add_sum(table, "all links", &total, NAN);
	if (count < all)
		note_unlisted(table, all - count, "link", "; these are the busiest");
}

void links_build(const struct report *report, struct page *page)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct input *input = &report->inputs[i];
		uint32_t links[LINKS_SHOWN];
		size_t count, all;

		if (input->kind != INPUT_LINKS)
			continue;
		count = section_links_choose(input->links, links, &all);
		if (count == 0) {
			page_paragraph(page, "%s contains no samples.", input->name);
			continue;
		}
		qsort(links, count, sizeof(*links), order_u32);
		section_links_add_figure(page, input, links, count);
		section_links_add_table(page, input, links, count, all);
	}
}
