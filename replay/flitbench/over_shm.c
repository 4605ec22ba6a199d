// SPDX-License-Identifier: GPL-3.0-or-later
// POSIX shared memory, as scibench uses SCI's: each side has an array, the other writes into it,
// and each polls only its own.
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "channel.h"

#define POLLS_IN_VAIN \
	1024u // then the processor is given up for a moment, as the other side may need it

static enum tr_status over_shm_prepare(struct channel *channel, struct tr_error *err)
{
	char name[64];
	int file;
	enum tr_status status = TR_OK;

	// The arrays of both sides, and one for what a side is about to write.
	channel->shared_bytes = 4 * ((channel->room + CHANNEL_ALIGN - 1) / CHANNEL_ALIGN *
				     CHANNEL_ALIGN);
	(void)snprintf(name, sizeof(name), "/flitbench-%ld", (long)getpid());
	file = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (file < 0)
		return tr_fail(err, "shm: cannot create %s: %s", name, strerror(errno));
	(void)shm_unlink(name);
	errno = posix_fallocate(file, 0, (off_t)channel->shared_bytes);
	if (errno == 0)
		channel->shared = mmap(NULL, channel->shared_bytes, PROT_READ | PROT_WRITE,
				       MAP_SHARED, file, 0);
	if (errno != 0 || channel->shared == MAP_FAILED) {
		channel->shared = NULL;
		status = tr_fail(err, "shm: %zu bytes of shared memory: %s", channel->shared_bytes,
				 strerror(errno));
	}
	(void)close(file);
	return status;
}

static enum tr_status over_shm_join(struct channel *channel, enum channel_side side,
				    struct tr_error *err)
{
	const size_t each = channel->shared_bytes / 4;
	uint8_t *base = channel->shared;

	(void)err;
	channel->in_end = base + (side == CHANNEL_TIMES ? 1 : 2) * each;
	channel->out_end = base + (side == CHANNEL_TIMES ? 3 : 4) * each;
	return TR_OK;
}

// The end of the other side's array: arrays 0 and 1 are in turn.
static uint8_t *remote_end(const struct channel *channel)
{
	const size_t each = channel->shared_bytes / 4;
	uint8_t *base = channel->shared;

	return channel->in_end == base + each ? base + 2 * each : base + each;
}

static enum tr_status over_shm_put(struct channel *channel, size_t bytes, uint8_t mark,
				   struct tr_error *err)
{
	uint8_t *end = remote_end(channel);

	(void)err;
	memcpy(end - bytes, channel->out_end - bytes, bytes - 1);
	atomic_store_explicit((_Atomic uint8_t *)(end - 1), mark, memory_order_release);
	return TR_OK;
}

static enum tr_status poll_mark(struct channel *channel, size_t bytes, uint8_t mark,
				struct tr_error *err)
{
	const _Atomic uint8_t *at = (_Atomic uint8_t *)(channel->in_end - 1);

	(void)bytes;
	for (unsigned polls = 1; atomic_load_explicit(at, memory_order_acquire) != mark; polls++)
		if (polls % POLLS_IN_VAIN == 0) {
			if (channel_check_partner(channel, err) != TR_OK)
				return TR_ERROR;
			(void)sched_yield();
		}
	return TR_OK;
}

static void over_shm_leave(struct channel *channel)
{
	if (channel->shared)
		(void)munmap(channel->shared, channel->shared_bytes);
	channel->shared = NULL;
}

const struct transport transport_shm = {
	.name = "shm",
	.bytes_min = 1,
	.overwrites = true,
	.prepare = over_shm_prepare,
	.join = over_shm_join,
	.send = over_shm_put,
	.await = poll_mark,
	.leave = over_shm_leave,
};
