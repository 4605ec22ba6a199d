// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/events_pipe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "foreign/communicators.h"

bool events_pipe_put(int fd, const void *data, size_t bytes)
{
	const char *at = data;

	while (bytes > 0) {
		const ssize_t put = write(fd, at, bytes);

		if (put < 0 && errno != EINTR)
			return false;
		at += put > 0 ? put : 0;
		bytes -= put > 0 ? (size_t)put : 0;
	}
	return true;
}

bool events_pipe_get(int fd, void *data, size_t bytes)
{
	char *at = data;

	while (bytes > 0) {
		const ssize_t got = read(fd, at, bytes);

		if (got == 0 || (got < 0 && errno != EINTR))
			return false;
		at += got > 0 ? got : 0;
		bytes -= got > 0 ? (size_t)got : 0;
	}
	return true;
}

bool events_pipe_get_array(int fd, void *out, uint64_t count, size_t each_bytes)
{
	void **array = out;

	*array = count > 0 ? reallocarray(NULL, count, each_bytes) : NULL;
	return count == 0 || (*array && events_pipe_get(fd, *array, count * each_bytes));
}

static bool send_rank(const struct event_rank *rank, int fd)
{
	return events_pipe_put(fd, rank->events, rank->count * sizeof(*rank->events)) &&
	       events_pipe_put(fd, rank->communicators,
			       rank->communicator_count * sizeof(*rank->communicators));
}

// The arrays of a rank whose counts are known.
static bool receive_rank(struct event_rank *rank, int fd)
{
	const struct event_rank counts = *rank;

	*rank = (struct event_rank){.other_calls = counts.other_calls};
	if (!events_pipe_get_array(fd, &rank->events, counts.count, sizeof(*rank->events)))
		return false;
	rank->count = rank->capacity = counts.count;
	if (!events_pipe_get_array(fd, &rank->communicators, counts.communicator_count,
				   sizeof(*rank->communicators)))
		return false;
	rank->communicator_count = rank->communicator_capacity = counts.communicator_count;
	return true;
}

static bool send_name(const char *name, int fd)
{
	const uint32_t bytes = name ? (uint32_t)strlen(name) + 1 : 0;

	return events_pipe_put(fd, &bytes, sizeof(bytes)) && events_pipe_put(fd, name, bytes);
}

static bool receive_name(char **name, int fd)
{
	uint32_t bytes;

	return events_pipe_get(fd, &bytes, sizeof(bytes)) &&
	       events_pipe_get_array(fd, name, bytes, 1);
}

bool events_send(const struct events *events, int fd)
{
	bool good = events_pipe_put(fd, events, sizeof(*events)) &&
		    events_pipe_put(fd, events->by_rank,
				    events->ranks * sizeof(*events->by_rank)) &&
		    events_pipe_put(fd, events->counts,
				    events->count_total * sizeof(*events->counts)) &&
		    events_send_members(events, fd);

	for (uint32_t rank = 0; good && rank < events->ranks; rank++)
		good = send_rank(&events->by_rank[rank], fd) && send_name(events->names[rank], fd);
	return good;
}

static bool receive_all(struct events *events, int fd)
{
	struct events given;
	uint32_t whole = 0;
	bool good;

	if (!events_pipe_get(fd, &given, sizeof(given)))
		return false;
	*events = given;
	events->by_rank = NULL;
	events->names = NULL;
	events->counts = NULL;
	events->numbers = NULL;
	events->members = NULL;
	events->requests = NULL;
	events->count_capacity = events->count_total;
	events->number_total = events->number_capacity = 0;
	events->ranks = 0; // those that can be cleared
	good = events_pipe_get_array(fd, &events->by_rank, given.ranks, sizeof(*events->by_rank)) &&
	       events_pipe_get_array(fd, &events->counts, given.count_total,
				     sizeof(*events->counts)) &&
	       events_receive_members(events, fd);
	events->names = good ? calloc(given.ranks + 1u, sizeof(*events->names)) : NULL;
	for (good = good && events->names; good && whole < given.ranks; whole++) {
		events->ranks = whole + 1;
		good = receive_rank(&events->by_rank[whole], fd) &&
		       receive_name(&events->names[whole], fd);
	}
	return good;
}

enum tr_status events_receive(struct events *events, int fd, struct tr_error *err)
{
	*events = (struct events){0};
	return receive_all(events, fd) ? TR_OK : tr_no_memory(err, "the calls of the trace");
}
