// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of data that a parallel 2-D FFT must send at least, which tell when a simulation of it
// is done.
#ifndef STAT_WORKLOAD_H
#define STAT_WORKLOAD_H

#include <stdint.h>

#include "table/opt.h"
#include "value/status.h"

// How a workload begins, for options.
extern const struct opt_choice workload_words[];

// text is "rc:256" (row-column) or "vr:256" (vector radix) of an image of 256 x 256 complex points
// of 8 bytes, nodes a power of two from 2 that divides the image's points. Yates 1997, equations
// 3.4 and 3.5:
//   RC = 8 * 3 * (p-1) * (N^2/p)             known value: 1,376,256 for N = 256, p = 8
//   VR = 8 * (N^2/p) * (log2(p) * p/2 + 2(p-1))           1,703,936
// TR_ERROR if the text or the node count is none of these, or the image is above 2^20 points
// wide.
enum tr_status workload_bytes(const char *text, uint32_t nodes, uint64_t *out,
			      struct tr_error *err);

#endif
