// SPDX-License-Identifier: GPL-3.0-or-later
#include "rank_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHUNK_SLOTS = 16384, CHUNK_BYTES = CHUNK_SLOTS * REC_SLOT_BYTES, CHUNKS_MAX = 65536 };

static struct {
	int file;
	size_t header_bytes; // of its text
	_Atomic uint64_t taken, lost;
	_Atomic bool full;
	_Atomic(struct rec_slot *) chunks[CHUNKS_MAX];
} buffer;

// The file only grows, whichever thread comes first; that it has the room keeps a full disk from
// ending the program by SIGBUS.
static struct rec_slot *chunk_map(uint64_t index)
{
	struct rec_slot *none = NULL, *chunk;
	const off_t at = REC_HEADER_BYTES + (off_t)index * CHUNK_BYTES;

	errno = index < CHUNKS_MAX ? posix_fallocate(buffer.file, at, CHUNK_BYTES) : EFBIG;
	if (errno != 0)
		return NULL;
	chunk = mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
		     buffer.file, at);
	if (chunk == MAP_FAILED)
		return NULL;
	if (atomic_compare_exchange_strong(&buffer.chunks[index], &none, chunk))
		return chunk;
	munmap(chunk, CHUNK_BYTES); // another thread was first
	return none;
}

// What failed once is not tried again: the program is not to wait for a full disk at each call.
static bool chunk_ready(uint64_t index)
{
	if (index < CHUNKS_MAX && atomic_load_explicit(&buffer.chunks[index], memory_order_acquire))
		return true;
	if (!atomic_load_explicit(&buffer.full, memory_order_relaxed) && chunk_map(index))
		return true;
	atomic_store_explicit(&buffer.full, true, memory_order_relaxed);
	return false;
}

bool rank_file_open(const char *path, const char *header)
{
	char text[REC_HEADER_BYTES] = "";

	memccpy(text, header, '\0', sizeof(text) - 1);
	buffer.file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	buffer.header_bytes = strlen(text);
	return buffer.file >= 0 && write(buffer.file, text, sizeof(text)) == (ssize_t)sizeof(text);
}

bool rank_file_take(unsigned slots, uint64_t *number)
{
	*number = atomic_fetch_add_explicit(&buffer.taken, slots, memory_order_relaxed);
	for (uint64_t chunk = *number / CHUNK_SLOTS; chunk <= (*number + slots - 1) / CHUNK_SLOTS;
	     chunk++)
		if (!chunk_ready(chunk))
			return false;
	return true;
}

struct rec_slot *rank_file_slot(uint64_t number)
{
	return atomic_load_explicit(&buffer.chunks[number / CHUNK_SLOTS], memory_order_acquire) +
	       number % CHUNK_SLOTS;
}

void rank_file_lose(void)
{
	atomic_fetch_add(&buffer.lost, 1);
}

uint64_t rank_file_lost(void)
{
	return atomic_load(&buffer.lost);
}

// Without room for slots there is room in the header. If it cannot be cut, zeros remain at the end,
// which readers skip.
void rank_file_end(bool finalized)
{
	const uint64_t slots = atomic_load(&buffer.taken);
	char text[64];
	const int bytes = snprintf(text, sizeof(text), "end %d\nlost %llu\n", finalized,
				   (unsigned long long)rank_file_lost());

	if (buffer.header_bytes + (size_t)bytes < REC_HEADER_BYTES)
		(void)!pwrite(buffer.file, text, (size_t)bytes, (off_t)buffer.header_bytes);
	if (rank_file_lost() == 0)
		(void)!ftruncate(buffer.file, REC_HEADER_BYTES + (off_t)slots * REC_SLOT_BYTES);
}
