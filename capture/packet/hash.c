// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/hash.h"

#include <stdlib.h>
#include <sys/random.h>

#define SLOTS_MIN 1024u

static void put(struct pk_slot *slots, size_t mask, struct pk_slot slot, size_t at)
{
	while (slots[at & mask].place)
		at++;
	slots[at & mask] = slot;
}

// The tag has the upper half of the hash, the first slot comes from it too: the table has fewer
// than 2^32 slots.
bool pk_hash_reserve(struct pk_hash *hash)
{
	const size_t size = hash->slots ? hash->mask + 1 : 0;
	const size_t larger = size ? size * 2 : SLOTS_MIN;
	struct pk_slot *slots;

	if (hash->used * 2 < size)
		return true;
	slots = calloc(larger, sizeof *slots);
	if (!slots)
		return false;
	if (!size && getrandom(&hash->seed, sizeof hash->seed, GRND_NONBLOCK) < 0)
		hash->seed = (uint64_t)(uintptr_t)slots;
	for (size_t i = 0; i < size; i++)
		if (hash->slots[i].place)
			put(slots, larger - 1, hash->slots[i], hash->slots[i].tag);
	free(hash->slots);
	hash->slots = slots;
	hash->mask = larger - 1;
	return true;
}

void pk_hash_add(struct pk_hash *hash, uint64_t value, uint32_t place)
{
	const uint32_t tag = (uint32_t)(value >> 32);

	put(hash->slots, hash->mask, (struct pk_slot){tag, place + 1}, tag);
	hash->used++;
}

void pk_hash_clear(struct pk_hash *hash)
{
	free(hash->slots);
	memset(hash, 0, sizeof *hash);
}
