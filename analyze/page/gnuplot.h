// SPDX-License-Identifier: GPL-3.0-or-later
// Figures drawn by gnuplot.
#ifndef PAGE_GNUPLOT_H
#define PAGE_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "page/figure.h"
#include "page/page.h"
#include "trace/status.h"

// ---- gnuplot_script.c
// Figures in gnuplot's language: data and commands in one text, no file names, no expansion of what comes from
// inputs.

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
// panels may follow one another in one script. GNUPLOT_FILES: the data are those of figure_tsv_write, and the
// script's first argument is "svg" or "pdf".
void gnuplot_write_panel(FILE *out, const struct figure *figure, const struct panel *panel,
			 const struct gnuplot_target *target);

// Whether the panel can be drawn in characters: no heat maps.
bool gnuplot_has_characters(const struct panel *panel);

// ---- gnuplot_run.c
// Runs gnuplot over all figures of a page at once.

// Writes gnuplot's commands for a page.
typedef void gnuplot_commands(FILE *out, const struct page *page, const void *context);

// Every panel of the page as an SVG document, in the page's order; no context.
gnuplot_commands gnuplot_page;

// Every panel that can be drawn in characters, each plot of it behind a form feed; no context.
gnuplot_commands gnuplot_characters;

// Runs gnuplot over the commands: *drawn (zero-terminated, to be freed by the caller) is its output. Commands and output
// are kept in memory: of these nothing is left on a disk whatever happens. TR_ERROR where gnuplot is absent or
// fails, or memory ends; *drawn is NULL then.
enum tr_status gnuplot_run(const struct page *page, gnuplot_commands *write, const void *context, char **drawn,
			   struct tr_error *err);

// ---- inline_svg.c
// gnuplot's SVG made fit to stand in a page: ids of its own, the page's font, no trace of when or by what it was made.

// What the picture is called.
struct svg_names {
	const char *id;	   // of this picture in the page; prefix of all ids in it
	const char *title; // text, not markup
	const char *about; // text, not markup
};

// Writes the first SVG document of *text (zero-terminated) to out and moves *text behind it. TR_ERROR where it is
// not what gnuplot writes; *text is then undefined and out holds a part.
enum tr_status svg_write(FILE *out, const char **text, const struct svg_names *names, struct tr_error *err);

// Writes the marks of all pictures, once before the first.
void svg_write_marks(FILE *out);

#endif
