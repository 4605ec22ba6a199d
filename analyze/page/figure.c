// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/figure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/latex_text.h"

static const struct axis automatic = {.lo = NAN, .hi = NAN};

static char *copy(struct figure *figure, const char *text)
{
	char *made = text ? strdup(text) : NULL;

	if (text && !made)
		figure->failed = true;
	return made;
}

// Appends a zeroed item to the array at *array_at; NULL if out of memory.
static void *append(struct figure *figure, void *array_at, size_t *count, size_t item_bytes)
{
	char *array;

	memcpy(&array, array_at, sizeof(array));
	array = reallocarray(array, *count + 1, item_bytes);
	if (!array) {
		figure->failed = true;
		return NULL;
	}
	memcpy(array_at, &array, sizeof(array));
	memset(array + *count * item_bytes, 0, item_bytes);
	return array + (*count)++ * item_bytes;
}

static struct panel *last_panel(struct figure *figure)
{
	return figure->panel_count ? &figure->panels[figure->panel_count - 1] : &figure->no_panel;
}

static struct plot *last_plot(struct figure *figure)
{
	struct panel *panel = last_panel(figure);

	return panel->plot_count ? &panel->plots[panel->plot_count - 1] : &figure->no_plot;
}

static struct curve *last_curve(struct figure *figure)
{
	struct plot *plot = last_plot(figure);

	return plot->curve_count ? &plot->curves[plot->curve_count - 1] : &figure->no_curve;
}

struct panel *figure_panel(struct figure *figure, const char *title, double height)
{
	struct panel *panel = append(figure, &figure->panels, &figure->panel_count, sizeof(*panel));

	if (!panel)
		return &figure->no_panel;
	panel->title = copy(figure, title);
	panel->height = height;
	return panel;
}

struct plot *figure_plot(struct figure *figure, const char *x_label, const char *y_label)
{
	struct panel *panel = last_panel(figure);
	struct plot *plot = append(figure, &panel->plots, &panel->plot_count, sizeof(*plot));

	if (!plot)
		return &figure->no_plot;
	plot->x = plot->y = plot->heat = automatic;
	plot->x.label = copy(figure, x_label);
	plot->y.label = copy(figure, y_label);
	return plot;
}

struct curve *figure_curve(struct figure *figure, enum curve_style style, unsigned colour,
			   const char *title)
{
	struct plot *plot = last_plot(figure);
	struct curve *curve = append(figure, &plot->curves, &plot->curve_count, sizeof(*curve));

	if (!curve)
		return &figure->no_curve;
	curve->style = style;
	curve->colour = colour;
	curve->title = copy(figure, title);
	return curve;
}

// Replaces the text at *text by the formatted one.
__attribute__((format(printf, 3, 0))) static void set_words(struct figure *figure, char **text,
							    const char *format, va_list args)
{
	free(*text);
	if (vasprintf(text, format, args) >= 0)
		return;
	*text = NULL;
	figure->failed = true;
}

void figure_about(struct figure *figure, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_words(figure, &last_panel(figure)->about, format, args);
	va_end(args);
}

void figure_inside(struct figure *figure, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_words(figure, &last_plot(figure)->inside, format, args);
	va_end(args);
}

double figure_panel_width(const struct figure *figure)
{
	if (figure->width > 0)
		return figure->width;
	return figure->across == 0 ? 900 : figure->across > 2 ? 340 : 440;
}

#define PAPER_SHARE 0.49 // of one of two side by side
#define PAPER_LOW 0.85	 // of the height on a page, at least

size_t figure_paper_across(const struct figure *figure)
{
	return figure->across > 1 && figure->panel_count > 1 && figure->width == 0 ? 2 : 1;
}

double figure_paper_width(const struct figure *figure)
{
	return (figure_paper_across(figure) == 2 ? PAPER_SHARE : 1) * LATEX_TEXT_WIDTH /
	       FIGURE_UNIT_PT;
}

double figure_paper_height(const struct figure *figure, const struct panel *panel)
{
	return panel->height *
	       fmax(PAPER_LOW, figure_paper_width(figure) / figure_panel_width(figure));
}

bool panel_is_empty(const struct panel *panel)
{
	for (size_t i = 0; i < panel->plot_count; i++)
		for (size_t c = 0; c < panel->plots[i].curve_count; c++)
			if (panel->plots[i].curves[c].count > 0)
				return false;
	return true;
}

size_t curve_columns(enum curve_style style)
{
	static const size_t columns[] = {
		[CURVE_LINE] = 2,     [CURVE_DASHED] = 2,  [CURVE_STEPS] = 2,  [CURVE_MARKS] = 2,
		[CURVE_OPEN] = 2,     [CURVE_CROSSES] = 2, [CURVE_BAND] = 3,   [CURVE_BARS] = 3,
		[CURVE_INTERVAL] = 4, [CURVE_ARROWS] = 4,  [CURVE_RANGES] = 3, [CURVE_CELLS] = 3,
	};

	return columns[style];
}

void figure_row(struct figure *figure, double a, double b, double c, double d)
{
	struct curve *curve = last_curve(figure);
	const double row[] = {a, b, c, d};
	size_t columns = curve_columns(curve->style);

	for (size_t i = 0; i < columns; i++)
		if (!isfinite(row[i]))
			return;
	if (curve->count == curve->capacity) {
		size_t capacity = curve->capacity ? 2 * curve->capacity : 64;
		double *more = reallocarray(curve->values, capacity, columns * sizeof(*more));

		if (!more) {
			figure->failed = true;
			return;
		}
		curve->values = more;
		curve->capacity = capacity;
	}
	memcpy(&curve->values[columns * curve->count++], row, columns * sizeof(*row));
}

void figure_tic(struct figure *figure, struct axis *axis, double at, const char *label)
{
	struct axis_tic *tic = append(figure, &axis->tics, &axis->tic_count, sizeof(*tic));

	if (!tic)
		return;
	tic->at = at;
	tic->label = copy(figure, label);
}

void figure_heat(struct figure *figure, const char *label, bool log, double lo, double hi)
{
	struct axis *heat = &last_plot(figure)->heat;

	heat->label = copy(figure, label);
	heat->log = log;
	heat->lo = lo;
	heat->hi = hi;
}

static void axis_clear(struct axis *axis)
{
	for (size_t i = 0; i < axis->tic_count; i++)
		free(axis->tics[i].label);
	free(axis->tics);
	free(axis->label);
}

static void plot_clear(struct plot *plot)
{
	for (size_t i = 0; i < plot->curve_count; i++) {
		free(plot->curves[i].title);
		free(plot->curves[i].values);
	}
	free(plot->curves);
	free(plot->inside);
	axis_clear(&plot->x);
	axis_clear(&plot->y);
	axis_clear(&plot->heat);
}

static void panel_clear(struct panel *panel)
{
	for (size_t i = 0; i < panel->plot_count; i++)
		plot_clear(&panel->plots[i]);
	free(panel->plots);
	free(panel->title);
	free(panel->about);
	free(panel->name);
}

void figure_clear(struct figure *figure)
{
	for (size_t i = 0; i < figure->panel_count; i++)
		panel_clear(&figure->panels[i]);
	panel_clear(&figure->no_panel);
	plot_clear(&figure->no_plot);
	free(figure->no_curve.values);
	free(figure->panels);
	free(figure->title);
	free(figure->caption);
	*figure = (struct figure){.title = NULL};
}

double curve_end(const struct curve *curve, size_t i)
{
	size_t columns = curve_columns(curve->style), n = curve->count;
	const double *x = curve->values;

	if (i + 1 < n)
		return x[(i + 1) * columns];
	return x[i * columns] + (n > 1 ? x[i * columns] - x[(i - 1) * columns] : 0);
}
