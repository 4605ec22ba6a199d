// SPDX-License-Identifier: GPL-3.0-or-later
// A network as a drawing: SVG that suits light and dark pages.
#ifndef REPLAY_DRAW_SVG_H
#define REPLAY_DRAW_SVG_H

#include <stdio.h>

#include "draw/picture.h"

// Writes the picture, whose layout is settled; title and comments (lines) stand in it as text for readers.
// Failures stay in out (ferror).
void draw_svg(const struct draw_picture *picture, const char *title, const char *comments, FILE *out);

#endif
