// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory a process can still get.
#ifndef SIM_MEMORY_LEFT_H
#define SIM_MEMORY_LEFT_H

#include <stdint.h>

// Bytes that the machine can give without taking them from others, its swap included, and no more
// than the limit of the control group (version 2) leaves; UINT64_MAX where the system does not say.
uint64_t sim_memory_left(void);

#endif
