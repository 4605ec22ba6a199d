// SPDX-License-Identifier: GPL-3.0-or-later
// Single values of comma-separated text (RFC 4180).
#ifndef TRACE_CSV_H
#define TRACE_CSV_H

#include <stdio.h>

// Writes text as one value, in quotes where it needs them.
void csv_write_text(FILE *out, const char *text);

#endif
