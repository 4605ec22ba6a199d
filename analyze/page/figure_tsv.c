// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/figure_tsv.h"

#include "trace/escape.h"

static const char *const headings[] = {
	[CURVE_LINE] = "x\ty",
	[CURVE_DASHED] = "x\ty",
	[CURVE_STEPS] = "x\ty",
	[CURVE_MARKS] = "x\ty",
	[CURVE_BAND] = "x\tx_end\tlo\thi",
	[CURVE_BARS] = "x\twidth\ty",
	[CURVE_INTERVAL] = "x\ty\tlo\thi",
	[CURVE_CELLS] = "x\ty\tvalue",
};

static void write_title(FILE *out, const struct plot *plot, const struct curve *curve)
{
	(void)fputs("# ", out);
	text_write_plain(out, curve->title ? curve->title : "");
	(void)fputs(curve->title ? ": " : "", out);
	text_write_plain(out, plot->y.label ? plot->y.label : "y");
	(void)fputs(" over ", out);
	text_write_plain(out, plot->x.label ? plot->x.label : "x");
	(void)fprintf(out, "\n# %s\n", headings[curve->style]);
}

static void write_rows(FILE *out, const struct curve *curve)
{
	size_t columns = curve_columns(curve->style);

	for (size_t i = 0; i < curve->count; i++) {
		const double *row = &curve->values[i * columns];

		if (curve->style == CURVE_BAND)
			(void)fprintf(out, "%.9g\t%.9g\t%.9g\t%.9g\n", row[0], curve_end(curve, i), row[1], row[2]);
		for (size_t c = 0; c < columns && curve->style != CURVE_BAND; c++)
			(void)fprintf(out, "%.9g%c", row[c], c + 1 < columns ? '\t' : '\n');
	}
}

void figure_tsv_write(FILE *out, const struct panel *panel)
{
	const char *between = "";

	for (size_t i = 0; i < panel->plot_count; i++)
		for (size_t c = 0; c < panel->plots[i].curve_count; c++) {
			const struct curve *curve = &panel->plots[i].curves[c];

			if (curve->count == 0)
				continue;
			(void)fputs(between, out);
			write_title(out, &panel->plots[i], curve);
			write_rows(out, curve);
			between = "\n\n";
		}
}
