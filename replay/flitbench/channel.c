// SPDX-License-Identifier: GPL-3.0-or-later
#include "channel.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define NS_PER_S 1000000000

int64_t channel_elapsed_ns(struct timespec start, struct timespec end)
{
	return (int64_t)(end.tv_sec - start.tv_sec) * NS_PER_S + (end.tv_nsec - start.tv_nsec);
}

static int64_t read_clock(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return channel_elapsed_ns((struct timespec){0}, now);
}

int64_t channel_now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

void channel_set_deadline(struct channel *channel)
{
	channel->deadline_ns = channel_now_ns() + channel->timeout_ns;
}

enum tr_status channel_check(const struct channel *channel, struct tr_error *err)
{
	if (read_clock(CLOCK_MONOTONIC_COARSE) > channel->deadline_ns)
		return tr_fail(err, "%s: no answer within %g s (--timeout)",
			       channel->transport->name, (double)channel->timeout_ns / NS_PER_S);
	return TR_OK;
}

enum tr_status channel_check_partner(const struct channel *channel, struct tr_error *err)
{
	siginfo_t info = {.si_pid = 0};

	if (channel->partner > 0 &&
	    waitid(P_PID, (id_t)channel->partner, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    info.si_pid)
		return tr_fail(err, "%s: the answering process has ended",
			       channel->transport->name);
	return channel_check(channel, err);
}

static uint8_t next_mark(uint8_t mark)
{
	return (uint8_t)(mark % 255 + 1);
}

enum tr_status channel_send(struct channel *channel, size_t bytes, struct tr_error *err)
{
	channel->last_sent = next_mark(channel->last_sent);
	return channel->transport->send(channel, bytes, channel->last_sent, err);
}

enum tr_status channel_send_unmarked(struct channel *channel, size_t bytes, struct tr_error *err)
{
	return channel->transport->send(channel, bytes, 0, err);
}

enum tr_status channel_await(struct channel *channel, size_t bytes, struct tr_error *err)
{
	channel->last_awaited = next_mark(channel->last_awaited);
	return channel->transport->await(channel, bytes, channel->last_awaited, err);
}

enum tr_status channel_await_unmarked(struct channel *channel, size_t bytes, struct tr_error *err)
{
	return channel->transport->overwrites ? TR_OK
					      : channel->transport->await(channel, bytes, 0, err);
}

// The byte at this distance from a message's end.
static uint8_t pattern(size_t distance, uint64_t seed)
{
	return (uint8_t)((distance * 167 + seed * 59) >> 3);
}

void channel_fill(struct channel *channel, size_t bytes, uint64_t seed)
{
	for (size_t i = 2; i <= bytes; i++)
		*(channel->out_end - i) = pattern(i, seed);
}

enum tr_status channel_verify(const struct channel *channel, size_t bytes, uint64_t seed,
			      struct tr_error *err)
{
	for (size_t i = 2; i <= bytes; i++)
		if (*(channel->in_end - i) != pattern(i, seed))
			return tr_fail(err,
				       "%s: byte %zu of a message of %zu bytes is %u, expected %u",
				       channel->transport->name, bytes - i, bytes,
				       *(channel->in_end - i), pattern(i, seed));
	return TR_OK;
}

enum tr_status channel_own_buffers(struct channel *channel, struct tr_error *err)
{
	const size_t each = (channel->room + CHANNEL_ALIGN - 1) / CHANNEL_ALIGN * CHANNEL_ALIGN;

	channel->own = aligned_alloc(CHANNEL_ALIGN, 2 * each);
	if (!channel->own)
		return tr_no_memory(err, "messages of %zu bytes", channel->room);
	memset(channel->own, 0, 2 * each);
	channel->out_end = channel->own + each;
	channel->in_end = channel->out_end + each;
	return TR_OK;
}

enum tr_status channel_grow(struct channel *channel, size_t bytes, struct tr_error *err)
{
	if (bytes <= channel->room)
		return TR_OK;
	if (!channel->own || bytes > CHANNEL_BYTES_MAX)
		return tr_fail(err, "%s: messages of %zu bytes requested; at most %zu are possible",
			       channel->transport->name, bytes,
			       channel->own ? CHANNEL_BYTES_MAX : channel->room);
	free(channel->own);
	channel->own = NULL;
	channel->room = bytes;
	return channel_own_buffers(channel, err);
}

void channel_close(struct channel *channel)
{
	if (channel->transport)
		channel->transport->leave(channel);
	free(channel->own);
	channel->own = NULL;
}
