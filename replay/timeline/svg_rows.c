// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a timeline's picture: what each place did, the messages between them, and the
// critical path.
#include <inttypes.h>
#include <math.h>

#include "timeline/sheet.h"
#include "value/escape.h"
#include "value/ticks.h"

#define TITLED_MAX 6000u  // boxes with a text of their own
#define QUEUED_MAX 20000u // packets whose time in the queue is drawn
#define LEG_LEAST 0.3	  // of the critical path, in pixels

#define STRIPE "class=\"w\" fill=\"#f3f5f7\""
#define GRID "class=\"g\" stroke=\"#d5dae0\" fill=\"none\""
#define AXIS "class=\"a\" fill=\"#59616b\" text-anchor=\"middle\""
#define AROUND_PATH \
	"class=\"c0\" stroke=\"#fff\" stroke-width=\"5\" stroke-opacity=\".75\" fill=\"none\" " \
	"stroke-linejoin=\"round\""
#define CRITICAL_PATH_BELOW \
	"class=\"c1\" stroke=\"#1b1f24\" stroke-width=\"1\" fill=\"none\" " \
	"stroke-linejoin=\"round\""

const char *const sheet_does_looks[TIMELINE_DOES] = {
	[TIMELINE_COMPUTES] = "class=\"d0\" fill=\"#0072b2\"",
	[TIMELINE_SENDS] = "class=\"d1\" fill=\"#e69f00\"",
	[TIMELINE_RECEIVES] = "class=\"d2\" fill=\"#009e73\"",
	[TIMELINE_POSTS] = "class=\"d2\" fill=\"#009e73\"",
};

// The largest of 1, 2 or 5 times a power of ten that is at most value; value is above 0.
static double round_down(double value)
{
	const double power = pow(10, floor(log10(value)));

	return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}

static void svg_rows_write_axis(const struct sheet *sheet)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
	const struct timeline *timeline = sheet->timeline;
	const double begin_s = tr_ticks_seconds(timeline->begin_ticks, timeline->ticks_per_s);
	const double whole_s = tr_ticks_seconds(timeline->end_ticks - timeline->begin_ticks,
						timeline->ticks_per_s);
	const double step_s = round_down(whole_s / 7);
	size_t unit = 0;

	while (unit + 1 < sizeof(units) / sizeof(*units) && begin_s + whole_s < units[unit].seconds)
		unit++;
	for (double at = ceil(begin_s / step_s); at * step_s <= begin_s + whole_s * (1 + 1e-9);
	     at++) {
		const double x = sheet->left + SHEET_PLOT * (at * step_s - begin_s) / whole_s;
		char label[48];

		snprintf(label, sizeof(label), "%.10g %s", at * (step_s / units[unit].seconds),
			 units[unit].name);
		fprintf(sheet->out, "<path " GRID " d=\"M%.1f %.1fV%.1f\"/>\n", x, sheet->top - 3,
			sheet_bottom(sheet) + 4);
		sheet_text(sheet, AXIS, x, sheet->top - 6, label);
		sheet_text(sheet, AXIS, x, sheet_bottom(sheet) + 16, label);
	}
}

static void write_track_title(const struct sheet *sheet, const struct timeline_span *span)
{
	const struct timeline *timeline = sheet->timeline;
	char name[TIMELINE_NAME_MAX];
	char from[48];
	char to[48];

	fputs("<title>", sheet->out);
	text_write_markup(sheet->out,
			  timeline_place_name(timeline, span->track / timeline->tracks_per_place,
					      name, sizeof(name)));
	fprintf(sheet->out, " %s, %s us to %s us", timeline_does_name(span->does),
		timeline_us(timeline, span->begin_ticks, from, sizeof(from)),
		timeline_us(timeline, span->end_ticks, to, sizeof(to)));
	if (span->line > 0)
		fprintf(sheet->out, ", line %" PRIu32, span->line);
	fprintf(sheet->out, "%s</title>", span->critical ? ", on the critical path" : "");
}

static void count_cell(void *context, const struct timeline_cell *cell)
{
	struct sheet *sheet = context;

	(void)cell;
	sheet->cells++;
}

static void write_titled_cell(void *context, const struct timeline_cell *cell)
{
	const struct sheet *sheet = context;

	fprintf(sheet->out, "<rect %s x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"",
		sheet_does_looks[cell->does], sheet->left + cell->left, sheet->cell_top,
		cell->right - cell->left, sheet->cell_height);
	if (cell->span) {
		fputc('>', sheet->out);
		write_track_title(sheet, cell->span);
		fputs("</rect>\n", sheet->out);
	} else {
		fputs("/>\n", sheet->out);
	}
}

static void write_plain_cell(void *context, const struct timeline_cell *cell)
{
	const struct sheet *sheet = context;

	if ((int)cell->does == sheet->cell_does)
		fprintf(sheet->out, "M%.1f %.1fh%.1fv%.1fh%.1fz", sheet->left + cell->left,
			sheet->cell_top, cell->right - cell->left, sheet->cell_height,
			cell->left - cell->right);
}

static void svg_rows_write_track(struct sheet *sheet, uint32_t track)
{
	const double height = sheet_track_height(sheet);

	sheet->cell_height = height >= 5 ? height - 2 : height * 0.8;
	sheet->cell_top = sheet_track_top(sheet, track) + (height - sheet->cell_height) / 2;
	if (sheet->titled) {
		timeline_cells(sheet->timeline, track, &sheet->scale, write_titled_cell, sheet);
		return;
	}
	for (sheet->cell_does = 0; sheet->cell_does < TIMELINE_DOES; sheet->cell_does++) {
		fprintf(sheet->out, "<path %s d=\"", sheet_does_looks[sheet->cell_does]);
		timeline_cells(sheet->timeline, track, &sheet->scale, write_plain_cell, sheet);
		fputs("\"/>\n", sheet->out);
	}
}

// A processor that has steps left waits between them.
static void write_waits(const struct sheet *sheet, uint32_t track)
{
	const struct timeline *timeline = sheet->timeline;
	const uint32_t end = timeline->spans.first[track + 1];

	if (end > timeline->spans.first[track])
		fprintf(sheet->out, "<path " SHEET_WAITS " d=\"M%.1f %.1fH%.1f\"/>\n",
			sheet_x(sheet, timeline->begin_ticks),
			sheet_track_top(sheet, track) + sheet_track_height(sheet) / 2,
			sheet_x(sheet, timeline->spans.items[end - 1].end_ticks));
}

static void write_tracks(struct sheet *sheet)
{
	const struct timeline *timeline = sheet->timeline;
	const uint32_t every = (uint32_t)ceil(10 / sheet->row_height);
	char name[TIMELINE_NAME_MAX];

	for (uint32_t row = 0; row < sheet->rows; row++) {
		const double top = sheet_track_top(sheet, row * timeline->tracks_per_place);

		if (row % 2 == 0)
			fprintf(sheet->out,
				"<rect " STRIPE
				" x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.1f\"/>\n",
				sheet->left, top, SHEET_PLOT, sheet->row_height);
		if (row % every == 0)
			sheet_name(sheet, timeline_place_name(timeline, row, name, sizeof(name)),
				   top + fmin(sheet->row_height, 12) / 2 +
					   fmax(0, sheet->row_height - 12) / 2 + 3.5);
	}
	svg_rows_write_axis(sheet);
	for (uint32_t track = 0; track < sheet->rows * timeline->tracks_per_place; track++)
		timeline_cells(timeline, track, &sheet->scale, count_cell, sheet);
	sheet->titled = sheet->cells <= TITLED_MAX;
	for (uint32_t track = 0; track < sheet->rows * timeline->tracks_per_place; track++) {
		if (timeline->program)
			write_waits(sheet, track);
		svg_rows_write_track(sheet, track);
	}
}

// When packets waited in the queues of their hosts.
static void write_queues(const struct sheet *sheet)
{
	const struct timeline *timeline = sheet->timeline;
	const double height = sheet_track_height(sheet);

	if (timeline->program || timeline->packets.count > QUEUED_MAX)
		return;
	fputs("<path " SHEET_QUEUED " d=\"", sheet->out);
	for (size_t i = 0; i < timeline->packets.count; i++) {
		const struct timeline_message *packet = &timeline->packets.items[i];
		const int64_t end_ticks = packet->begin_ticks >= 0 ? packet->begin_ticks
								   : packet->end_ticks;
		const double left = sheet_x(sheet, packet->created_ticks);
		const double width = sheet_x(sheet, end_ticks) - left;

		if (packet->from < sheet->rows && width > 0.2)
			fprintf(sheet->out, "M%.1f %.1fh%.1fv%.1fh%.1fz", left,
				sheet_track_top(sheet, packet->from * timeline->tracks_per_place) +
					height * 0.1,
				width, height * 0.8, -width);
	}
	fputs("\"/>\n", sheet->out);
}

static double middle(const struct sheet *sheet, uint32_t span, uint32_t place)
{
	const struct timeline *timeline = sheet->timeline;
	const uint32_t track = span != TIMELINE_NONE ? timeline->spans.items[span].track
						     : place * timeline->tracks_per_place;

	return sheet_track_top(sheet, track) + sheet_track_height(sheet) / 2;
}

// A place in the picture.
struct spot {
	double x;
	double y;
};

// Where the line between two places, which differ in time, passes x.
static struct spot svg_rows_cut_at(struct spot one, struct spot other, double x)
{
	return (struct spot){x, one.y + (other.y - one.y) * (x - one.x) / (other.x - one.x)};
}

// An arrow that leaves the time shown is cut at its edge, and has no head there.
static void write_shaft(const struct sheet *sheet, struct spot from, struct spot to)
{
	const double right = sheet->left + SHEET_PLOT;
	const bool arrives = to.x <= right;
	const struct spot begin = from.x < sheet->left ? svg_rows_cut_at(from, to, sheet->left)
						       : from;
	const struct spot end = arrives ? to : svg_rows_cut_at(from, to, right);

	fprintf(sheet->out, "<path " SHEET_MESSAGE " d=\"M%.2f %.1fL%.2f %.1f\"%s>", begin.x,
		begin.y, end.x, end.y,
		arrives && sheet->row_height >= 10 ? " marker-end=\"url(#head)\"" : "");
}

static double uncut_x(const struct sheet *sheet, int64_t ticks)
{
	const struct timeline *timeline = sheet->timeline;

	return sheet->left + SHEET_PLOT * (double)(ticks - timeline->begin_ticks) /
				     (double)(timeline->end_ticks - timeline->begin_ticks);
}

static void write_arrow(const struct sheet *sheet, const struct timeline_message *message)
{
	const struct timeline *timeline = sheet->timeline;
	const struct spot from = {uncut_x(sheet, message->begin_ticks),
				  middle(sheet, message->from_span, message->from)};
	const struct spot to = {uncut_x(sheet, message->end_ticks),
				middle(sheet, message->to_span, message->to)};
	char name[TIMELINE_NAME_MAX];
	char time[48];

	write_shaft(sheet, from, to);
	fputs("<title>", sheet->out);
	text_write_markup(sheet->out,
			  timeline_place_name(timeline, message->from, name, sizeof(name)));
	fputs(" to ", sheet->out);
	text_write_markup(sheet->out,
			  timeline_place_name(timeline, message->to, name, sizeof(name)));
	fprintf(sheet->out, ", %" PRIu64 " B", message->size_bytes);
	if (timeline->program)
		fprintf(sheet->out, ", tag %" PRIu32, message->tag);
	fprintf(sheet->out, ", %s us",
		timeline_us(timeline, message->begin_ticks, time, sizeof(time)));
	fprintf(sheet->out, " to %s us</title></path>\n",
		timeline_us(timeline, message->end_ticks, time, sizeof(time)));
}

static bool is_message_shown(const struct timeline *timeline,
			     const struct timeline_message *message)
{
	return message->end_ticks >= timeline->begin_ticks &&
	       message->created_ticks < timeline->end_ticks;
}

static void write_arrows(const struct sheet *sheet)
{
	const struct timeline_messages *list = timeline_arrows(sheet->timeline);

	for (size_t i = 0; i < list->count; i++) {
		const struct timeline_message *message = &list->items[i];

		if (message->begin_ticks >= 0 && !message->lost && message->from < sheet->rows &&
		    message->to < sheet->rows && is_message_shown(sheet->timeline, message))
			write_arrow(sheet, message);
	}
}

// Where the critical path is on a track: in its row, or as high in the strip below the rows as the
// track among them.
static double leg_y(const struct sheet *sheet, uint32_t track)
{
	const double middle = sheet_track_top(sheet, track) + sheet_track_height(sheet) / 2;
	const double height = sheet_rows_bottom(sheet) - sheet->top;

	if (!sheet->path_below)
		return middle;
	return sheet_rows_bottom(sheet) +
	       SHEET_PATH_HEIGHT * (0.2 + 0.7 * (middle - sheet->top) / height);
}

// The line breaks where the path is on a row that is not drawn, and is cut where it leaves the time
// shown.
static void write_critical(const struct sheet *sheet, const char *look)
{
	const struct timeline *timeline = sheet->timeline;
	const double right = sheet->left + SHEET_PLOT;
	struct spot before = {NAN, NAN};
	double last = -1;
	char join = 'M';

	fprintf(sheet->out, "<path %s pointer-events=\"none\" d=\"", look);
	for (size_t i = 0; i < timeline->legs.count && !(before.x > right); i++) {
		const struct timeline_leg *leg = &timeline->legs.items[i];
		const double y = leg_y(sheet, leg->track);
		const struct spot enters = {uncut_x(sheet, leg->begin_ticks), y};
		const struct spot leaves = {uncut_x(sheet, leg->left_ticks), y};

		if (leg->track >= sheet->rows * timeline->tracks_per_place) {
			join = 'M';
			before = (struct spot){NAN, NAN};
			continue;
		}
		if (before.x < sheet->left && enters.x > sheet->left) {
			const struct spot edge = svg_rows_cut_at(before, enters, sheet->left);

			fprintf(sheet->out, "M%.2f %.1f", edge.x, edge.y);
			join = 'L';
		}
		if (before.x < right && enters.x > right) {
			const struct spot edge = svg_rows_cut_at(before, enters, right);

			fprintf(sheet->out, "%c%.2f %.1f", join, edge.x, edge.y);
		}
		before = leaves;
		if (leaves.x < sheet->left || enters.x > right ||
		    fmin(leaves.x, right) - last < LEG_LEAST)
			continue;
		last = fmin(leaves.x, right);
		fprintf(sheet->out, "%c%.2f %.1fH%.2f", join, fmax(enters.x, sheet->left), y, last);
		join = 'L';
	}
	fputs("\"/>\n", sheet->out);
}

void sheet_choose_detail(struct sheet *sheet)
{
	const struct timeline *timeline = sheet->timeline;
	const struct timeline_messages *list = timeline_arrows(timeline);
	size_t messages = 0;
	size_t legs = 0;

	for (size_t i = 0; i < list->count; i++)
		messages += is_message_shown(timeline, &list->items[i]);
	for (size_t i = 0; i < timeline->legs.count; i++)
		legs += timeline->legs.items[i].left_ticks >= timeline->begin_ticks &&
			timeline->legs.items[i].begin_ticks < timeline->end_ticks;
	sheet->arrows = messages <= SHEET_ARROWS_MAX;
	sheet->path_below = legs > SHEET_LEGS_OVER_ROWS;
}

void sheet_write_rows(struct sheet *sheet)
{
	write_tracks(sheet);
	write_queues(sheet);
	if (sheet->arrows)
		write_arrows(sheet);
	if (sheet->timeline->legs.count == 0)
		return;
	if (!sheet->path_below)
		write_critical(sheet, AROUND_PATH);
	write_critical(sheet, sheet->path_below ? CRITICAL_PATH_BELOW : SHEET_CRITICAL_PATH);
	if (sheet->path_below)
		sheet_name(sheet, SHEET_PATH_NAME,
			   sheet_rows_bottom(sheet) + SHEET_PATH_HEIGHT * 0.6);
}
