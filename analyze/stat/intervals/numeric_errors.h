// SPDX-License-Identifier: GPL-3.0-or-later
// How errors inside GSL are handled.
#ifndef STAT_NUMERIC_ERRORS_H
#define STAT_NUMERIC_ERRORS_H

// Makes failing functions of GSL return NaN instead of ending the program. Every program calls it
// at its start.
void numeric_errors_give_nan(void);

#endif
