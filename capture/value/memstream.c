// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/memstream.h"
#include "value/grow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

struct memory {
	char **text;
	size_t *bytes;
	size_t room;
};

static ssize_t memstream_put(void *cookie, const char *data, size_t data_bytes)
{
	struct memory *memory = cookie;
	const size_t needed = *memory->bytes + data_bytes + 1;

	if (!GROW_TO(*memory->text, memory->room, needed))
		return 0; // makes the stream fail
	memcpy(*memory->text + *memory->bytes, data, data_bytes);
	*memory->bytes += data_bytes;
	(*memory->text)[*memory->bytes] = '\0';
	return (ssize_t)data_bytes;
}

static int memstream_release(void *cookie)
{
	free(cookie);
	return 0;
}

FILE *tr_memstream_open(char **text, size_t *bytes)
{
	struct memory *memory = calloc(1, sizeof(*memory));
	FILE *stream = NULL;

	*text = calloc(1, 1);
	*bytes = 0;
	if (memory && *text) {
		*memory = (struct memory){text, bytes, 1};
		stream = fopencookie(memory, "w",
				     (cookie_io_functions_t){.write = memstream_put,
							     .close = memstream_release});
	}
	if (stream)
		return stream;
	free(memory);
	free(*text);
	*text = NULL;
	return NULL;
}

bool tr_memstream_close(FILE *stream)
{
	const bool whole = fflush(stream) == 0 && !ferror(stream);

	return fclose(stream) == 0 && whole;
}
