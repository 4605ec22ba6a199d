// SPDX-License-Identifier: GPL-3.0-or-later
// gnuplot's SVG made fit to stand in a page: ids of its own, the page's font and colours, no trace of when or by
// what it was made.
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

#include <stdio.h>

#include "trace/status.h"

// What the picture is called.
struct svg_names {
	const char *id;	   // of this picture in the page; prefix of all ids in it
	const char *title; // text, not markup
	const char *about; // text, not markup
};

// Writes the first SVG document of *text (zero-terminated) to out and moves *text behind it. TR_ERROR where it is
// not what gnuplot writes; *text is then undefined and out holds a part.
enum tr_status svg_write(FILE *out, const char **text, const struct svg_names *names, struct tr_error *err);

#endif
