// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "timeline/sheet.h"
#include "trace/escape.h"
#include "trace/ticks.h"

#define ROWS_MAX 512u	  // places drawn
#define ROWS_SMALL 128u	  // with more, boxes are two pixels wide at least
#define TITLED_MAX 6000u  // boxes with a text of their own
#define ARROWS_MAX 500u	  // messages drawn
#define QUEUED_MAX 20000u // packets whose time in the queue is drawn
#define PATH_NAME "critical path"
#define LEGS_OVER_ROWS 80u // of a critical path
#define LEG_LEAST 0.3	   // of the critical path, in pixels

#define LETTER 6.1
#define MARGIN 20.0
#define TITLE_Y 22.0
#define COUNTS_Y 40.0
#define LEGEND_Y 52.0
#define AXIS_Y 88.0
#define FOOT 34.0

// Okabe and Ito, Color Universal Design (2008): blue, orange and bluish green, which also differ in grey. They are attributes, which
// every viewer has; a style only replaces them on dark pages.
#define TITLE "class=\"t\" font-size=\"14\" font-weight=\"bold\""
#define PAPER "class=\"p\" fill=\"#fff\""
#define STRIPE "class=\"w\" fill=\"#f3f5f7\""
#define GRID "class=\"g\" stroke=\"#d5dae0\" fill=\"none\""
#define WAITS "class=\"i\" stroke=\"#b9c0c8\" stroke-width=\"1.5\" fill=\"none\""
#define QUEUED "class=\"q\" fill=\"#e69f00\" fill-opacity=\".3\""
#define MESSAGE "class=\"m\" stroke=\"#59616b\" stroke-width=\".9\" stroke-opacity=\".75\" fill=\"none\""
#define AXIS "class=\"a\" fill=\"#59616b\" text-anchor=\"middle\""
#define HEAD "class=\"h\" fill=\"#59616b\""
#define AROUND_PATH \
	"class=\"c0\" stroke=\"#fff\" stroke-width=\"5\" stroke-opacity=\".75\" fill=\"none\" stroke-linejoin=\"round\""
#define CRITICAL_PATH_BELOW "class=\"c1\" stroke=\"#1b1f24\" stroke-width=\"1\" fill=\"none\" stroke-linejoin=\"round\""
#define CRITICAL_PATH "class=\"c1\" stroke=\"#1b1f24\" stroke-width=\"2\" fill=\"none\" stroke-linejoin=\"round\""

static const char *const does_looks[TIMELINE_DOES] = {
	[TIMELINE_COMPUTES] = "class=\"d0\" fill=\"#0072b2\"",
	[TIMELINE_SENDS] = "class=\"d1\" fill=\"#e69f00\"",
	[TIMELINE_RECEIVES] = "class=\"d2\" fill=\"#009e73\"",
	[TIMELINE_POSTS] = "class=\"d2\" fill=\"#009e73\"",
};

// ":root" keeps those away who take what is in @media for rules of their own, such as LibreOffice.
static const char style[] =
	".m:hover{stroke:#d55e00;stroke-width:2.5;stroke-opacity:1}\n"
	"@media(prefers-color-scheme:dark){:root text{fill:#e6e8eb}:root .s,:root .a,:root .h{fill:#a4acb6}:root .p{fill:#15181c}"
	":root .w{fill:#1c2025}:root .g{stroke:#3a4149}:root .i{stroke:#59616b}:root .d0{fill:#56b4e9}:root .d2{fill:#2fd3a4}"
	":root .m{stroke:#a4acb6}:root .c0{stroke:#15181c}:root .c1{stroke:#e6e8eb}:root .k{fill:#8fd0ff}}\n";

static void widen(double *left, const char *name)
{
	const size_t letters = strlen(name);

	*left = fmax(*left, LETTER * (double)(letters < SHEET_NAME_LETTERS_MAX ? letters : SHEET_NAME_LETTERS_MAX));
}

static void lay_out(struct sheet *sheet)
{
	const struct timeline *timeline = sheet->timeline;
	char name[NET_LINK_NAME_MAX];

	sheet->rows = timeline->places < ROWS_MAX ? timeline->places : ROWS_MAX;
	sheet->row_height = sheet->rows <= 32 ? 20 : sheet->rows <= 100 ? 12 : sheet->rows <= 256 ? 6 : 4;
	sheet->scale = (struct timeline_scale){SHEET_PLOT, sheet->rows <= ROWS_SMALL ? 1 : 2};
	sheet->path_below = timeline->legs.count > LEGS_OVER_ROWS;
	sheet_choose_links(sheet);
	for (uint32_t row = 0; row < sheet->rows; row++)
		widen(&sheet->left, timeline_place_name(timeline, row, name, sizeof(name)));
	for (uint32_t i = 0; i < sheet->link_count; i++)
		widen(&sheet->left, net_link_name(timeline->topology, sheet->links[i], name, sizeof(name)));
	if (sheet->path_below)
		widen(&sheet->left, PATH_NAME);
	sheet->left += MARGIN + 6;
}

void sheet_name(const struct sheet *sheet, const char *name, double y)
{
	char label[TEXT_LABEL_BYTES];

	fprintf(sheet->out, "<text text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\">", sheet->left - 6, y);
	text_write_markup(sheet->out, text_shorten(name, SHEET_NAME_LETTERS_MAX, label));
	fputs("</text>\n", sheet->out);
}

void sheet_text(const struct sheet *sheet, const char *look, double x, double y, const char *text)
{
	fprintf(sheet->out, "<text %s x=\"%.1f\" y=\"%.1f\">", look, x, y);
	text_write_markup(sheet->out, text);
	fputs("</text>\n", sheet->out);
}

static void write_head(const struct sheet *sheet, const char *title, const char *comments)
{
	const double width = sheet->left + SHEET_PLOT + 2 * MARGIN;
	const double height = sheet_bottom(sheet) + FOOT;

	fprintf(sheet->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\" font-family=\"DejaVu Sans Mono,ui-monospace,monospace\" font-size=\"10\" fill=\"#1b1f24\">\n"
		"<title>",
		width, height, width, height);
	text_write_markup(sheet->out, title);
	fputs("</title>\n<desc>", sheet->out);
	text_write_markup_lines(sheet->out, comments);
	fprintf(sheet->out,
		"</desc>\n<style>\n%s</style>\n<defs><marker id=\"head\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" "
		"markerWidth=\"5\" markerHeight=\"5\" orient=\"auto\"><path " HEAD " d=\"M0 0L6 3L0 6z\"/></marker></defs>\n"
		"<rect " PAPER " width=\"100%%\" height=\"100%%\"/>\n",
		style);
	sheet_text(sheet, TITLE, MARGIN, TITLE_Y, title);
}

static void write_counts(const struct sheet *sheet)
{
	const struct timeline *timeline = sheet->timeline;
	const struct timeline_messages *arrows = timeline_arrows(timeline);
	char from[48];
	char to[48];
	char text[512];

	snprintf(text, sizeof(text), "%" PRIu32 " %s%s, %zu %s%s, from %s us to %s us", timeline->places,
		 timeline->program ? "rank" : "host", timeline->places == 1 ? "" : "s", arrows->count,
		 timeline->program ? "message" : "packet", arrows->count == 1 ? "" : "s",
		 timeline_us(timeline, timeline->begin_ticks, from, sizeof(from)),
		 timeline_us(timeline, timeline->end_ticks, to, sizeof(to)));
	if (sheet->rows < timeline->places)
		text_append(text, sizeof(text), "; the first %" PRIu32 " drawn", sheet->rows);
	if (arrows->count > ARROWS_MAX)
		text_append(text, sizeof(text), "; arrows are drawn for up to %u, --only FROM..TO narrows the time",
			    ARROWS_MAX);
	sheet_text(sheet, SHEET_SOFT, MARGIN, COUNTS_Y, text);
}

// A sample and its word; returns where the next may begin.
static double write_key(const struct sheet *sheet, double x, const char *sample, const char *word)
{
	fprintf(sheet->out, "<g transform=\"translate(%.1f %.1f)\">%s<text x=\"28\" y=\"9\">%s</text></g>\n", x, LEGEND_Y,
		sample, word);
	return x + 28 + LETTER * (double)strlen(word) + 22;
}

static double write_does_key(const struct sheet *sheet, double x, enum timeline_does does, const char *word)
{
	char sample[120];

	snprintf(sample, sizeof(sample), "<rect %s width=\"22\" height=\"10\"/>", does_looks[does]);
	return write_key(sheet, x, sample, word);
}

static void write_legend(const struct sheet *sheet)
{
	const struct timeline *timeline = sheet->timeline;
	double x = MARGIN;

	if (timeline->program)
		x = write_does_key(sheet, x, TIMELINE_COMPUTES, "computes");
	x = write_does_key(sheet, x, TIMELINE_SENDS, "sends");
	x = write_does_key(sheet, x, TIMELINE_RECEIVES, "receives");
	if (timeline->program)
		x = write_key(sheet, x, "<path " WAITS " d=\"M0 5h22\"/>", "waits");
	else
		x = write_key(sheet, x, "<rect " QUEUED " width=\"22\" height=\"10\"/>", "packets in the queue");
	if (timeline_arrows(timeline)->count <= ARROWS_MAX)
		x = write_key(sheet, x, "<path " MESSAGE " d=\"M0 5h21\" marker-end=\"url(#head)\"/>",
			      timeline->program ? "message" : "packet");
	if (timeline->legs.count > 0)
		(void)write_key(sheet, x, "<path " CRITICAL_PATH " d=\"M0 5h22\"/>", "critical path");
}

// The largest of 1, 2 or 5 times a power of ten that is at most value; value is above 0.
static double round_down(double value)
{
	const double power = pow(10, floor(log10(value)));

	return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}

static void write_axis(const struct sheet *sheet)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
	const struct timeline *timeline = sheet->timeline;
	const double begin_s = tr_ticks_seconds(timeline->begin_ticks, timeline->ticks_per_s);
	const double whole_s = tr_ticks_seconds(timeline->end_ticks - timeline->begin_ticks, timeline->ticks_per_s);
	const double step_s = round_down(whole_s / 7);
	size_t unit = 0;

	while (unit + 1 < sizeof(units) / sizeof(*units) && begin_s + whole_s < units[unit].seconds)
		unit++;
	for (double at = ceil(begin_s / step_s); at * step_s <= begin_s + whole_s * (1 + 1e-9); at++) {
		const double x = sheet->left + SHEET_PLOT * (at * step_s - begin_s) / whole_s;
		char label[48];

		snprintf(label, sizeof(label), "%.10g %s", at * (step_s / units[unit].seconds), units[unit].name);
		fprintf(sheet->out, "<path " GRID " d=\"M%.1f %.1fV%.1f\"/>\n", x, AXIS_Y + 3, sheet_bottom(sheet) + 4);
		sheet_text(sheet, AXIS, x, AXIS_Y, label);
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
			  timeline_place_name(timeline, span->track / timeline->tracks_per_place, name, sizeof(name)));
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

	fprintf(sheet->out, "<rect %s x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"", does_looks[cell->does],
		sheet->left + cell->left, sheet->cell_top, cell->right - cell->left, sheet->cell_height);
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
		fprintf(sheet->out, "M%.1f %.1fh%.1fv%.1fh%.1fz", sheet->left + cell->left, sheet->cell_top,
			cell->right - cell->left, sheet->cell_height, cell->left - cell->right);
}

static void write_track(struct sheet *sheet, uint32_t track)
{
	const double height = sheet_track_height(sheet);

	sheet->cell_height = height >= 5 ? height - 2 : height * 0.8;
	sheet->cell_top = sheet_track_top(sheet, track) + (height - sheet->cell_height) / 2;
	if (sheet->titled) {
		timeline_cells(sheet->timeline, track, &sheet->scale, write_titled_cell, sheet);
		return;
	}
	for (sheet->cell_does = 0; sheet->cell_does < TIMELINE_DOES; sheet->cell_does++) {
		fprintf(sheet->out, "<path %s d=\"", does_looks[sheet->cell_does]);
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
		fprintf(sheet->out, "<path " WAITS " d=\"M%.1f %.1fH%.1f\"/>\n", sheet_x(sheet, timeline->begin_ticks),
			sheet_track_top(sheet, track) + sheet_track_height(sheet) / 2,
			sheet_x(sheet, timeline->spans.items[end - 1].end_ticks));
}

static void write_rows(struct sheet *sheet)
{
	const struct timeline *timeline = sheet->timeline;
	const uint32_t every = (uint32_t)ceil(10 / sheet->row_height);
	char name[TIMELINE_NAME_MAX];

	for (uint32_t row = 0; row < sheet->rows; row++) {
		const double top = sheet_track_top(sheet, row * timeline->tracks_per_place);

		if (row % 2 == 0)
			fprintf(sheet->out, "<rect " STRIPE " x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.1f\"/>\n",
				sheet->left, top, SHEET_PLOT, sheet->row_height);
		if (row % every == 0)
			sheet_name(sheet, timeline_place_name(timeline, row, name, sizeof(name)),
				   top + fmin(sheet->row_height, 12) / 2 + fmax(0, sheet->row_height - 12) / 2 + 3.5);
	}
	write_axis(sheet);
	for (uint32_t track = 0; track < sheet->rows * timeline->tracks_per_place; track++)
		timeline_cells(timeline, track, &sheet->scale, count_cell, sheet);
	sheet->titled = sheet->cells <= TITLED_MAX;
	for (uint32_t track = 0; track < sheet->rows * timeline->tracks_per_place; track++) {
		if (timeline->program)
			write_waits(sheet, track);
		write_track(sheet, track);
	}
}

// When packets waited in the queues of their hosts.
static void write_queues(const struct sheet *sheet)
{
	const struct timeline *timeline = sheet->timeline;
	const double height = sheet_track_height(sheet);

	if (timeline->program || timeline->packets.count > QUEUED_MAX)
		return;
	fputs("<path " QUEUED " d=\"", sheet->out);
	for (size_t i = 0; i < timeline->packets.count; i++) {
		const struct timeline_message *packet = &timeline->packets.items[i];
		const int64_t end_ticks = packet->begin_ticks >= 0 ? packet->begin_ticks : packet->end_ticks;
		const double left = sheet_x(sheet, packet->created_ticks);
		const double width = sheet_x(sheet, end_ticks) - left;

		if (packet->from < sheet->rows && width > 0.2)
			fprintf(sheet->out, "M%.1f %.1fh%.1fv%.1fh%.1fz", left,
				sheet_track_top(sheet, packet->from * timeline->tracks_per_place) + height * 0.1, width,
				height * 0.8, -width);
	}
	fputs("\"/>\n", sheet->out);
}

static double middle(const struct sheet *sheet, uint32_t span, uint32_t place)
{
	const struct timeline *timeline = sheet->timeline;
	const uint32_t track = span != TIMELINE_NONE ? timeline->spans.items[span].track : place * timeline->tracks_per_place;

	return sheet_track_top(sheet, track) + sheet_track_height(sheet) / 2;
}

static void write_arrow(const struct sheet *sheet, const struct timeline_message *message)
{
	const struct timeline *timeline = sheet->timeline;
	char name[TIMELINE_NAME_MAX];
	char time[48];

	fprintf(sheet->out, "<path " MESSAGE " d=\"M%.2f %.1fL%.2f %.1f\"%s><title>", sheet_x(sheet, message->begin_ticks),
		middle(sheet, message->from_span, message->from), sheet_x(sheet, message->end_ticks),
		middle(sheet, message->to_span, message->to), sheet->row_height >= 10 ? " marker-end=\"url(#head)\"" : "");
	text_write_markup(sheet->out, timeline_place_name(timeline, message->from, name, sizeof(name)));
	fputs(" to ", sheet->out);
	text_write_markup(sheet->out, timeline_place_name(timeline, message->to, name, sizeof(name)));
	fprintf(sheet->out, ", %" PRIu64 " B", message->size_bytes);
	if (timeline->program)
		fprintf(sheet->out, ", tag %" PRIu32, message->tag);
	fprintf(sheet->out, ", %s us", timeline_us(timeline, message->begin_ticks, time, sizeof(time)));
	fprintf(sheet->out, " to %s us</title></path>\n", timeline_us(timeline, message->end_ticks, time, sizeof(time)));
}

static void write_arrows(const struct sheet *sheet)
{
	const struct timeline_messages *list = timeline_arrows(sheet->timeline);

	for (size_t i = 0; i < list->count && list->count <= ARROWS_MAX; i++) {
		const struct timeline_message *message = &list->items[i];

		if (message->begin_ticks >= 0 && !message->lost && message->from < sheet->rows && message->to < sheet->rows)
			write_arrow(sheet, message);
	}
}

// Where the critical path is on a track: in its row, or as high in the strip below the rows as the track among them.
static double leg_y(const struct sheet *sheet, uint32_t track)
{
	const double middle = sheet_track_top(sheet, track) + sheet_track_height(sheet) / 2;
	const double height = sheet_rows_bottom(sheet) - SHEET_ROWS_Y;

	if (!sheet->path_below)
		return middle;
	return sheet_rows_bottom(sheet) + SHEET_PATH_HEIGHT * (0.2 + 0.7 * (middle - SHEET_ROWS_Y) / height);
}

// The line breaks where the path is on a row that is not drawn.
static void write_critical(const struct sheet *sheet, const char *look)
{
	const struct timeline *timeline = sheet->timeline;
	double last = -1;
	char join = 'M';

	fprintf(sheet->out, "<path %s pointer-events=\"none\" d=\"", look);
	for (size_t i = 0; i < timeline->legs.count; i++) {
		const struct timeline_leg *leg = &timeline->legs.items[i];
		const double y = leg_y(sheet, leg->track);
		const double right = sheet_x(sheet, leg->left_ticks);

		if (leg->track >= sheet->rows * timeline->tracks_per_place) {
			join = 'M';
			continue;
		}
		if (right - last < LEG_LEAST)
			continue;
		fprintf(sheet->out, "%c%.2f %.1fH%.2f", join, sheet_x(sheet, leg->begin_ticks), y, right);
		join = 'L';
		last = right;
	}
	fputs("\"/>\n", sheet->out);
}

void timeline_svg(const struct timeline *timeline, const char *title, const char *comments, FILE *out)
{
	struct sheet sheet = {.timeline = timeline, .out = out};

	lay_out(&sheet);
	write_head(&sheet, title, comments);
	write_counts(&sheet);
	write_legend(&sheet);
	write_rows(&sheet);
	write_queues(&sheet);
	write_arrows(&sheet);
	if (timeline->legs.count > 0 && !sheet.path_below)
		write_critical(&sheet, AROUND_PATH);
	if (timeline->legs.count > 0)
		write_critical(&sheet, sheet.path_below ? CRITICAL_PATH_BELOW : CRITICAL_PATH);
	if (sheet.path_below)
		sheet_name(&sheet, PATH_NAME, sheet_rows_bottom(&sheet) + SHEET_PATH_HEIGHT * 0.6);
	sheet_write_links(&sheet);
	fputs("</svg>\n", out);
}
