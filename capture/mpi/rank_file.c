// SPDX-License-Identifier: GPL-3.0-or-later
#include "rank_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHUNK_SLOTS = 16384, CHUNK_BYTES = CHUNK_SLOTS * REC_SLOT_BYTES, CHUNKS_MAX = 65536 };

static struct {
	int file;
	_Atomic uint64_t taken, lost;
	_Atomic(struct rec_slot *) chunks[CHUNKS_MAX];
} buffer;

// The file only grows, whichever thread comes first; that it has the room keeps a full disk from ending the program by SIGBUS.
static struct rec_slot *chunk_map(uint64_t index)
{
	struct rec_slot *none = NULL, *chunk;
	const off_t at = REC_HEADER_BYTES + (off_t)index * CHUNK_BYTES;

	errno = index < CHUNKS_MAX ? posix_fallocate(buffer.file, at, CHUNK_BYTES) : EFBIG;
	if (errno != 0)
		return NULL;
	chunk = mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, buffer.file, at);
	if (chunk == MAP_FAILED)
		return NULL;
	if (atomic_compare_exchange_strong(&buffer.chunks[index], &none, chunk))
		return chunk;
	munmap(chunk, CHUNK_BYTES); // another thread was first
	return none;
}

static bool chunk_ready(uint64_t index)
{
	return (index < CHUNKS_MAX && atomic_load_explicit(&buffer.chunks[index], memory_order_acquire)) || chunk_map(index);
}

bool rank_file_open(const char *path, const char *header)
{
	char text[REC_HEADER_BYTES] = "";

	memccpy(text, header, '\0', sizeof(text) - 1);
	buffer.file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	return buffer.file >= 0 && write(buffer.file, text, sizeof(text)) == (ssize_t)sizeof(text) && chunk_ready(0);
}

bool rank_file_take(unsigned slots, uint64_t *number)
{
	*number = atomic_fetch_add_explicit(&buffer.taken, slots, memory_order_relaxed);
	for (uint64_t chunk = *number / CHUNK_SLOTS; chunk <= (*number + slots - 1) / CHUNK_SLOTS; chunk++)
		if (!chunk_ready(chunk)) {
			atomic_fetch_add(&buffer.lost, 1);
			return false;
		}
	return true;
}

struct rec_slot *rank_file_slot(uint64_t number)
{
	return atomic_load_explicit(&buffer.chunks[number / CHUNK_SLOTS], memory_order_acquire) + number % CHUNK_SLOTS;
}

uint64_t rank_file_lost(void)
{
	return atomic_load(&buffer.lost);
}

// Of a failure to cut it, zeros remain at the end, which readers skip.
void rank_file_end(bool finalized)
{
	const uint64_t lost = rank_file_lost();
	uint64_t number;
	struct rec_slot *slot;

	if (!rank_file_take(1, &number))
		return;
	slot = rank_file_slot(number);
	slot->state = finalized ? REC_RETURNED : 0;
	slot->sent_bytes = lost;
	slot->kind = REC_END;
	if (ftruncate(buffer.file, REC_HEADER_BYTES + (off_t)(number + 1) * REC_SLOT_BYTES) != 0)
		return;
}
