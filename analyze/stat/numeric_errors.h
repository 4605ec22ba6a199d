// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of an error inside GSL.
#ifndef STAT_NUMERIC_ERRORS_H
#define STAT_NUMERIC_ERRORS_H

// From now on a function of GSL that fails gives NaN, and does not end the program. For a program to call at its start.
void numeric_errors_give_nan(void);

#endif
