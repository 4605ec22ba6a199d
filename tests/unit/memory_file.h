// SPDX-License-Identifier: GPL-3.0-or-later
// Files in memory, for writers that open a path, and their bytes.
#ifndef TESTS_MEMORY_FILE_H
#define TESTS_MEMORY_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "stream/reader.h"

// Bytes on the heap; free(at).
struct bytes {
	uint8_t *at;
	size_t count;
};

struct memory_file {
	int fd;
	char path[40]; // opens the same file again
};

// An empty unnamed file. Aborts the test if the system refuses.
struct memory_file memory_file_open(void);

// Its contents; closes it.
struct bytes memory_file_take(struct memory_file *file);

// The bytes of a file; fails the test if it cannot be read.
struct bytes bytes_of_file(const char *path);

// A reader of the bytes, called "bytes" in messages. TR_ERROR with err if the header is rejected.
enum tr_status bytes_open(struct tr_reader **out, const void *at, size_t count,
			  struct tr_error *err);

#endif
