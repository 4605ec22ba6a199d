// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/hash.h"

#include <stdlib.h>
#include <sys/random.h>

#define SLOTS_MIN 1024u
#define SPARSE 64u // slots per key above which freeing is cheaper than clearing

static void hash_put(struct tr_slot *slots, size_t mask, struct tr_slot slot, size_t at)
{
	while (slots[at & mask].place)
		at++;
	slots[at & mask] = slot;
}

// The tag is the upper half of the hash, which also gives the first slot: there are fewer than 2^32
// slots.
bool tr_hash_grow(struct tr_hash *hash)
{
	const size_t size = hash->slots ? hash->mask + 1 : 0;
	const size_t larger = size ? size * 2 : SLOTS_MIN;
	struct tr_slot *slots;

	slots = calloc(larger, sizeof(*slots));
	if (!slots)
		return false;
	if (!hash->seed && getrandom(&hash->seed, sizeof(hash->seed), GRND_NONBLOCK) < 0)
		hash->seed = (uint64_t)(uintptr_t)slots;
	for (size_t i = 0; i < size; i++)
		if (hash->slots[i].place)
			hash_put(slots, larger - 1, hash->slots[i], hash->slots[i].tag);
	free(hash->slots);
	hash->slots = slots;
	hash->mask = larger - 1;
	return true;
}

void tr_hash_add(struct tr_hash *hash, uint64_t value, uint32_t place)
{
	const uint32_t tag = (uint32_t)(value >> 32);

	hash_put(hash->slots, hash->mask, (struct tr_slot){tag, place + 1}, tag);
	hash->used++;
}

void tr_hash_forget(struct tr_hash *hash)
{
	const size_t size = hash->slots ? hash->mask + 1 : 0;

	if (size > SLOTS_MIN && size / SPARSE > hash->used) {
		free(hash->slots);
		hash->slots = NULL;
	} else if (hash->used > 0) {
		memset(hash->slots, 0, size * sizeof(*hash->slots));
	}
	hash->used = 0;
}

void tr_hash_clear(struct tr_hash *hash)
{
	free(hash->slots);
	memset(hash, 0, sizeof(*hash));
}
