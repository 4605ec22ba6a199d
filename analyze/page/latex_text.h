// SPDX-License-Identifier: GPL-3.0-or-later
// Words, numbers and equations of a report for LaTeX, and how wide they will be. What comes from
// inputs is escaped.
#ifndef PAGE_LATEX_TEXT_H
#define PAGE_LATEX_TEXT_H

#include <stddef.h>
#include <stdio.h>

// Text of the class article at 10 points; the height is that on letter paper, less than on A4.
#define LATEX_TEXT_WIDTH 345.0
#define LATEX_TEXT_HEIGHT 550.0

// Writes text on one line. A minus before a number and the H of Hurst are math, superscripts too.
// Words of more than longest characters may break after punctuation, or after as many characters.
void latex_write_words(FILE *out, const char *text, size_t longest);

// Writes text that holds equations, "Var X^(m) ~ m^(2H - 2)": words stay words, the rest is math.
void latex_write_equation(FILE *out, const char *text);

// Width in points of text in Computer Modern Roman at 10 points, of its widest part between two
// breaks.
double latex_width(const char *text);
double latex_piece_width(const char *text, size_t longest);

// Bytes of the next part that does not break, with what ends it; 0 at the end. Blanks are parts of
// their own.
size_t latex_piece(const char *text, size_t longest);

#endif
