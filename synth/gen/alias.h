// SPDX-License-Identifier: GPL-3.0-or-later
// Draws one of many with given weights in constant time: Walker's alias method, table by Vose (A
// linear algorithm for generating random numbers with a given distribution, IEEE Trans. Software
// Engineering 17 (1991) 972-975).
#ifndef GEN_ALIAS_H
#define GEN_ALIAS_H

#include <stddef.h>
#include <stdint.h>

#include "value/random.h"
#include "value/status.h"

// Read only once it is made; freed by alias_clear. Zero is empty.
struct alias {
	size_t count;
	double *stay;	 // probability of drawing i from cell i
	uint32_t *other; // drawn otherwise
};

// weights >= 0, not all zero, any sum; they are not kept. TR_ERROR: other weights, or no memory.
enum tr_status alias_make(struct alias *out, const double *weights, size_t count,
			  struct tr_error *err);

// Frees what it holds; it is empty then.
void alias_clear(struct alias *alias);

// 0 .. count - 1.
static inline size_t alias_draw(const struct alias *alias, struct tr_random *random)
{
	size_t cell = (size_t)tr_random_below(random, alias->count);

	return tr_random_unit(random) < alias->stay[cell] ? cell : alias->other[cell];
}

#endif
