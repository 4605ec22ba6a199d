// SPDX-License-Identifier: GPL-3.0-or-later
// Linked into every program of tests/unit and tests/property: at its end it says whether anything
// of the place where it ran reached it: a file, a folder, another program, the environment, the
// language, the time zone. If not, it needs no second run elsewhere (tests/elsewhere). The linker
// leads the calls of our code here (--wrap, tests/CMakeLists.txt); those of shared libraries cannot
// be seen, so only libraries that compute are taken.
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static volatile bool place_reached;

// Arguments pass through in registers, as the calling conventions of Linux have it for at most six
// whole numbers and pointers.
#define CALL(call) \
	long __real_##call(long, long, long, long, long, long); \
	long __wrap_##call(long, long, long, long, long, long); \
	long __wrap_##call(long a, long b, long c, long d, long e, long f) \
	{ \
		place_reached = true; \
		return __real_##call(a, b, c, d, e, f); \
	}
#include "place_calls.def"

char *__real_getenv(const char *name);
char *__wrap_getenv(const char *name);

char *__wrap_getenv(const char *name)
{
	place_reached |= strncmp(name, "FLIT_", 5) != 0; // what only tests have, and no place sets
	return __real_getenv(name);
}

FILE *__real_fopen(const char *name, const char *mode);
FILE *__wrap_fopen(const char *name, const char *mode);

// Tests begin in the folder of the sources, whose files are the same everywhere.
FILE *__wrap_fopen(const char *name, const char *mode)
{
	place_reached |= *name == '/' || *mode != 'r';
	return __real_fopen(name, mode);
}

static int place_library(struct dl_phdr_info *info, size_t size, void *data)
{
	static const char *const compute[] = {
		"libc.",     "libm.",	  "ld-linux",  "linux-vdso",	 "libgsl",  "libfftw3",
		"libcmocka", "libzstd",	  "libxxhash", "libz.",		 "liblzma", "liblz4",
		"libglpk",   "libcolamd", "libamd",    "libsuitesparse", "libltdl", "libgmp"};
	const char *slash = strrchr(info->dlpi_name, '/'),
		   *name = slash ? slash + 1 : info->dlpi_name;

	(void)size;
	(void)data;
	if (*name == '\0') // the program itself
		return 0;
	for (size_t i = 0; i < sizeof(compute) / sizeof(*compute); i++)
		if (!strncmp(name, compute[i], strlen(compute[i])))
			return 0;
	place_reached = true;
	return 0;
}

__attribute__((destructor)) static void place_say(void)
{
	(void)dl_iterate_phdr(place_library, NULL);
	if (!place_reached)
		(void)puts("place: nothing of it reached this test");
}
