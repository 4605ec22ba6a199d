// SPDX-License-Identifier: GPL-3.0-or-later
// How busy links were, as a strip below the rows of a timeline's picture.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "timeline/sheet.h"

#define LEVELS 8u // of a link's utilisation

static int64_t busy_sum(const struct timeline *timeline, uint32_t link)
{
	int64_t sum = 0;

	for (uint32_t bin = 0; bin < timeline->links.bins; bin++)
		sum += timeline->links.busy_ticks[(size_t)link * TIMELINE_BINS + bin];
	return sum;
}

void sheet_choose_links(struct sheet *sheet)
{
	const struct timeline *timeline = sheet->timeline;

	for (uint32_t link = 0; link < timeline->links.count; link++) {
		uint32_t least = 0;

		if (!timeline_shows_link(timeline, link))
			continue;
		sheet->busy_links++;
		if (sheet->link_count == SHEET_LINKS_MAX) {
			for (uint32_t i = 1; i < SHEET_LINKS_MAX; i++)
				if (busy_sum(timeline, sheet->links[i]) <=
				    busy_sum(timeline, sheet->links[least]))
					least = i;
			if (busy_sum(timeline, link) <= busy_sum(timeline, sheet->links[least]))
				continue;
			sheet->link_count--;
			memmove(sheet->links + least, sheet->links + least + 1,
				(sheet->link_count - least) * sizeof(*sheet->links));
		}
		sheet->links[sheet->link_count++] = link;
	}
}

// Utilisation as one of LEVELS + 1 levels: 0 only for a link that was idle.
static unsigned svg_links_level_of(const struct timeline *timeline, uint32_t link, uint32_t bin)
{
	const double level = ceil(LEVELS * timeline_busy(timeline, link, bin) - 1e-9);

	return level > LEVELS ? LEVELS : level < 0 ? 0 : (unsigned)level;
}

static void write_link_bins(const struct sheet *sheet, uint32_t link, double y)
{
	const struct timeline *timeline = sheet->timeline;
	const struct timeline_links *links = &timeline->links;

	for (uint32_t bin = 0, end; bin < links->bins; bin = end) {
		const unsigned level = svg_links_level_of(timeline, link, bin);
		double left;
		double width;

		for (end = bin + 1;
		     end < links->bins && svg_links_level_of(timeline, link, end) == level; end++)
			continue;
		left = sheet_x(sheet, links->start_ticks + links->width_ticks * bin);
		width = sheet_x(sheet, links->start_ticks + links->width_ticks * end) - left;
		if (level > 0 && width > 0)
			fprintf(sheet->out,
				"<rect class=\"k\" fill=\"#0b3c6f\" fill-opacity=\"%.3f\" "
				"x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"/>\n",
				(double)level / LEVELS, left, y + 1, width, SHEET_LINK_ROW - 2);
	}
}

static void write_link_legend(const struct sheet *sheet, double x, double y)
{
	sheet_text(sheet, SHEET_SOFT, x, y, "0 %");
	for (unsigned level = 1; level <= LEVELS; level++)
		fprintf(sheet->out,
			"<rect class=\"k\" fill=\"#0b3c6f\" fill-opacity=\"%.3f\" x=\"%.1f\" "
			"y=\"%.1f\" width=\"14\" height=\"8\"/>\n",
			(double)level / LEVELS, x + 10 + 14 * level, y - 8);
	sheet_text(sheet, SHEET_SOFT, x + 30 + 14 * LEVELS, y, "100 %");
}

void sheet_write_links(const struct sheet *sheet)
{
	const struct timeline *timeline = sheet->timeline;
	char name[NET_LINK_NAME_MAX];
	char width[48];

	if (sheet->link_count == 0)
		return;
	snprintf(name, sizeof(name), "%s links, share of %s us in which they were busy",
		 sheet->link_count < sheet->busy_links ? "The busiest" : "Busy",
		 timeline_us_between(timeline, 0, timeline->links.width_ticks, width,
				     sizeof(width)));
	sheet_text(sheet, SHEET_SOFT, sheet->left, sheet_links_top(sheet) - 8, name);
	write_link_legend(sheet, sheet->left + SHEET_PLOT - 180, sheet_links_top(sheet) - 8);
	for (uint32_t i = 0; i < sheet->link_count; i++) {
		const double y = sheet_links_top(sheet) + SHEET_LINK_ROW * i;

		sheet_name(sheet,
			   net_link_name(timeline->topology, sheet->links[i], name, sizeof(name)),
			   y + SHEET_LINK_ROW - 3);
		write_link_bins(sheet, sheet->links[i], y);
	}
}
