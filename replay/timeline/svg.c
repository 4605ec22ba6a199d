// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "timeline/sheet.h"
#include "value/escape.h"
#include "value/ticks.h"

#define ROWS_MAX 512u	// places drawn
#define ROWS_SMALL 128u // with more, boxes are two pixels wide at least

#define LETTER 6.1
#define MARGIN 20.0
#define TITLE_Y 22.0
#define COUNTS_Y 40.0
#define LEGEND_Y 52.0
#define ROWS_Y 94.0
#define FOOT 34.0
#define ZOOM_Y 74.0 // from what is above to the rows of an iteration

// Okabe and Ito, Color Universal Design (2008): blue, orange and bluish green, which also differ in
// grey. They are attributes, which every viewer has; a style only replaces them on dark pages.
#define TITLE "class=\"t\" font-size=\"14\" font-weight=\"bold\""
#define PAPER "class=\"p\" fill=\"#fff\""
#define HEAD "class=\"h\" fill=\"#59616b\""

// ":root" keeps those away who take what is in @media for rules of their own, such as LibreOffice.
static const char style[] = ".m:hover{stroke:#d55e00;stroke-width:2.5;stroke-opacity:1}\n"
			    "@media(prefers-color-scheme:dark){:root text{fill:#e6e8eb}:root "
			    ".s,:root .a,:root .h{fill:#a4acb6}:root .p{fill:#15181c}"
			    ":root .w{fill:#1c2025}:root .g{stroke:#3a4149}:root "
			    ".i{stroke:#59616b}:root .d0{fill:#56b4e9}:root .d2{fill:#2fd3a4}"
			    ":root .m{stroke:#a4acb6}:root .c0{stroke:#15181c}:root "
			    ".c1{stroke:#e6e8eb}:root .k{fill:#8fd0ff}}\n";

static void svg_widen(double *left, const char *name)
{
	const size_t letters = strlen(name);

	*left = fmax(*left,
		     LETTER * (double)(letters < SHEET_NAME_LETTERS_MAX ? letters
									: SHEET_NAME_LETTERS_MAX));
}

static void svg_lay_out(struct sheet *sheet)
{
	const struct timeline *timeline = sheet->timeline;
	char name[NET_LINK_NAME_MAX];

	sheet->rows = timeline->places < ROWS_MAX ? timeline->places : ROWS_MAX;
	sheet->row_height = sheet->rows <= 32	 ? 20
			    : sheet->rows <= 100 ? 12
			    : sheet->rows <= 256 ? 6
						 : 4;
	sheet->scale = (struct timeline_scale){SHEET_PLOT, sheet->rows <= ROWS_SMALL ? 1 : 2};
	sheet->top = ROWS_Y;
	sheet_choose_detail(sheet);
	sheet_choose_links(sheet);
	for (uint32_t row = 0; row < sheet->rows; row++)
		svg_widen(&sheet->left, timeline_place_name(timeline, row, name, sizeof(name)));
	for (uint32_t i = 0; i < sheet->link_count; i++)
		svg_widen(&sheet->left,
			  net_link_name(timeline->topology, sheet->links[i], name, sizeof(name)));
	if (sheet->path_below)
		svg_widen(&sheet->left, SHEET_PATH_NAME);
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

static void svg_write_head(const struct sheet *sheet, double bottom, const char *title,
			   const char *comments)
{
	const double width = sheet->left + SHEET_PLOT + 2 * MARGIN;
	const double height = bottom + FOOT;

	fprintf(sheet->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" "
		"height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\" font-family=\"DejaVu Sans Mono,ui-monospace,monospace\" "
		"font-size=\"10\" fill=\"#1b1f24\">\n"
		"<title>",
		width, height, width, height);
	text_write_markup(sheet->out, title);
	fputs("</title>\n<desc>", sheet->out);
	text_write_markup_lines(sheet->out, comments);
	fprintf(sheet->out,
		"</desc>\n<style>\n%s</style>\n<defs><marker id=\"head\" viewBox=\"0 0 6 6\" "
		"refX=\"6\" refY=\"3\" "
		"markerWidth=\"5\" markerHeight=\"5\" orient=\"auto\"><path " HEAD
		" d=\"M0 0L6 3L0 6z\"/></marker></defs>\n"
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

	snprintf(text, sizeof(text), "%" PRIu32 " %s%s, %zu %s%s, from %s us to %s us",
		 timeline->places, timeline->program ? "rank" : "host",
		 timeline->places == 1 ? "" : "s", arrows->count,
		 timeline->program ? "message" : "packet", arrows->count == 1 ? "" : "s",
		 timeline_us(timeline, timeline->begin_ticks, from, sizeof(from)),
		 timeline_us(timeline, timeline->end_ticks, to, sizeof(to)));
	if (sheet->rows < timeline->places)
		text_append(text, sizeof(text), "; the first %" PRIu32 " drawn", sheet->rows);
	if (!sheet->arrows)
		text_append(text, sizeof(text),
			    "; arrows are drawn for up to %u, --only FROM..TO narrows the time",
			    SHEET_ARROWS_MAX);
	sheet_text(sheet, SHEET_SOFT, MARGIN, COUNTS_Y, text);
}

// A sample and its word; returns where the next may begin.
static double write_key(const struct sheet *sheet, double x, const char *sample, const char *word)
{
	fprintf(sheet->out,
		"<g transform=\"translate(%.1f %.1f)\">%s<text x=\"28\" y=\"9\">%s</text></g>\n", x,
		LEGEND_Y, sample, word);
	return x + 28 + LETTER * (double)strlen(word) + 22;
}

static double write_does_key(const struct sheet *sheet, double x, enum timeline_does does)
{
	char sample[120];

	snprintf(sample, sizeof(sample), "<rect %s width=\"22\" height=\"10\"/>",
		 sheet_does_looks[does]);
	return write_key(sheet, x, sample, timeline_does_name(does));
}

// Only what takes time has a colour in the picture.
static void find_drawn(const struct timeline *timeline, bool drawn[TIMELINE_DOES])
{
	for (size_t i = 0; i < timeline->spans.count; i++)
		if (timeline->spans.items[i].end_ticks > timeline->spans.items[i].begin_ticks)
			drawn[timeline->spans.items[i].does] = true;
}

static void svg_write_legend(const struct sheet *sheet, bool arrows)
{
	const struct timeline *timeline = sheet->timeline;
	bool drawn[TIMELINE_DOES] = {false};
	double x = MARGIN;

	find_drawn(timeline, drawn);

	for (enum timeline_does does = TIMELINE_COMPUTES; does <= TIMELINE_RECEIVES; does++)
		if (drawn[does])
			x = write_does_key(sheet, x, does);
	if (timeline->program)
		x = write_key(sheet, x, "<path " SHEET_WAITS " d=\"M0 5h22\"/>", "waits");
	else
		x = write_key(sheet, x, "<rect " SHEET_QUEUED " width=\"22\" height=\"10\"/>",
			      "packets in the queue");
	if (arrows)
		x = write_key(sheet, x,
			      "<path " SHEET_MESSAGE " d=\"M0 5h21\" marker-end=\"url(#head)\"/>",
			      timeline->program ? "message" : "packet");
	if (timeline->legs.count > 0)
		(void)write_key(sheet, x, "<path " SHEET_CRITICAL_PATH " d=\"M0 5h22\"/>",
				"critical path");
}

// A typical iteration, or part, is drawn by itself where that shows messages or a path that the
// whole cannot.
static bool needs_zoom(const struct sheet *whole)
{
	return whole->timeline->iteration.count > 1 && (!whole->arrows || whole->path_below);
}

// The same rows over the time of that iteration, which is a timeline with other ends. The rows, and
// the links below them, of the whole are laid out.
static struct sheet zoom_in(const struct sheet *whole, struct timeline *iteration)
{
	struct sheet zoom = *whole;

	*iteration = *whole->timeline;
	iteration->begin_ticks = iteration->iteration.begin_ticks;
	iteration->end_ticks = iteration->iteration.end_ticks;
	zoom.timeline = iteration;
	zoom.top = sheet_bottom(whole) + ZOOM_Y;
	zoom.link_count = 0;
	zoom.cells = 0;
	sheet_choose_detail(&zoom);
	return zoom;
}

static void write_zoom(struct sheet *zoom)
{
	const struct timeline *timeline = zoom->timeline;
	char from[48];
	char to[48];
	char text[256];

	snprintf(text, sizeof(text), "%s %zu of %zu, %s, from %s us to %s us%s",
		 timeline->iteration.repeats ? "Iteration" : "Part", timeline->iteration.number,
		 timeline->iteration.count,
		 timeline->iteration.repeats ? "one of median length"
					     : "the one with the most messages",
		 timeline_us(timeline, timeline->begin_ticks, from, sizeof(from)),
		 timeline_us(timeline, timeline->end_ticks, to, sizeof(to)),
		 zoom->arrows ? "" : "; too many messages for arrows");
	sheet_text(zoom, SHEET_SOFT, MARGIN, zoom->top - 22, text);
	sheet_write_rows(zoom);
}

void timeline_svg(const struct timeline *timeline, const char *title, const char *comments,
		  FILE *out)
{
	struct sheet sheet = {.timeline = timeline, .out = out};
	struct timeline iteration;
	struct sheet zoom;
	bool zooms;

	svg_lay_out(&sheet);
	zooms = needs_zoom(&sheet);
	if (zooms)
		zoom = zoom_in(&sheet, &iteration);
	svg_write_head(&sheet, sheet_bottom(zooms ? &zoom : &sheet), title, comments);
	write_counts(&sheet);
	svg_write_legend(&sheet, sheet.arrows || (zooms && zoom.arrows));
	sheet_write_rows(&sheet);
	sheet_write_links(&sheet);
	if (zooms)
		write_zoom(&zoom);
	fputs("</svg>\n", out);
}
