// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/section.h"

#include "value/escape.h"
#include "value/number.h"

#define HEIGHT 275
#define LEGEND_LINE 17

void overview_add(struct overview *overview, const struct stream *stream)
{
	if (overview->count < REPORT_STREAMS && stream->counts.open && stream_packets(stream) > 1 &&
	    stream_duration(stream) > 0)
		overview->list[overview->count++] = stream;
	overview->height = HEIGHT +
			   (overview->count > 1 ? LEGEND_LINE * (double)overview->count : 0);
}

struct overview overview_of(const struct report *report)
{
	struct overview overview = {.report = report};
	const struct stream *list[REPORT_STREAMS];
	const size_t all = report_streams(report, list, REPORT_STREAMS);

	for (size_t i = 0; i < all; i++)
		overview_add(&overview, list[i]);
	return overview;
}

static void add_caption(struct page *page, struct figure *figure, const struct overview *overview)
{
	const struct number width = number_width(overview_width(overview));
	char periods[160] = "";

	if (overview->list[0]->periodicity.judged.periods.count > 0)
		text_append(periods, sizeof(periods), "; vertical: the periods%s%.100s",
			    overview->count > 1 ? " of " : "",
			    overview->count > 1 ? overview->list[0]->label : "");
	page_caption(
		page, figure,
		"Times on this page start at the first packet%s. Counts: packets per bin of %s in "
		"at most %d columns, with their mean and range. Variance: variance of the packet "
		"rate over its squared mean; thin lines are least-squares fits. Spectrum: %s%s.",
		overview->count > 1 ? " of each trace" : "", width.text, TIMELINE_COLUMNS,
		overview->count > 1 ? "the highest power nearby"
				    : "highest and mean power of neighbouring frequencies",
		periods);
}

void overview_draw(const struct overview *overview, struct page *page)
{
	struct figure *figure;

	if (overview->count == 0)
		return;
	figure = page_figure(page, 2, "Overview of the traffic");
	counts_panel(figure, overview);
	variance_panel(figure, overview);
	spectrum_panel(figure, overview);
	add_caption(page, figure, overview);
}
