// SPDX-License-Identifier: GPL-3.0-or-later
// A drawing as SVG, or as PDF, which rsvg-convert makes of it, where the name of its file ends in
// ".pdf".
#ifndef REPLAY_DRAW_PAPER_H
#define REPLAY_DRAW_PAPER_H

#include <stdbool.h>
#include <stdio.h>

#include "file/spawn.h"
#include "value/status.h"

// The SVG is written to svg. Zero is a valid closed one.
struct draw_paper {
	FILE *svg;
	FILE *out; // lent
	struct tr_scratch scratch;
};

// Whether the name of a file ends in .pdf; NULL does not.
bool draw_is_pdf(const char *path);

// path is the name of out, which is lent until the close. TR_ERROR if there is no room; close it
// all the same.
enum tr_status draw_paper_open(struct draw_paper *paper, const char *path, FILE *out,
			       struct tr_error *err);

// Converts what was written, unless good is false. The PDF says that it was made at
// SOURCE_DATE_EPOCH, which is set to 0 if it is not. TR_ERROR, too, if good is false, with err as
// it was.
enum tr_status draw_paper_close(struct draw_paper *paper, bool good, struct tr_error *err);

#endif
