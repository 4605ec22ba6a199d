// SPDX-License-Identifier: GPL-3.0-or-later
// Named places on logarithmic axes.
#ifndef REPORT_AXIS_TICS_H
#define REPORT_AXIS_TICS_H

#include "page/figure.h"

// Makes the axis of the figure's newest plot logarithmic from lo to hi (0 < lo; a range below a decade is widened to
// the decades around it), with a tic at each decade, or at each second or third where there are many. Labels:
// plain numbers ("0.01", "10⁻⁴", "1000"), or times ("10 ms") for seconds, or sizes ("1 kB") for bytes.
void axis_decades(struct figure *figure, struct axis *axis, double lo, double hi);
void axis_times(struct figure *figure, struct axis *axis, double lo_s, double hi_s);
void axis_sizes(struct figure *figure, struct axis *axis, double lo_bytes, double hi_bytes);

#endif
