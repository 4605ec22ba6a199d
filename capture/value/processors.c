// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/processors.h"

#include <sched.h>

uint32_t processors_allowed(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
}
