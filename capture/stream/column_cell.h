// SPDX-License-Identifier: GPL-3.0-or-later
// What a cell of a plain table says.
#ifndef STREAM_COLUMN_CELL_H
#define STREAM_COLUMN_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/columns_form.h"
#include "value/status.h"

// Whether it is what programs write for a missing or infinite value: "", NA, NaN, -Inf, ...
bool column_cell_is_missing(const char *cell);

// Whether the text is digits, a comma and digits: two whole numbers, or one with a decimal comma.
bool column_cell_is_doubtful(const char *text);

// A cell as a real number, as a whole number up to max (60 or 60.0), and as a time in nanoseconds:
// a number in the form's unit, with a unit of its own (10ms), or a date and time of day in UTC
// (2026-11-24 18:00:00.123). round takes the nearest nanosecond, where it is otherwise an error if
// there is none exactly. TR_ERROR quotes the cell.
enum tr_status column_cell_real(const struct column_form *form, const char *cell, double *out,
				struct tr_error *err);
enum tr_status column_cell_count(const struct column_form *form, const char *cell, uint64_t max,
				 uint64_t *out, struct tr_error *err);
enum tr_status column_cell_time(const struct column_form *form, const char *cell, bool round,
				int64_t *ns, struct tr_error *err);

#endif
