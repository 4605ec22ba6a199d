// SPDX-License-Identifier: GPL-3.0-or-later
// A character: a byte with a control mark. What it says of its worm beyond that is for the
// simulation's own checks.
#ifndef NET_MYRINET_CHARACTER_H
#define NET_MYRINET_CHARACTER_H

#include <stdint.h>

enum myr_kind {
	MYR_GAP,     // a worm comes; value: the worm
	MYR_ROUTE,   // value: the output port at the next switch
	MYR_FINAL,   // the last route character; value: the worm
	MYR_DATA,    // value: the worm
	MYR_TRAILER, // the worm ends; value: the worm
	MYR_STOP,    // value: none
	MYR_GO,      // value: none
};

// A character in 32 bits: the kind and a value below MYR_VALUES.
#define MYR_VALUES ((uint32_t)1 << 29)
#define MYR_CHARACTER(kind, value) ((uint32_t)(kind) << 29 | (uint32_t)(value))
#define MYR_KIND(character) ((enum myr_kind)((character) >> 29))
#define MYR_VALUE(character) ((character) & (MYR_VALUES - 1))

#endif
