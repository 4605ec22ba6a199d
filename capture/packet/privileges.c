// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/privileges.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// ---- user and capabilities

const char *pk_privileges_user(void)
{
	if (geteuid() != 0)
		return NULL;
	return getpwnam("tcpdump") ? "tcpdump" : "nobody";
}

static enum tr_status privileges_find(const char *user, const struct passwd **entry,
				      struct tr_error *err)
{
	*entry = user ? getpwnam(user) : getpwuid(geteuid());
	if (user && !*entry)
		return tr_fail(err, "-Z: there is no user %.100s", user);
	if (user && geteuid() != 0 && (*entry)->pw_uid != geteuid())
		return tr_fail(err, "-Z: only root can become another user");
	return TR_OK;
}

enum tr_status pk_privileges_lower(const char *user, struct tr_error *err)
{
	const struct passwd *entry;

	if (privileges_find(user, &entry, err) != TR_OK)
		return TR_ERROR;
	if (!user || geteuid() != 0 || entry->pw_uid == 0)
		return TR_OK;
	if (initgroups(entry->pw_name, entry->pw_gid) != 0 || setegid(entry->pw_gid) != 0 ||
	    seteuid(entry->pw_uid) != 0)
		return tr_fail(err, "user %s: %s", entry->pw_name, strerror(errno));
	return TR_OK;
}

bool pk_privileges_raise(void)
{
	return getuid() == 0 && seteuid(0) == 0 && setegid(getgid()) == 0;
}

static enum tr_status become(const struct passwd *entry, struct tr_error *err)
{
	if (initgroups(entry->pw_name, entry->pw_gid) != 0 ||
	    setresgid(entry->pw_gid, entry->pw_gid, entry->pw_gid) != 0 ||
	    setresuid(entry->pw_uid, entry->pw_uid, entry->pw_uid) != 0)
		return tr_fail(err, "user %s: %s", entry->pw_name, strerror(errno));
	if (entry->pw_uid != 0 && setresuid(0, 0, 0) == 0)
		return tr_fail(err, "user %s: could become root again", entry->pw_name);
	return TR_OK;
}

// Drops all capabilities except those in keep, a bit each.
static enum tr_status keep_capabilities(uint32_t keep, struct tr_error *err)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	const struct __user_cap_data_struct data[2] = {{.effective = keep, .permitted = keep}};

	// Old systems have no ambient set; then there is none to clear.
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capset, &head, data) != 0)
		return tr_fail(err, "cannot drop capabilities: %s", strerror(errno));
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return tr_fail(err, "cannot set no_new_privs: %s", strerror(errno));
	return TR_OK;
}

enum tr_status pk_privileges_drop(const char *user, const char **name, struct tr_error *err)
{
	const struct passwd *entry;
	uint32_t keep = 0;

	if (privileges_find(user, &entry, err) != TR_OK)
		return TR_ERROR;
	*name = entry ? entry->pw_name : "this user";
	if (user && geteuid() == 0) {
		if (entry->pw_uid == 0)
			keep = 1u << CAP_DAC_OVERRIDE | 1u << CAP_FOWNER;
		else if (become(entry, err) != TR_OK)
			return TR_ERROR;
	}
	return keep_capabilities(keep, err);
}

// ---- system calls

#ifdef FLIT_SECCOMP
#include <linux/sched.h>
#include <seccomp.h>

// By name, since not every architecture has all of them.
static const char *const allowed[] = {
	// reading, waiting for and querying the socket
	"read",
	"pread64",
	"readv",
	"recvfrom",
	"recvmsg",
	"poll",
	"ppoll",
	"select",
	"pselect6",
	"getsockopt",
	"setsockopt",
	"ioctl",
	"fcntl",
	"eventfd2",
	"signalfd4",
	// outputs: written, synced, rotated and renamed
	"open",
	"openat",
	"close",
	"close_range",
	"write",
	"pwrite64",
	"writev",
	"lseek",
	"ftruncate",
	"fallocate",
	"fsync",
	"fdatasync",
	"sync_file_range",
	"rename",
	"renameat",
	"renameat2",
	"link",
	"linkat",
	"unlink",
	"unlinkat",
	"stat",
	"lstat",
	"fstat",
	"newfstatat",
	"fstatat64",
	"statx",
	"statfs",
	"fstatfs",
	"access",
	"faccessat",
	"faccessat2",
	"readlink",
	"readlinkat",
	"chmod",
	"fchmod",
	"fchmodat",
	"fchown",
	"fchownat",
	"umask",
	"getcwd",
	"dup",
	"dup2",
	"dup3",
	"fadvise64",
	"flock",
	// memory, threads of this process, signals, time and user ids
	"brk",
	"mmap",
	"munmap",
	"mremap",
	"mprotect",
	"madvise",
	"futex",
	"set_robust_list",
	"rseq",
	"sched_yield",
	"sched_getaffinity",
	"membarrier",
	"prlimit64",
	"rt_sigaction",
	"rt_sigprocmask",
	"rt_sigreturn",
	"rt_sigtimedwait",
	"rt_sigsuspend",
	"sigaltstack",
	"tgkill",
	"setitimer",
	"alarm",
	"pause",
	"clock_gettime",
	"clock_getres",
	"clock_nanosleep",
	"nanosleep",
	"gettimeofday",
	"time",
	"restart_syscall",
	"getrandom",
	"getpid",
	"gettid",
	"getuid",
	"geteuid",
	"getgid",
	"getegid",
	"uname",
	"sysinfo",
	"getrusage",
	"exit",
	"exit_group",
};

static int privileges_fill(scmp_filter_ctx filter)
{
	int worst = 0;

	for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed) && worst == 0; i++) {
		const int number = seccomp_syscall_resolve_name(allowed[i]);

		if (number != __NR_SCMP_ERROR)
			worst = seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0);
	}
	// Threads, no processes; without clone3 the C library falls back on clone.
	if (worst == 0)
		worst = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
					 SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
	if (worst == 0)
		worst = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
	return worst;
}

enum tr_status pk_privileges_confine(struct tr_error *err)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int failure = filter ? privileges_fill(filter) : -ENOMEM;

	if (failure == 0)
		failure = seccomp_load(filter);
	if (filter)
		seccomp_release(filter);
	// Capture even if the kernel lacks seccomp.
	return failure == 0 || failure == -ENOSYS || failure == -EINVAL
		       ? TR_OK
		       : tr_fail(err, "cannot restrict system calls: %s", strerror(-failure));
}
#else
enum tr_status pk_privileges_confine(struct tr_error *err)
{
	(void)err;
	return TR_OK;
}
#endif
