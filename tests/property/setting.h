// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the property tests that the environment sets: FLIT_CASES, FLIT_FIRST, FLIT_SEED.
#ifndef TESTS_SETTING_H
#define TESTS_SETTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "value/num.h"

// The value of the variable NAME, or USUAL where it is not set; text that is no number fails.
static inline uint64_t setting(const char *name, uint64_t usual)
{
	const char *text = getenv(name);
	uint64_t value = usual;

	if (text)
		assert_int_equal(num_parse_count(text, 0, UINT64_MAX, &value, NULL), TR_OK);
	return value;
}

#endif
