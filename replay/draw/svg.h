// SPDX-License-Identifier: GPL-3.0-or-later
// A network as a drawing: SVG that suits light and dark pages.
#ifndef REPLAY_DRAW_SVG_H
#define REPLAY_DRAW_SVG_H

#include <stdio.h>

#include "draw/picture.h"

// Writes the picture, whose layout is settled; title and comments (lines) stand in it as text for readers. shares is
// NULL, or for each link (2c and 2c + 1 for cable c) the share of the time that it was busy, which gives it its
// colour: the half of a wire near an end shows what leaves there; of a host's chip the left end shows what it
// sends, the right end what it gets. Failures stay in out (ferror).
void draw_svg(const struct draw_picture *picture, const double *shares, const char *title, const char *comments, FILE *out);

#endif
