// SPDX-License-Identifier: GPL-3.0-or-later
// Figures drawn by gnuplot.
#ifndef PAGE_GNUPLOT_H
#define PAGE_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "page/figure.h"
#include "page/page.h"
#include "value/status.h"

// ---- gnuplot_script.c
// Figures in gnuplot's language: data and commands in one text, no file names, no expansion of text
// from inputs.

enum gnuplot_form {
	GNUPLOT_PAGE, // one SVG document on gnuplot's output, then a comment with the places of its
		      // plots; data in the script
	GNUPLOT_FILES,	    // a script in the folder of its data and pictures
	GNUPLOT_CHARACTERS, // plots in characters on gnuplot's output, data in the script
};

#define GNUPLOT_ROWS "$rows"

struct gnuplot_target {
	enum gnuplot_form form;
	const char *name; // of the files, without their ending; NULL if none
	bool has_rows;	  // GNUPLOT_FILES: the data are in the block GNUPLOT_ROWS, the arguments in
			  // ARG1 and ARG2; no file is read
};

// Writes gnuplot's commands for the panel, of the figure's width. Each panel sets all that it
// needs, so several can be in one script. GNUPLOT_FILES: the data are those of figure_tsv_write,
// and the script's first argument is "svg" or "pdf".
void gnuplot_write_panel(FILE *out, const struct figure *figure, const struct panel *panel,
			 const struct gnuplot_target *target);

// Whether the panel can be drawn in characters: no heat maps.
bool gnuplot_has_characters(const struct panel *panel);

// ---- gnuplot_curves.c
// The curves of a plot: their rows, and how each is drawn.

// The script being written, and the number of curves with rows so far.
struct gnuplot_script {
	FILE *out;
	const struct gnuplot_target *target;
	size_t curves;
};

// Writes the rows of each curve that has any as a block of data, for gnuplot_write_curves.
void gnuplot_write_data(const struct gnuplot_script *script, const struct plot *plot);

// Writes the plot command, with all curves that have rows; an empty frame if none has.
void gnuplot_write_curves(struct gnuplot_script *script, const struct plot *plot);

// ---- gnuplot_run.c
// Runs gnuplot over all figures of a page at once.

// Writes gnuplot's commands for a page.
typedef void gnuplot_commands(FILE *out, const struct page *page, const void *context);

// Every panel of the page as an SVG document, in the page's order; no context.
gnuplot_commands gnuplot_page;

// Every panel that can be drawn in characters, each of its plots after a form feed; no context.
gnuplot_commands gnuplot_characters;

// Runs gnuplot on the commands: *drawn (zero-terminated, freed by the caller) is its output.
// Commands and output are kept in memory, so nothing is left on a disk whatever happens. TR_ERROR
// if gnuplot is absent or fails, or out of memory; *drawn is NULL then.
enum tr_status gnuplot_run(const struct page *page, gnuplot_commands *write, const void *context,
			   char **drawn, struct tr_error *err);

// ---- inline_svg.c
// Adapts gnuplot's SVG to a page: unique ids, the page's font, no creation date or program name.

// The names of a picture.
struct svg_names {
	const char *id;	   // of this picture in the page; prefix of all ids in it
	const char *title; // text, not markup
	const char *about; // text, not markup
};

// Writes the first SVG document of *text (zero-terminated) to out and moves *text past it. TR_ERROR
// if it is not in gnuplot's form; *text is then undefined and out holds a part.
enum tr_status svg_write(FILE *out, const char **text, const struct svg_names *names,
			 struct tr_error *err);

// Moves *text past the comment behind a picture and writes its numbers, with commas: of each plot
// the left and right, lower and upper end in the picture, from its lower left corner. Writes
// nothing where there is no such comment.
void svg_write_boxes(FILE *out, const char **text);

// Writes the marker symbols of all pictures, once before the first.
void svg_write_marks(FILE *out);

#endif
