// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/gnuplot.h"

#include <math.h>

#include "page/figure.h"
#include "page/palette.h"
#include "value/escape.h"

// Margins of stacked plots, in the panel's units.
#define MARGIN_LEFT 64
#define MARGIN_RIGHT 14
#define MARGIN_HEAT 108 // right of a heat map: the scale, its tics and its label
#define MARGIN_TOP 10
#define MARGIN_BOTTOM 56
#define MARGIN_BETWEEN 17
#define LEGEND_SAMPLE 40    // a legend's sample and the space around it
#define PDF_SCALE (2.0 / 3) // of fonts, by gnuplot
#define CHARACTER_WIDTH 7.2 // of the font at 12, on average

// A panel in characters.
#define CHARACTER_COLUMNS 79
#define CHARACTER_ROWS 20
#define CHARACTER_MARGIN 12
#define CHARACTER_LABEL 9 // longest label of a vertical axis in the left margin

static void write_axis(FILE *out, const char *letter, const struct axis *axis)
{
	(void)fprintf(out, "unset logscale %s\n", letter);
	if (axis->log)
		(void)fprintf(out, "set logscale %s\n", letter);
	(void)fprintf(out, "set %slabel ", letter);
	text_write_gnuplot(out, axis->label ? axis->label : "");
	(void)fprintf(out, "\nset %srange [%.9g:%.9g]\nset format %s '%s'\n", letter, axis->lo,
		      axis->hi, letter, axis->label ? "%g" : "");
}

// Whether the labels, side by side, are wider than the plot.
static bool is_crowded(const struct axis *axis, double width)
{
	size_t characters = 0;

	for (size_t i = 0; i < axis->tic_count; i++)
		characters += axis->tics[i].label ? text_width(axis->tics[i].label) + 1 : 0;
	return (double)characters * CHARACTER_WIDTH > width;
}

// Characters of the widest label of the vertical axis; an upper bound for gnuplot's own labels
// (%g).
static size_t label_characters(const struct axis *axis)
{
	size_t widest = 0;

	for (size_t i = 0; i < axis->tic_count; i++) {
		size_t own = axis->tics[i].label ? text_width(axis->tics[i].label) : 0;

		widest = own > widest ? own : widest;
	}
	if (axis->tic_count > 0)
		return widest;
	return axis->hi >= 1e6 ? 7 : axis->hi >= 10 ? (size_t)log10(axis->hi) + 1 : 3;
}

// Room on the left for the labels and the axis's name.
static double left_margin(const struct axis *axis)
{
	return fmax(MARGIN_LEFT, 40 + (double)label_characters(axis) * CHARACTER_WIDTH);
}

// Width of the plot between its margins.
static double room_across(const struct plot *plot, double width)
{
	return width - left_margin(&plot->y) - (plot->heat.label ? MARGIN_HEAT : MARGIN_RIGHT);
}

// Spaces tics by their labels if gnuplot's own would touch, since it assumes a narrower font.
static void write_spaced_tics(FILE *out, const struct axis *axis, double room)
{
	static const double steps[] = {1, 2, 5, 10, 20, 50};
	const double span = axis->hi - axis->lo;
	const double unit = pow(10, floor(log10(span / 10)));
	char text[32];

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		const double step = unit * steps[i];
		const int bytes = snprintf(text, sizeof(text), "%g", step * ceil(span / step - 1));

		if (span / step * (bytes + 2) * CHARACTER_WIDTH > room &&
		    i + 1 < sizeof(steps) / sizeof(*steps))
			continue;
		(void)fprintf(out, "set xtics norotate autojustify %.9g\n", step);
		return;
	}
}

// Minor tics are too many for characters.
static void write_tics(const struct gnuplot_script *script, const char *letter,
		       const struct axis *axis, double width)
{
	const char *separator = "";
	FILE *out = script->out;

	if (axis->tic_count == 0 && *letter == 'x' && !axis->log && isfinite(width)) {
		write_spaced_tics(out, axis, width);
		return;
	}
	if (axis->tic_count == 0) {
		(void)fprintf(out, "set %stics norotate autojustify auto\n", letter);
		return;
	}
	(void)fprintf(out, "set %stics %s (", letter,
		      is_crowded(axis, width) ? "rotate by 90 right" : "norotate autojustify");
	for (size_t i = 0; i < axis->tic_count; i++) {
		const char *label = axis->tics[i].label;

		if (!label && script->target->form == GNUPLOT_CHARACTERS)
			continue;
		(void)fputs(separator, out);
		separator = ", ";
		text_write_gnuplot_tic(out, label ? label : "");
		(void)fprintf(out, label ? " %.9g" : " %.9g 1", axis->tics[i].at);
	}
	(void)fputs(")\n", out);
}

static void write_heat(const struct gnuplot_script *script, const struct axis *heat, double width)
{
	FILE *out = script->out;

	if (!heat->label)
		return;
	write_axis(out, "cb", heat);
	write_tics(script, "cb", heat, INFINITY);
	(void)fprintf(
		out,
		"set rmargin at screen %.5f\nset cblabel offset 1\n"
		"set colorbox noborder user origin screen %.5f,graph 0 size screen %.5f,graph 1\n",
		1 - MARGIN_HEAT / width, 1 - (MARGIN_HEAT - 8) / width, 10 / width);
	(void)fprintf(out, "set palette maxcolors %u defined (0 '#%06x', 1 '#%06x')\n",
		      PALETTE_HEAT_LEVELS, palette_heat(0), palette_heat(PALETTE_HEAT_LEVELS - 1));
}

static void write_inside(FILE *out, const char *words)
{
	(void)fputs("unset label\n", out);
	if (!words)
		return;
	(void)fputs("set label 1 ", out);
	text_write_gnuplot(out, words);
	(void)fputs(" at graph 0.98, graph 0.93 right front\n", out);
}

// In characters the left margin has no room for a long label: it goes below.
static void write_label_below(FILE *out, const struct plot *plot)
{
	char label[128];

	if (!plot->y.label || text_width(plot->y.label) <= CHARACTER_LABEL)
		return;
	(void)snprintf(label, sizeof(label), "%s%sup: %s", plot->x.label ? plot->x.label : "",
		       plot->x.label ? "; " : "", plot->y.label);
	(void)fputs("unset ylabel\nset xlabel ", out);
	text_write_gnuplot(out, label);
	(void)putc('\n', out);
}

static void gnuplot_script_write_plot(struct gnuplot_script *script, struct plot *plot,
				      double width)
{
	FILE *out = script->out;

	extent_settle(plot);
	write_axis(out, "x", &plot->x);
	write_tics(script, "x", &plot->x, room_across(plot, width));
	write_axis(out, "y", &plot->y);
	write_tics(script, "y", &plot->y, INFINITY);
	if (script->target->form == GNUPLOT_CHARACTERS)
		write_label_below(out, plot);
	write_heat(script, &plot->heat, width);
	write_inside(out, plot->inside);
	if (script->target->form != GNUPLOT_FILES)
		gnuplot_write_data(script, plot);
	gnuplot_write_curves(script, plot);
	if (script->target->form == GNUPLOT_PAGE)
		(void)fputs(
			"boxes = boxes.gprintf(' %.2f', GPVAL_TERM_XMIN).gprintf(' %.2f', "
			"GPVAL_TERM_XMAX)"
			".gprintf(' %.2f', GPVAL_TERM_YMIN).gprintf(' %.2f', GPVAL_TERM_YMAX)\n",
			script->out);
}

// Places plot index of the stack, without what only the lowest one shows.
static void write_place(FILE *out, const struct panel *panel, double width, double height,
			double left, size_t index)
{
	double n = (double)panel->plot_count, between = MARGIN_BETWEEN * (n - 1);
	double each = (height - MARGIN_TOP - MARGIN_BOTTOM - between) / n;
	double top = MARGIN_TOP + (double)index * (each + MARGIN_BETWEEN);

	(void)fprintf(out, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n", left / width,
		      1 - MARGIN_RIGHT / width);
	(void)fprintf(out, "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
		      1 - top / height, 1 - (top + each) / height);
}

static void write_stack(struct gnuplot_script *script, const struct panel *panel, double width,
			double height)
{
	bool characters = script->target->form == GNUPLOT_CHARACTERS;
	double left = MARGIN_LEFT; // the same for all, so that their axes align

	for (size_t i = 0; i < panel->plot_count; i++) {
		extent_settle(&panel->plots[i]);
		left = fmax(left, left_margin(&panel->plots[i].y));
	}
	if (!characters)
		(void)fputs("set multiplot\n", script->out);
	for (size_t i = 0; i < panel->plot_count; i++) {
		struct plot plot = panel->plots[i];
		bool lowest = i + 1 == panel->plot_count;

		if (!characters)
			write_place(script->out, panel, width, height, left, i);
		if (!lowest && !characters)
			plot.x.label = NULL;
		gnuplot_script_write_plot(script, &plot, width);
	}
	if (!characters)
		(void)fputs("unset multiplot\n", script->out);
}

static const struct plot no_plot = {.x = {.hi = 1}, .y = {.hi = 1}};

static void write_alone(struct gnuplot_script *script, const struct panel *panel, double width)
{
	struct plot plot = panel->plot_count ? panel->plots[0] : no_plot;

	gnuplot_script_write_plot(script, &plot, width);
}

// The legend above the plot, in as many columns as fit. In a stack each plot's vertical axis names
// it.
static void write_legend(FILE *out, const struct panel *panel, double width)
{
	size_t widest = 0, columns;

	for (size_t i = 0; panel->plot_count == 1 && i < panel->plots[0].curve_count; i++) {
		const struct curve *curve = &panel->plots[0].curves[i];
		size_t own = curve->title && curve->count ? text_width(curve->title) : 0;

		widest = own > widest ? own : widest;
	}
	if (widest == 0) {
		(void)fputs("unset key\n", out);
		return;
	}
	columns = (size_t)((width - MARGIN_LEFT - MARGIN_RIGHT) /
			   ((double)widest * CHARACTER_WIDTH + LEGEND_SAMPLE));
	(void)fprintf(out, "set key tmargin center horizontal samplen 2 width -1 maxcols %zu\n",
		      columns < 1   ? 1
		      : columns > 4 ? 4
				    : columns);
}

static bool has_cells(const struct panel *panel)
{
	return panel->plot_count > 0 && panel->plots[0].heat.label;
}

bool gnuplot_has_characters(const struct panel *panel)
{
	return panel->plot_count > 0 && !has_cells(panel);
}

static void write_terminal(const struct gnuplot_script *script, double width, double height)
{
	const char *name = script->target->name;

	switch (script->target->form) {
	case GNUPLOT_PAGE:
		(void)fprintf(script->out,
			      "set terminal svg size %g,%g dynamic noenhanced font 'sans,12'\n",
			      width, height);
		break;
	case GNUPLOT_FILES:
		(void)fprintf(
			script->out,
			"if (exists('ARG1') && ARG1 eq 'pdf') {\n"
			"\tset terminal pdfcairo size %.4gin,%.4gin noenhanced font 'sans,%.4g'\n"
			"\tset output (exists('ARG2') && ARG2 ne '' ? ARG2 : '%s.pdf')\n} else {\n"
			"\tset terminal svg size %g,%g dynamic noenhanced font 'sans,12'\n"
			"\tset output (exists('ARG2') && ARG2 ne '' ? ARG2 : '%s.svg')\n}\n",
			width * FIGURE_UNIT_PT / 72, height * FIGURE_UNIT_PT / 72,
			12 * FIGURE_UNIT_PT / PDF_SCALE, name, width, height, name);
		break;
	case GNUPLOT_CHARACTERS:
		(void)fprintf(script->out,
			      "set terminal dumb size %d,%d noenhanced mono\nset lmargin %d\n",
			      CHARACTER_COLUMNS, CHARACTER_ROWS, CHARACTER_MARGIN);
		break;
	}
}

static void write_look(FILE *out, const struct panel *panel)
{
	(void)fprintf(out,
		      "set border 3 lw 0.8 lc rgb '#%06x'\nset tics nomirror out scale 0.6\n"
		      "set xlabel offset 0,0.3\nset grid lw 0.6 lc rgb '#%06x'\nset bars small\n",
		      PALETTE_TEXT, PALETTE_GRID);
	if (has_cells(panel))
		(void)fputs("unset grid\n", out);
}

void gnuplot_write_panel(FILE *out, const struct figure *figure, const struct panel *panel,
			 const struct gnuplot_target *target)
{
	struct gnuplot_script script = {out, target, 0};
	const bool paper = target->form == GNUPLOT_FILES;
	double width = paper ? figure_paper_width(figure) : figure_panel_width(figure);
	double height = paper ? figure_paper_height(figure, panel) : panel->height;

	(void)fputs("reset\nset encoding utf8\nset datafile separator whitespace\n", out);
	write_terminal(&script, width, height);
	if (target->form != GNUPLOT_CHARACTERS)
		write_look(out, panel);
	write_legend(out, panel, width);
	if (target->form == GNUPLOT_PAGE)
		(void)fputs("boxes = ''\nset print '-'\n", out);
	if (panel->plot_count > 1)
		write_stack(&script, panel, width, height);
	else
		write_alone(&script, panel, width);
	if (target->form == GNUPLOT_PAGE)
		(void)fputs("print '<!--boxes'.boxes.'-->'\n", out);
	if (target->form == GNUPLOT_FILES)
		(void)fputs("set output\n", out);
}
