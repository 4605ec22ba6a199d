// SPDX-License-Identifier: GPL-3.0-or-later
// XXH3 with the widest vectors of the processor, for long inputs: the same digests as xxhash.h alone, which is compiled for
// SSE2, but four times as fast with AVX2. A library without run-time dispatch works as well.
#ifndef TRACE_XXH3_H
#define TRACE_XXH3_H

#include <xxhash.h>

#ifdef FLIT_XXH3_DISPATCH
#include <xxh_x86dispatch.h>
#endif

#endif
