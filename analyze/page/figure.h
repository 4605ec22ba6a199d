// SPDX-License-Identifier: GPL-3.0-or-later
// A figure as data: panels side by side, each with one or more plots stacked on a shared horizontal
// axis. It is all that the drawing code (gnuplot.h) knows.
#ifndef PAGE_FIGURE_H
#define PAGE_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

enum curve_style {
	CURVE_LINE,	// x y
	CURVE_DASHED,	// x y: a reference or a fit
	CURVE_STEPS,	// x y: y holds from x to the next x
	CURVE_MARKS,	// x y: points
	CURVE_OPEN,	// x y: open points, for values to be read with care
	CURVE_CROSSES,	// x y: crosses, for missing values
	CURVE_BAND,	// x lo hi: the area between, held from x to the next x
	CURVE_BARS,	// x width y: from zero
	CURVE_INTERVAL, // x y lo hi: a point and its interval
	CURVE_ARROWS,	// x y x_end y_end: from (x, y) to (x_end, y_end)
	CURVE_RANGES,	// x y x_end: from x to x_end, thick
	CURVE_CELLS,	// x y value: a cell of 1 by 1 around (x, y)
};

// Colours are numbered as in the Okabe-Ito palette, each with its own dash and mark (palette.h); 0
// is the text's.
struct curve {
	enum curve_style style;
	unsigned colour;
	char *title;		// in the legend; NULL: none
	double *values;		// rows of curve_columns(style)
	size_t count, capacity; // of rows
};

// A position on an axis.
struct axis_tic {
	double at;
	char *label; // NULL: a minor tic
};

struct axis {
	char *label; // quantity and unit
	bool log;
	double lo, hi;	       // NaN: from the data
	struct axis_tic *tics; // if given, the only ones
	size_t tic_count;
};

struct plot {
	struct axis x, y;
	struct axis heat; // of cells
	char *inside;	  // text in the upper right corner, or NULL
	struct curve *curves;
	size_t curve_count;
};

struct panel {
	char *title;   // above the panel
	char *name;    // of its files, once the page has names
	char *about;   // alternative text
	double height; // in the units of figure_panel_width()
	struct plot *plots;
	size_t plot_count;
};

// Owned by the page that made it.
struct figure {
	char *title;
	char *caption;
	unsigned across; // panels side by side on a wide page, 1..4; 0: one that is as wide as the
			 // page
	unsigned width;	 // of its panels; 0: by across
	struct panel *panels;
	size_t panel_count;
	bool failed; // out of memory; panels and plots returned then may be used but are not kept
	struct panel no_panel; // returned if out of memory
	struct plot no_plot;
	struct curve no_curve;
};

// Each function adds one at the end and returns it, never NULL; valid until the next of its kind is
// added. Texts are copied.
struct panel *figure_panel(struct figure *figure, const char *title, double height);
struct plot *figure_plot(struct figure *figure, const char *x_label, const char *y_label);
struct curve *figure_curve(struct figure *figure, enum curve_style style, unsigned colour,
			   const char *title);

// Sets the alternative text of the newest panel.
void figure_about(struct figure *figure, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Sets the text in the corner of the newest plot.
void figure_inside(struct figure *figure, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Adds a row of the style's columns to the newest curve, ignoring further values. Drops rows with a
// NaN or infinity.
void figure_row(struct figure *figure, double a, double b, double c, double d);

// Adds a tic to an axis of the newest plot; label: NULL for a minor one.
void figure_tic(struct figure *figure, struct axis *axis, double at, const char *label);

// Names the heat scale of the newest plot.
void figure_heat(struct figure *figure, const char *label, bool log, double lo, double hi);

// Width of a panel in the units of its height: fonts are 12.
double figure_panel_width(const struct figure *figure);

// The same on paper, where panels stand alone or two side by side in the width of the text and
// fonts are 12 units too.
#define FIGURE_UNIT_PT 0.6 // so that fonts are 7.2 points
size_t figure_paper_across(const struct figure *figure);
double figure_paper_width(const struct figure *figure);
double figure_paper_height(const struct figure *figure, const struct panel *panel);

// Whether no curve has a row.
bool panel_is_empty(const struct panel *panel);

// Numbers in a row of the style.
size_t curve_columns(enum curve_style style);

// Where row i of a band or of steps ends: at the next one's start.
double curve_end(const struct curve *curve, size_t i);

// Frees the figure's memory, not the struct.
void figure_clear(struct figure *figure);

// ---- axes.c

// Makes the axis of the figure's newest plot logarithmic from lo to hi (0 < lo; a range below a
// decade is widened to the decades around it), with a tic at each decade, or every second or third
// of many. Labels: plain numbers ("0.01", "10⁻⁴", "1000"), or times ("10 ms") for seconds, or sizes
// ("1 kB") for bytes.
void axis_decades(struct figure *figure, struct axis *axis, double lo, double hi);
void axis_times(struct figure *figure, struct axis *axis, double lo_s, double hi_s);
void axis_sizes(struct figure *figure, struct axis *axis, double lo_bytes, double hi_bytes);

// Columns of cells at 0, 1, 2, ..., each width_s of time; the first begins begin_s after time 0, at
// most 0.
struct axis_columns {
	size_t count;
	double begin_s, width_s;
	double unit_s; // of the labels
};

// Sets the range of the axis of the figure's newest plot to the columns, with tics at 0 and at most
// so many round times after it.
void axis_columns(struct figure *figure, struct axis *axis, const struct axis_columns *columns,
		  int most);

// Sets each bound of the plot's axes that is NaN from the data, with a small margin (none at 0 if
// the data begin there); logarithmic axes ignore values that are not positive. Never an empty
// range.
void extent_settle(struct plot *plot);

#endif
