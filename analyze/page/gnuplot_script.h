// SPDX-License-Identifier: GPL-3.0-or-later
// Figures in gnuplot's language: data and commands in one text, no file names, no expansion of what comes from
// inputs.
#ifndef REPORT_GNUPLOT_SCRIPT_H
#define REPORT_GNUPLOT_SCRIPT_H

#include <stdio.h>

#include "page/figure.h"

enum gnuplot_form {
	GNUPLOT_PAGE,	    // one SVG document on gnuplot's output, data in the script
	GNUPLOT_FILES,	    // a script that stands beside its data and its pictures
	GNUPLOT_CHARACTERS, // plots in characters on gnuplot's output, data in the script
};

struct gnuplot_target {
	enum gnuplot_form form;
	const char *name; // of the files, without their ending; NULL where there are none
};

// Writes what makes gnuplot draw the panel, of the figure's width. Each panel sets all that it needs, so that
// panels may follow one another in one script. GNUPLOT_FILES: the data are those of figure_tsv.h, and the
// script's first argument is "svg" or "pdf".
void gnuplot_write_panel(FILE *out, const struct figure *figure, const struct panel *panel,
			 const struct gnuplot_target *target);

// Whether the panel can be drawn in characters: no heat maps.
bool gnuplot_has_characters(const struct panel *panel);

#endif
