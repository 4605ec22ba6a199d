// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded by faults: call number FLIT_FAULT, counted from the start of main over all calls
// wrapped here, fails once. Then the file FLIT_FAULT_MARK is created, containing the call's name.
// SIGALRM ends a process after 30 s. If FLIT_FAULT_SITES names a file, no call fails, and the
// number of each call with a new backtrace (the return addresses of its innermost callers) is a
// line of that file.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
		      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
		      void *stack_end);

static long left = -1; // calls before the one that fails; below 0: none does

#define SITES (1u << 16)
#define SITE_FRAMES 12

static const char *sites_path;
static uint64_t sites[SITES]; // hashes, 0 where there is none
static unsigned site_count;
static long calls;
static char sites_lock;
static __thread bool unwinding; // what the unwinder itself calls does not count

struct way {
	uint64_t hash;
	int frames;
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *argument)
{
	struct way *way = argument;

	way->hash = (way->hash ^ (uint64_t)_Unwind_GetIP(context)) * UINT64_C(0x9e3779b97f4a7c15);
	way->hash ^= way->hash >> 29;
	return ++way->frames < SITE_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static bool is_new(uint64_t hash)
{
	size_t at = hash % SITES;

	while (sites[at] && sites[at] != hash)
		at = (at + 1) % SITES;
	if (sites[at] || site_count > SITES / 2)
		return false;
	sites[at] = hash;
	site_count++;
	return true;
}

static void survey(void)
{
	struct way way = {1, 0};

	if (unwinding)
		return;
	unwinding = true;
	(void)_Unwind_Backtrace(add_frame, &way);
	while (__atomic_test_and_set(&sites_lock, __ATOMIC_ACQUIRE))
		;
	calls++;
	if (is_new(way.hash | 1)) {
		char line[32];
		const int bytes = snprintf(line, sizeof(line), "%ld\n", calls);
		const long fd = syscall(SYS_openat, AT_FDCWD, sites_path,
					O_WRONLY | O_CREAT | O_APPEND, 0666);

		(void)!syscall(SYS_write, fd, line, bytes);
		(void)syscall(SYS_close, fd);
	}
	__atomic_clear(&sites_lock, __ATOMIC_RELEASE);
	unwinding = false;
}

static bool fails(const char *call, int why)
{
	const char *mark;
	int saved = errno;

	if (sites_path)
		survey();
	if (left < 0 || __atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED) != 1)
		return false;
	left = -1;
	mark = getenv("FLIT_FAULT_MARK");
	if (mark) {
		long fd = syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_TRUNC, 0666);

		(void)!syscall(SYS_write, fd, call, strlen(call));
		(void)syscall(SYS_close, fd);
	}
	errno = why ? why : saved;
	return true;
}

static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment)
{
	const char *number = getenv("FLIT_FAULT");

	(void)alarm(30);
	(void)unsetenv("LD_PRELOAD"); // what the program starts is not ours to fail
	left = number ? strtol(number, NULL, 10) : -1;
	sites_path = getenv("FLIT_FAULT_SITES");
	return real_main(argc, argv, environment);
}

int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
		      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
		      void *stack_end)
{
	int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
		     void (*)(void), void *);

	*(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
	real_main = program;
	return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

void *malloc(size_t bytes)
{
	return fails("malloc", ENOMEM) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	return fails("calloc", ENOMEM) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
	return fails("realloc", ENOMEM) ? NULL : __libc_realloc(old, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
	return fails("memalign", ENOMEM) ? NULL : __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	return fails("aligned_alloc", ENOMEM) ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
	if (fails("posix_memalign", 0))
		return ENOMEM;
	*out = __libc_memalign(alignment, bytes);
	return *out ? 0 : ENOMEM;
}

ssize_t read(int fd, void *data, size_t bytes)
{
	return fails("read", EIO) ? -1 : syscall(SYS_read, fd, data, bytes);
}

ssize_t write(int fd, const void *data, size_t bytes)
{
	if (fd == STDERR_FILENO)
		return syscall(SYS_write, fd, data, bytes);
	return fails("write", ENOSPC) ? -1 : syscall(SYS_write, fd, data, bytes);
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
	return fails("writev", ENOSPC) ? -1 : syscall(SYS_writev, fd, parts, count);
}

int close(int fd)
{
	int status = (int)syscall(SYS_close, fd);

	return fails("close", EIO) ? -1 : status;
}

int fsync(int fd)
{
	return fails("fsync", EIO) ? -1 : (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	return fails("rename", ENOSPC)
		       ? -1
		       : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode = 0;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	va_end(args);
	return fails("open", ENFILE) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int fflush(FILE *file)
{
	static int (*next)(FILE *);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "fflush");
	if (file == stderr || !fails("fflush", ENOSPC))
		return next(file);
	return EOF;
}

int fclose(FILE *file)
{
	static int (*next)(FILE *);
	int status;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "fclose");
	status = next(file);
	return fails("fclose", ENOSPC) ? EOF : status;
}
