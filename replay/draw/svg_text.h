// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef REPLAY_DRAW_SVG_TEXT_H
#define REPLAY_DRAW_SVG_TEXT_H

#include <stdio.h>

// Writes text as XML takes it: what is no UTF-8 becomes U+FFFD, control characters but newlines blanks.
void draw_svg_text(const char *text, FILE *out);

#endif
