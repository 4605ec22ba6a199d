// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the report. Curves: Okabe and Ito, Color Universal Design (2008), in an order
// whose greys differ, each with its own dash and mark; a dark page has lighter ones. Heat: one hue,
// so that it is readable in grey.
#ifndef REPORT_PALETTE_H
#define REPORT_PALETTE_H

#include <stddef.h>
#include <stdio.h>

#define PALETTE_HEAT_LEVELS 16u

// Colours of curves 0, 1, ...; they repeat after PALETTE_CURVES.
#define PALETTE_CURVES 6u
unsigned palette_curve(unsigned colour);

// For Poisson traffic as a reference; never used for a stream.
#define PALETTE_POISSON 4u

// The colour of stream 0, 1, ...; never that of Poisson traffic.
unsigned palette_stream(size_t stream);

// Colours of gnuplot for axes, text and grid lines.
#define PALETTE_TEXT 0x000000u
#define PALETTE_GRID 0xd4d4d4u

// The colour of a heat level, 0 .. PALETTE_HEAT_LEVELS - 1.
unsigned palette_heat(unsigned level);

// Writes CSS rules for gnuplot's colours in pictures (class plot): black becomes the text colour;
// plus those of a dark page.
void palette_write_rules(FILE *out);
void palette_write_dark_rules(FILE *out);

#endif
