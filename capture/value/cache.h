// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef VALUE_CACHE_H
#define VALUE_CACHE_H

// Asks for the line of the cache that an address lies in; the address may be wrong. A function that
// only does so has no effect that a compiler sees, and GCC leaves calls of it out; the empty
// statement has one.
static inline void cache_fetch(const void *address)
{
	__builtin_prefetch(address);
	__asm__ volatile("");
}

#endif
