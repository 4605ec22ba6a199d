// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into MPI ranks (LD_PRELOAD) that outnumber the processors. An MPI library polls its
// sockets in a loop without waiting; here such a poll waits up to 200 us for an event, so that a
// rank that has nothing to do leaves the processor to one that has.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <sys/epoll.h>
#include <time.h>

static const struct timespec patience = {.tv_nsec = 200000};

int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	struct timespec wait = patience;

	if (timeout_ms != 0)
		wait = (struct timespec){.tv_sec = timeout_ms / 1000,
					 .tv_nsec = timeout_ms % 1000 * 1000000L};
	return ppoll(fds, count, timeout_ms < 0 ? NULL : &wait, NULL);
}

int epoll_wait(int epoll, struct epoll_event *events, int room, int timeout_ms)
{
	int (*next)(int, struct epoll_event *, int, int);
	struct pollfd any = {.fd = epoll, .events = POLLIN};

	*(void **)&next = dlsym(RTLD_NEXT, "epoll_wait");
	if (timeout_ms == 0)
		ppoll(&any, 1, &patience, NULL);
	return next(epoll, events, room, timeout_ms);
}
