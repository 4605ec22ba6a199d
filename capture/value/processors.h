// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef VALUE_PROCESSORS_H
#define VALUE_PROCESSORS_H

#include <stdint.h>

// How many processors this process may use, at least 1.
uint32_t processors_allowed(void);

#endif
