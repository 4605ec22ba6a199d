// SPDX-License-Identifier: GPL-3.0-or-later
// A hash index: finds the position of a key in an array that the caller keeps. Open addressing, at
// most half full; each slot holds 32 bits of the hash beside the place, so that other keys are
// rarely compared. Hashes are seeded at random, so that no input can be made to collide.
#ifndef VALUE_HASH_H
#define VALUE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tr_slot {
	uint32_t tag;
	uint32_t place; // plus one; 0: free
};

// Zero is a valid empty one.
struct tr_hash {
	struct tr_slot *slots;
	size_t mask; // slots - 1
	size_t used;
	uint64_t seed;
};

#define TR_HASH_NONE UINT32_MAX

// For tr_hash_reserve, where there is no room: draws the seed, or doubles the index.
bool tr_hash_grow(struct tr_hash *hash);

// Makes room for one more key; false if out of memory (the index is as it was). Called before each
// tr_hash_add, and before the first key is hashed: it draws the seed.
static inline bool tr_hash_reserve(struct tr_hash *hash)
{
	return (hash->slots && hash->used * 2 <= hash->mask) || tr_hash_grow(hash);
}

// Enters place for a key whose hash is value.
void tr_hash_add(struct tr_hash *hash, uint64_t value, uint32_t place);

// Removes all keys, in time linear in their number.
void tr_hash_forget(struct tr_hash *hash);

// Frees the slots; the index is empty afterwards.
void tr_hash_clear(struct tr_hash *hash);

// Where a search for a key whose hash is value begins.
static inline uint32_t tr_hash_first(uint64_t value)
{
	return (uint32_t)(value >> 32);
}

// Returns the next place of a key whose hash may be value, TR_HASH_NONE after the last; the caller
// compares the keys. Start with *at = tr_hash_first(value).
static inline uint32_t tr_hash_next(const struct tr_hash *hash, uint64_t value, uint32_t *at)
{
	const uint32_t tag = tr_hash_first(value);

	if (!hash->slots)
		return TR_HASH_NONE;
	for (;;) {
		const struct tr_slot slot = hash->slots[(*at)++ & hash->mask];

		if (!slot.place || slot.tag == tag)
			return slot.place - 1;
	}
}

// Sets another place for the key that tr_hash_next found with this at.
static inline void tr_hash_move(struct tr_hash *hash, uint32_t at, uint32_t place)
{
	hash->slots[(at - 1) & hash->mask].place = place + 1;
}

// Multiplies to 128 bits and folds: every bit of the result depends on all bits of both.
static inline uint64_t tr_hash_fold(uint64_t a, uint64_t b)
{
	const __uint128_t product = (__uint128_t)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Hash of 8 * words bytes, in independent steps of two words.
static inline uint64_t tr_hash_words(const struct tr_hash *hash, const void *key, size_t words)
{
	const uint8_t *at = key;
	uint64_t value = 0;

	for (size_t i = 0; i < words; i += 2) {
		uint64_t word[2] = {0, 0};

		memcpy(word, at + 8 * i, i + 1 < words ? 16 : 8);
		value += tr_hash_fold(word[0] ^ hash->seed ^ i, word[1] ^ ~hash->seed);
	}
	return tr_hash_fold(value, 0x9e3779b97f4a7c15u);
}

#endif
