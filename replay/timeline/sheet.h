// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of a timeline's picture share. Lengths are in pixels, x to the right and y down.
#ifndef REPLAY_TIMELINE_SHEET_H
#define REPLAY_TIMELINE_SHEET_H

#include "timeline/cells.h"
#include "timeline/run_over_time.h"

#define SHEET_PLOT 1000.0      // width of the time axis
#define SHEET_LINKS_MAX 24u    // links drawn
#define SHEET_PATH_HEIGHT 48.0 // of the strip of a critical path below the rows
#define SHEET_LINK_ROW 12.0
#define SHEET_LINKS_GAP 36.0 // from the last row to the first link
#define SHEET_NAME_LETTERS_MAX 34
#define SHEET_ARROWS_MAX 500u	 // messages drawn
#define SHEET_LEGS_OVER_ROWS 80u // of a critical path
#define SHEET_PATH_NAME "critical path"

// A picture being written. Rows hold the tracks of a place, one below the other.
struct sheet {
	const struct timeline *timeline;
	FILE *out;
	struct timeline_scale scale;
	double left; // of the time axis
	double top;  // of the rows
	double row_height;
	uint32_t rows;
	bool arrows;	 // the messages are few enough to be drawn
	bool path_below; // the critical path changes its row too often to be drawn over them
	uint32_t links[SHEET_LINKS_MAX];
	uint32_t link_count;
	uint32_t busy_links; // drawn or not
	bool titled;
	size_t cells;
	double cell_top; // of the track being drawn
	double cell_height;
	int cell_does; // the only ones drawn
};

// The place of a time across the picture.
static inline double sheet_x(const struct sheet *sheet, int64_t ticks)
{
	return sheet->left + timeline_x(sheet->timeline, &sheet->scale, ticks);
}

// Height of a track.
static inline double sheet_track_height(const struct sheet *sheet)
{
	return sheet->row_height / sheet->timeline->tracks_per_place;
}

// Top of a track, without the gap between rows.
static inline double sheet_track_top(const struct sheet *sheet, uint32_t track)
{
	return sheet->top + sheet_track_height(sheet) * track;
}

// Lower end of the rows.
static inline double sheet_rows_bottom(const struct sheet *sheet)
{
	return sheet->top + sheet->row_height * sheet->rows;
}

// Of what belongs to the rows, the path below them too.
static inline double sheet_ranks_bottom(const struct sheet *sheet)
{
	return sheet_rows_bottom(sheet) + (sheet->path_below ? SHEET_PATH_HEIGHT : 0);
}

// Top of the links.
static inline double sheet_links_top(const struct sheet *sheet)
{
	return sheet_ranks_bottom(sheet) + SHEET_LINKS_GAP;
}

// Lower end of everything.
static inline double sheet_bottom(const struct sheet *sheet)
{
	return sheet->link_count > 0 ? sheet_links_top(sheet) + SHEET_LINK_ROW * sheet->link_count
				     : sheet_ranks_bottom(sheet);
}

// Attributes of text beside the drawing, and of what the legend explains.
#define SHEET_SOFT "class=\"s\" fill=\"#59616b\""
#define SHEET_WAITS "class=\"i\" stroke=\"#b9c0c8\" stroke-width=\"1.5\" fill=\"none\""
#define SHEET_QUEUED "class=\"q\" fill=\"#e69f00\" fill-opacity=\".3\""
#define SHEET_MESSAGE \
	"class=\"m\" stroke=\"#59616b\" stroke-width=\".9\" stroke-opacity=\".75\" fill=\"none\""
#define SHEET_CRITICAL_PATH \
	"class=\"c1\" stroke=\"#1b1f24\" stroke-width=\"2\" fill=\"none\" " \
	"stroke-linejoin=\"round\""
extern const char *const sheet_does_looks[TIMELINE_DOES];

// Writes text at a place, with these attributes; a name to the left of the time axis.
void sheet_text(const struct sheet *sheet, const char *look, double x, double y, const char *text);
void sheet_name(const struct sheet *sheet, const char *name, double y);

// --- svg_rows.c

// Decides what is drawn of the messages and of the critical path, in a sheet that has its timeline
// and rows.
void sheet_choose_detail(struct sheet *sheet);

// Writes the rows with their time axis, and over or below them what was chosen.
void sheet_write_rows(struct sheet *sheet);

// --- svg_links.c

// Chooses the busiest links; they stay in the order of their numbers.
void sheet_choose_links(struct sheet *sheet);

// Writes how busy they were, below the rows.
void sheet_write_links(const struct sheet *sheet);

#endif
