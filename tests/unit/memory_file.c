// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>

struct memory_file memory_file_open(void)
{
	struct memory_file file = {.fd = memfd_create("flitline", 0)};

	assert_true(file.fd >= 0);
	(void)snprintf(file.path, sizeof(file.path), "/dev/fd/%d", file.fd);
	return file;
}

static struct bytes take(int fd)
{
	struct bytes bytes = {.at = NULL};
	struct stat info;

	assert_int_equal(fstat(fd, &info), 0);
	bytes.count = (size_t)info.st_size;
	bytes.at = malloc(bytes.count + 1);
	assert_non_null(bytes.at);
	assert_int_equal(pread(fd, bytes.at, bytes.count, 0), info.st_size);
	assert_int_equal(close(fd), 0);
	return bytes;
}

struct bytes memory_file_take(struct memory_file *file)
{
	return take(file->fd);
}

struct bytes bytes_of_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail_msg("cannot open %s", path);
	return take(fd);
}

enum tr_status bytes_open(struct tr_reader **out, const void *at, size_t count,
			  struct tr_error *err)
{
	struct tr_source *source;

	*out = NULL;
	if (tr_source_open_memory(&source, at, count, "bytes", err) != TR_OK)
		return TR_ERROR;
	return tr_reader_open(out, source, NULL, NULL, err);
}
