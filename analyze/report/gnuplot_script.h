// SPDX-License-Identifier: GPL-3.0-or-later
// Figures in gnuplot's language: data and commands in one text, no file names, no expansion of what comes from
// inputs.
#ifndef REPORT_GNUPLOT_SCRIPT_H
#define REPORT_GNUPLOT_SCRIPT_H

#include <stdio.h>

#include "report/figure.h"

// Writes what makes gnuplot draw the panel, of the figure's width, as one SVG document on its output. Each
// panel sets all that it needs, so that panels may follow one another in one script.
void gnuplot_write_panel(FILE *out, const struct figure *figure, const struct panel *panel);

#endif
