// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of a plot in gnuplot's language: their rows, and how each is drawn.
#include "page/gnuplot.h"

#include "page/palette.h"
#include "value/escape.h"

static const char *const dashes[PALETTE_CURVES] = {"1",	    "1",	 "(7,3)",
						   "(2,2)", "(9,3,2,3)", "(4,2)"};
static const int marks[PALETTE_CURVES] = {1, 7, 4, 9, 13, 2};

// The outline of a band: along the upper edges, back along the lower ones. Rows of the same height
// are one edge.
static void write_band(FILE *out, const struct curve *curve)
{
	const double *rows = curve->values;
	size_t n = curve->count;

	for (size_t i = 0; i < n; i++) {
		double begin = rows[3 * i], height = rows[3 * i + 2];

		while (i + 1 < n && rows[3 * i + 5] == height)
			i++;
		(void)fprintf(out, "%.9g %.9g\n%.9g %.9g\n", begin, height, curve_end(curve, i),
			      height);
	}
	for (size_t i = n; i-- > 0;) {
		double end = curve_end(curve, i), height = rows[3 * i + 1];

		while (i > 0 && rows[3 * i - 2] == height)
			i--;
		(void)fprintf(out, "%.9g %.9g\n%.9g %.9g\n", end, height, rows[3 * i], height);
	}
}

// Steps and lines need no rows between rows of the same height.
static bool is_needless(const struct curve *curve, size_t i)
{
	const double *y = &curve->values[2 * i + 1];

	return (curve->style == CURVE_STEPS || curve->style == CURVE_LINE) && i > 0 &&
	       i + 1 < curve->count && y[-2] == y[0] && y[2] == y[0];
}

static void gnuplot_script_write_rows(FILE *out, const struct curve *curve)
{
	size_t columns = curve_columns(curve->style);

	for (size_t i = 0; i < curve->count; i++)
		for (size_t c = 0; c < columns && !is_needless(curve, i); c++)
			(void)fprintf(out, "%.9g%c", curve->values[i * columns + c],
				      c + 1 < columns ? ' ' : '\n');
}

void gnuplot_write_data(const struct gnuplot_script *script, const struct plot *plot)
{
	FILE *out = script->out;

	for (size_t i = 0; i < plot->curve_count; i++) {
		const struct curve *curve = &plot->curves[i];

		if (curve->count == 0)
			continue;
		(void)fprintf(out, "$curve%zu << END_OF_ROWS\n", i);
		if (curve->style == CURVE_BAND && script->target->form == GNUPLOT_PAGE)
			write_band(out, curve);
		else
			gnuplot_script_write_rows(out, curve);
		(void)fputs("END_OF_ROWS\n", out);
	}
}

struct recipe {
	const char *how;
	bool dashed;	   // with the colour's dash
	bool marked;	   // with the colour's mark
	const char *paint; // gnuplot's option for the colour; NULL: none
};

// In characters a band is as high as its upper edge.
static const char *const character_recipes[] = {
	[CURVE_LINE] = "using 1:2 with lines",
	[CURVE_DASHED] = "using 1:2 with lines",
	[CURVE_STEPS] = "using 1:2 with steps",
	[CURVE_MARKS] = "using 1:2 with points",
	[CURVE_OPEN] = "using 1:2 with points",
	[CURVE_CROSSES] = "using 1:2 with points",
	[CURVE_BAND] = "using 1:3 with impulses",
	[CURVE_BARS] = "using ($1+$2/2):3 with impulses",
	[CURVE_INTERVAL] = "using 1:2 with points",
	[CURVE_ARROWS] = "using 1:2:($3-$1):($4-$2) with vectors nohead",
	[CURVE_RANGES] = "using 1:2:($3-$1):(0) with vectors nohead",
	[CURVE_CELLS] = NULL,
};

// Rows as in figure_tsv_write.
static const char band_recipe[] =
	"using 1:3:1:2:3:4 with boxxyerror fs transparent solid 0.35 noborder";

static const struct recipe recipes[] = {
	[CURVE_LINE] = {"using 1:2 with lines lw 1.6", true, false, "lc"},
	[CURVE_DASHED] = {"using 1:2 with lines lw 1.2 dt (5,3)", false, false, "lc"},
	[CURVE_STEPS] = {"using 1:2 with steps lw 1.2", false, false, "lc"},
	[CURVE_MARKS] = {"using 1:2 with points ps 0.6", false, true, "lc"},
	[CURVE_OPEN] = {"using 1:2 with points pt 6 ps 1.1 lw 1.4", false, false, "lc"},
	[CURVE_CROSSES] = {"using 1:2 with points pt 2 ps 1.1 lw 1.4", false, false, "lc"},
	[CURVE_BAND] = {"using 1:2 with filledcurves closed fs transparent solid 0.35 noborder",
			false, false, "fc"},
	[CURVE_BARS] =
		{"using 1:3:1:($1+$2):(0):3 with boxxyerror fs transparent solid 0.45 noborder",
		 false, false, "fc"},
	[CURVE_INTERVAL] = {"using 1:2:3:4 with yerrorbars lw 1.2 ps 0.6", false, true, "lc"},
	[CURVE_ARROWS] =
		{"using 1:2:($3-$1):($4-$2) with vectors filled size screen 0.006,18 lw 1.1", false,
		 false, "lc"},
	[CURVE_RANGES] = {"using 1:2:1:3:($2-0.3):($2+0.3) with boxxyerror fs transparent solid "
			  "0.35 noborder",
			  false, false, "fc"},
	[CURVE_CELLS] = {"using 1:2:(0.5):(0.5):3 with boxxyerror fs solid 1 noborder fc palette",
			 false, false, NULL},
};

static void write_recipe(const struct gnuplot_script *script, const struct curve *curve)
{
	const struct recipe *recipe = &recipes[curve->style];
	unsigned slot = curve->colour % PALETTE_CURVES;
	bool band = curve->style == CURVE_BAND && script->target->form == GNUPLOT_FILES;

	if (script->target->form == GNUPLOT_CHARACTERS) {
		(void)fputs(character_recipes[curve->style], script->out);
		return;
	}
	(void)fputs(band ? band_recipe : recipe->how, script->out);
	if (recipe->dashed)
		(void)fprintf(script->out, " dt %s", dashes[slot]);
	if (recipe->marked)
		(void)fprintf(script->out, " pt %d", marks[slot]);
	if (recipe->paint)
		(void)fprintf(script->out, " %s rgb '#%06x'", recipe->paint, palette_curve(slot));
}

static bool is_drawn(const struct gnuplot_script *script, const struct curve *curve)
{
	return script->target->form != GNUPLOT_CHARACTERS || character_recipes[curve->style];
}

static void write_source(const struct gnuplot_script *script, size_t index)
{
	if (script->target->has_rows)
		(void)fprintf(script->out, GNUPLOT_ROWS " index %zu ", script->curves);
	else if (script->target->form == GNUPLOT_FILES)
		(void)fprintf(script->out, "'%s.tsv' index %zu ", script->target->name,
			      script->curves);
	else
		(void)fprintf(script->out, "$curve%zu ", index);
}

void gnuplot_write_curves(struct gnuplot_script *script, const struct plot *plot)
{
	const char *separator = "plot ";
	FILE *out = script->out;

	for (size_t i = 0; i < plot->curve_count; i++) {
		const struct curve *curve = &plot->curves[i];

		if (curve->count == 0)
			continue;
		if (is_drawn(script, curve)) {
			(void)fputs(separator, out);
			write_source(script, i);
			write_recipe(script, curve);
			(void)fputs(curve->title ? " title " : " notitle", out);
			if (curve->title)
				text_write_gnuplot(out, curve->title);
			separator = ", ";
		}
		script->curves++;
	}
	if (*separator == 'p') // no data: an empty frame
		(void)fputs("plot NaN notitle", out);
	(void)putc('\n', out);
}
