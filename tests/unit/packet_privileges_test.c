// SPDX-License-Identifier: GPL-3.0-or-later
// A confined process, a child of this one, can write and rotate outputs but nothing else.
#include "packet/privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

// What a child found; it may not use cmocka, which prints and jumps.
enum { FINE, NOT_CONFINED, OUTPUTS_FAILED, THREAD_FAILED, CALL_ALLOWED, RIGHTS_LEFT };

// The number after a name in /proc/self/status; -1 where there is none.
static long long status_of(const char *name, int base)
{
	char line[256];
	long long value = -1;
	FILE *file = fopen("/proc/self/status", "r");

	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, name, strlen(name)) == 0)
			value = strtoll(line + strlen(name) + 1, NULL, base);
	if (file)
		(void)fclose(file);
	return value;
}

static bool write_outputs(const char *folder)
{
	const int at = open(folder, O_RDONLY | O_DIRECTORY);
	const int fd = openat(at, "new", O_WRONLY | O_CREAT | O_EXCL, 0600);
	const bool written = fd >= 0 && write(fd, "trace", 5) == 5 && fchmod(fd, 0644) == 0 &&
			     fsync(fd) == 0 && close(fd) == 0 &&
			     renameat(at, "new", at, "trace") == 0;
	const bool gone = unlinkat(at, "trace", 0) == 0;

	return close(at) == 0 && written && gone;
}

static void *nothing(void *context)
{
	return context;
}

static bool refused(long result)
{
	return result == -1 && errno == EPERM;
}

static bool calls_refused(void)
{
	char *const arguments[] = {(char[]){"true"}, NULL};

	return refused(socket(AF_INET, SOCK_STREAM, 0)) &&
	       refused(socket(AF_UNIX, SOCK_STREAM, 0)) && refused(execv("/bin/true", arguments)) &&
	       refused(fork()) && refused(ptrace(PTRACE_TRACEME, 0, NULL, NULL)) &&
	       refused(kill(getppid(), 0)) && refused(setuid(0)) && refused(mkdir("made", 0700)) &&
	       refused(chdir("/")) && refused(chroot("/"));
}

static int confined(const char *folder)
{
	struct tr_error err;
	const char *name;
	pthread_t thread;

	if (pk_privileges_drop(NULL, &name, &err) != TR_OK || status_of("CapPrm:", 16) != 0 ||
	    status_of("CapEff:", 16) != 0 || status_of("NoNewPrivs:", 10) != 1)
		return RIGHTS_LEFT;
	if (pk_privileges_confine(&err) != TR_OK)
		return NOT_CONFINED;
	if (!write_outputs(folder))
		return OUTPUTS_FAILED;
	if (pthread_create(&thread, NULL, nothing, NULL) != 0 || pthread_join(thread, NULL) != 0)
		return THREAD_FAILED;
	if (status_of("Seccomp:", 10) != 2)
		return NOT_CONFINED;
	return calls_refused() ? FINE : CALL_ALLOWED;
}

static void test_confined(void **state)
{
	char folder[] = "/tmp/privileges-XXXXXX";
	int status;
	pid_t child;

	(void)state;
	assert_non_null(mkdtemp(folder));
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		_exit(confined(folder));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(rmdir(folder), 0);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NOT_CONFINED)
		skip(); // the build has no libseccomp, or it is a sanitizer's
	assert_int_equal(WEXITSTATUS(status), FINE);
}

static void test_no_such_user(void **state)
{
	struct tr_error err;
	const char *name;

	(void)state;
	assert_int_equal(pk_privileges_drop("no-such-user", &name, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "no-such-user"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_confined),
		cmocka_unit_test(test_no_such_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
