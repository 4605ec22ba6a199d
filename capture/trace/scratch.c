// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum tr_status tr_scratch_open(struct tr_scratch *scratch, const char *what, struct tr_error *err)
{
	const int fd = memfd_create("scratch", MFD_CLOEXEC);

	*scratch = (struct tr_scratch){.file = fd < 0 ? NULL : fdopen(fd, "w+")};
	if (!scratch->file) {
		if (fd >= 0)
			(void)close(fd);
		return tr_no_memory(err, "%s: %s", what, strerror(errno));
	}
	(void)snprintf(scratch->path, sizeof(scratch->path), "/proc/self/fd/%d", fd);
	return TR_OK;
}

enum tr_status tr_scratch_flush(struct tr_scratch *scratch, const char *what, struct tr_error *err)
{
	if (fflush(scratch->file) != 0 || ferror(scratch->file))
		return tr_no_memory(err, "%s: %s", what, strerror(errno));
	return TR_OK;
}

enum tr_status tr_scratch_take(struct tr_scratch *scratch, const char *what, char **text, struct tr_error *err)
{
	long bytes;

	*text = NULL;
	if (fseek(scratch->file, 0, SEEK_END) != 0 || (bytes = ftell(scratch->file)) < 0 ||
	    fseek(scratch->file, 0, SEEK_SET) != 0)
		return tr_fail(err, "cannot read %s: %s", what, strerror(errno));
	*text = malloc((size_t)bytes + 1);
	if (!*text)
		return tr_no_memory(err, "%s: %ld bytes", what, bytes);
	(*text)[fread(*text, 1, (size_t)bytes, scratch->file)] = '\0';
	return TR_OK;
}

void tr_scratch_close(struct tr_scratch *scratch)
{
	if (scratch->file)
		(void)fclose(scratch->file);
	scratch->file = NULL;
}
