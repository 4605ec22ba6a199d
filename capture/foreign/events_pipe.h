// SPDX-License-Identifier: GPL-3.0-or-later
// Finished events from one process of this program to another, through a pipe, as they are in
// memory.
#ifndef FOREIGN_EVENTS_PIPE_H
#define FOREIGN_EVENTS_PIPE_H

#include "foreign/rank_events.h"

// Returns whether everything was written.
bool events_send(const struct events *events, int fd);

// TR_ERROR: out of memory, or the pipe ended before; events_clear in any case.
enum tr_status events_receive(struct events *events, int fd, struct tr_error *err);

// All of so many bytes; false: not all of them.
bool events_pipe_put(int fd, const void *data, size_t bytes);
bool events_pipe_get(int fd, void *data, size_t bytes);

// An array of count items, of which *out is memory of its own; *out stays NULL for none. False also
// out of memory.
bool events_pipe_get_array(int fd, void *out, uint64_t count, size_t each_bytes);

#endif
