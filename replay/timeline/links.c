// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/run_over_time.h"

static int64_t *links_bin_of(const struct timeline_links *links, uint32_t link, uint32_t bin)
{
	return &links->busy_ticks[(size_t)link * TIMELINE_BINS + bin];
}

// Joins pairs of intervals.
static void links_fold(struct timeline_links *links)
{
	for (uint32_t link = 0; link < links->count; link++) {
		for (uint32_t bin = 0; bin < TIMELINE_BINS / 2; bin++)
			*links_bin_of(links, link, bin) = *links_bin_of(links, link, 2 * bin) +
							  *links_bin_of(links, link, 2 * bin + 1);
		for (uint32_t bin = TIMELINE_BINS / 2; bin < TIMELINE_BINS; bin++)
			*links_bin_of(links, link, bin) = 0;
	}
	links->bins = (links->bins + 1) / 2;
	links->width_ticks *= 2;
}

void timeline_add_sample(struct timeline *timeline, const struct tr_link *sample)
{
	const struct timeline_window *window = &timeline->window;
	struct timeline_links *links = &timeline->links;
	int64_t bin;

	if (sample->busy_ticks == 0 || sample->start_ticks >= window->to_ticks ||
	    sample->start_ticks + sample->width_ticks <= window->from_ticks)
		return;
	if (links->width_ticks == 0) {
		links->width_ticks = sample->width_ticks;
		links->start_ticks = sample->start_ticks;
	}
	while ((bin = (sample->start_ticks - links->start_ticks) / links->width_ticks) >=
	       (int64_t)TIMELINE_BINS)
		links_fold(links);
	if ((uint32_t)bin >= links->bins)
		links->bins = (uint32_t)bin + 1;
	*links_bin_of(links, sample->link, (uint32_t)bin) += sample->busy_ticks;
}

double timeline_busy(const struct timeline *timeline, uint32_t link, uint32_t bin)
{
	return (double)*links_bin_of(&timeline->links, link, bin) /
	       (double)timeline->links.width_ticks;
}

bool timeline_shows_link(const struct timeline *timeline, uint32_t link)
{
	if (timeline->window.links && !timeline->window.links[link])
		return false;
	for (uint32_t bin = 0; bin < timeline->links.bins; bin++)
		if (*links_bin_of(&timeline->links, link, bin) > 0)
			return true;
	return false;
}
