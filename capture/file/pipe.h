// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef FILE_PIPE_H
#define FILE_PIPE_H

#include <fcntl.h>
#include <sys/stat.h>

// Enlarges a pipe's buffer to what a user may have by default, so that its two ends wait for each
// other less often; less if refused (the user has many pipes). Failure does no harm.
static inline void tr_pipe_widen(int fd, const struct stat *info)
{
	if (S_ISFIFO(info->st_mode) && fcntl(fd, F_SETPIPE_SZ, 1 << 20) < 0)
		(void)fcntl(fd, F_SETPIPE_SZ, 256 << 10);
}

#endif
