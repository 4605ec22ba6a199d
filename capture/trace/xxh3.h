// SPDX-License-Identifier: GPL-3.0-or-later
// XXH3 by the widest vectors that the processor has, for long runs of bytes: the same digests as xxhash.h alone, which is
// compiled for SSE2, four times as fast with AVX2. A library without the choice at run time does as well.
#ifndef TRACE_XXH3_H
#define TRACE_XXH3_H

#include <xxhash.h>

#ifdef FLIT_XXH3_DISPATCH
#include <xxh_x86dispatch.h>
#endif

#endif
