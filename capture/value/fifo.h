// SPDX-License-Identifier: GPL-3.0-or-later
// Places in an array, first in, first out, each linked to the next by a member of its item.
#ifndef VALUE_FIFO_H
#define VALUE_FIFO_H

#include <stdint.h>

#define CHAIN_NONE UINT32_MAX

// Empty with CHAIN_NONE for the first; the last is valid if it is not.
struct chain {
	uint32_t first;
	uint32_t last;
};

// Appends a place of items, whose link the caller sets to CHAIN_NONE. chain: a pointer to one, or
// to a struct with its members.
#define CHAIN_APPEND(chain, items, link, place) \
	do { \
		if ((chain)->first == CHAIN_NONE) \
			(chain)->first = (place); \
		else \
			(items)[(chain)->last].link = (place); \
		(chain)->last = (place); \
	} while (0)

#endif
