// SPDX-License-Identifier: GPL-3.0-or-later
// An index by hash: finds the place of a key in an array that the caller keeps. Open addressing, at
// most half full; each slot holds 32 bits of the hash beside the place, so that other keys are
// rarely looked at. Hashes are seeded at random, so that no capture can be made to collide.
#ifndef PACKET_HASH_H
#define PACKET_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct pk_slot {
	uint32_t tag;
	uint32_t place; // plus one; 0: free
};

// Zero is a valid empty one.
struct pk_hash {
	struct pk_slot *slots;
	size_t mask; // slots - 1
	size_t used;
	uint64_t seed;
};

#define PK_HASH_NONE UINT32_MAX

// Makes room for one more key; false where memory ends (the index is as it was). Called before each
// pk_hash_add.
bool pk_hash_reserve(struct pk_hash *hash);

// Enters place for a key whose hash is value.
void pk_hash_add(struct pk_hash *hash, uint64_t value, uint32_t place);

// Frees the slots; the index is empty afterwards.
void pk_hash_clear(struct pk_hash *hash);

// Multiplies to 128 bits and folds: every bit of the result depends on all bits of both.
static inline uint64_t pk_hash_fold(uint64_t a, uint64_t b)
{
	const __uint128_t product = (__uint128_t)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Hash of 8 * words bytes, two words at a time and these independent of each other.
static inline uint64_t pk_hash_words(const struct pk_hash *hash, const void *key, size_t words)
{
	const uint8_t *at = key;
	uint64_t value = 0;

	for (size_t i = 0; i < words; i += 2) {
		uint64_t word[2] = {0, 0};

		memcpy(word, at + 8 * i, i + 1 < words ? 16 : 8);
		value += pk_hash_fold(word[0] ^ hash->seed ^ i, word[1] ^ ~hash->seed);
	}
	return pk_hash_fold(value, 0x9e3779b97f4a7c15u);
}

#endif
