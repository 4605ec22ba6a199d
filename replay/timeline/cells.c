// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/cells.h"

#include <math.h>

struct merge {
	const struct timeline_scale *scale;
	void (*visit)(void *context, const struct timeline_cell *cell);
	void *context;
	double shares[TIMELINE_DOES]; // of the current pixel
	double pixel;		      // its left end
	bool filled;
	struct timeline_cell run; // of pixels; empty if its ends are equal
};

static void cells_end_run(struct merge *merge)
{
	if (merge->run.right > merge->run.left)
		merge->visit(merge->context, &merge->run);
	merge->run.left = merge->run.right = 0;
}

static void end_pixel(struct merge *merge)
{
	enum timeline_does most = TIMELINE_COMPUTES;
	const double right = fmin(merge->pixel + merge->scale->pixel, merge->scale->width);

	if (!merge->filled)
		return;
	for (enum timeline_does does = 0; does < TIMELINE_DOES; does++) {
		if (merge->shares[does] > merge->shares[most])
			most = does;
	}
	if (merge->run.right < merge->pixel || merge->run.does != most ||
	    merge->run.right <= merge->run.left) {
		cells_end_run(merge);
		merge->run = (struct timeline_cell){.left = merge->pixel, .does = most};
	}
	merge->run.right = right;
	for (enum timeline_does does = 0; does < TIMELINE_DOES; does++)
		merge->shares[does] = 0;
	merge->filled = false;
}

static void add_narrow(struct merge *merge, double left, double right, enum timeline_does does)
{
	const double pixel = merge->scale->pixel * floor(left / merge->scale->pixel);

	if (merge->filled && pixel != merge->pixel)
		end_pixel(merge);
	merge->pixel = pixel;
	merge->shares[does] += right - left;
	merge->filled = true;
}

void timeline_cells(const struct timeline *timeline, uint32_t track,
		    const struct timeline_scale *scale,
		    void (*visit)(void *context, const struct timeline_cell *cell), void *context)
{
	struct merge merge = {.scale = scale, .visit = visit, .context = context};

	for (uint32_t i = timeline->spans.first[track]; i < timeline->spans.first[track + 1]; i++) {
		const struct timeline_span *span = &timeline->spans.items[i];
		const double left = timeline_x(timeline, scale, span->begin_ticks);
		const double right = timeline_x(timeline, scale, span->end_ticks);

		if (right <= left)
			continue;
		if (right - left < scale->pixel) {
			add_narrow(&merge, left, right, span->does);
			continue;
		}
		end_pixel(&merge);
		cells_end_run(&merge);
		visit(context, &(struct timeline_cell){left, right, span, span->does});
	}
	end_pixel(&merge);
	cells_end_run(&merge);
}
