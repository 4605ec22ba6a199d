// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/interactive.h"

#include <stdlib.h>

#include "page/gnuplot.h"
#include "page/palette.h"
#include "value/escape.h"
#include "value/memstream.h"

void interactive_write_script(FILE *out)
{
	(void)fputs("<script>", out);
	(void)fwrite(interactive_script, 1, interactive_script_bytes, out);
	(void)fputs("</script>\n", out);
}

static void write_axis_range(FILE *out, const char *name, const struct axis *axis)
{
	(void)fprintf(out, "\"%s\":[", name);
	json_write_real(out, axis->lo);
	(void)putc(',', out);
	json_write_real(out, axis->hi);
	(void)fprintf(out, ",%d],", axis->log);
}

// Names and positions of the tics that have a name.
static void write_tic_names(FILE *out, const struct axis *axis)
{
	const char *separator = "";

	(void)putc('[', out);
	for (size_t i = 0; i < axis->tic_count; i++) {
		if (!axis->tics[i].label)
			continue;
		(void)fprintf(out, "%s[", separator);
		json_write_real(out, axis->tics[i].at);
		(void)putc(',', out);
		json_write_text(out, axis->tics[i].label);
		(void)putc(']', out);
		separator = ",";
	}
	(void)putc(']', out);
}

static void write_axis_label(FILE *out, const struct axis *axis)
{
	json_write_text(out, axis->label ? axis->label : "");
}

// Those that have rows, as figure_tsv_write has them.
static void write_curve_list(FILE *out, const struct plot *plot)
{
	static const char *const styles[] = {
		[CURVE_LINE] = "line",	   [CURVE_DASHED] = "dashed", [CURVE_STEPS] = "steps",
		[CURVE_MARKS] = "marks",   [CURVE_OPEN] = "open",     [CURVE_CROSSES] = "crosses",
		[CURVE_BAND] = "band",	   [CURVE_BARS] = "bars",     [CURVE_INTERVAL] = "interval",
		[CURVE_ARROWS] = "arrows", [CURVE_RANGES] = "ranges", [CURVE_CELLS] = "cells",
	};
	const char *separator = "";

	(void)fputs("\"c\":[", out);
	for (size_t i = 0; i < plot->curve_count; i++) {
		const struct curve *curve = &plot->curves[i];

		if (curve->count == 0)
			continue;
		(void)fprintf(out, "%s{\"style\":\"%s\",\"colour\":\"#%06x\",\"title\":", separator,
			      styles[curve->style], palette_curve(curve->colour % PALETTE_CURVES));
		json_write_text(out, curve->title ? curve->title : "");
		(void)putc('}', out);
		separator = ",";
	}
	(void)putc(']', out);
}

// extent: a copy of the plot whose ranges are settled as gnuplot's script settles them.
static void write_plot_facts(FILE *out, struct plot extent)
{
	extent_settle(&extent);
	(void)putc('{', out);
	write_axis_range(out, "x", &extent.x);
	write_axis_range(out, "y", &extent.y);
	(void)fputs("\"l\":[", out);
	write_axis_label(out, &extent.x);
	(void)putc(',', out);
	write_axis_label(out, &extent.y);
	(void)fputs("],\"heat\":", out);
	write_axis_label(out, &extent.heat);
	(void)fputs(",\"t\":[", out);
	write_tic_names(out, &extent.x);
	(void)putc(',', out);
	write_tic_names(out, &extent.y);
	(void)fputs("],", out);
	write_curve_list(out, &extent);
	(void)putc('}', out);
}

enum tr_status interactive_write_panel(FILE *out, const struct panel *panel, const char **pictures,
				       struct tr_error *err)
{
	char *text = NULL;
	size_t bytes;
	FILE *json = tr_memstream_open(&text, &bytes);
	bool whole;

	if (json) {
		(void)fputs("{\"boxes\":[", json);
		svg_write_boxes(json, pictures);
		(void)fputs("],\"plots\":[", json);
		for (size_t i = 0; i < panel->plot_count; i++) {
			(void)fputs(i ? "," : "", json);
			write_plot_facts(json, panel->plots[i]);
		}
		(void)fputs("]}", json);
	}
	whole = json && tr_memstream_close(json);
	if (whole) {
		(void)fputs("<span class=\"axes\" hidden=\"hidden\">", out);
		text_write_markup(out, text);
		(void)fputs("</span>\n", out);
	}
	free(text);
	return whole ? TR_OK : tr_no_memory(err, "the report");
}
