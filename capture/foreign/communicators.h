// SPDX-License-Identifier: GPL-3.0-or-later
// The communicators of rank_events.h, for events.c.
#ifndef FOREIGN_COMMUNICATORS_H
#define FOREIGN_COMMUNICATORS_H

#include "foreign/rank_events.h"

// Gives every rank the communicator of all. TR_ERROR: out of memory.
enum tr_status events_open_world(struct events *events, struct tr_error *err);

// Room for one more communicator of the rank, which is counted already. NULL: out of memory, err
// says so.
struct event_communicator *events_new_communicator(struct events *events, uint32_t rank,
						   struct tr_error *err);

// The number of a list of members, which is entered if it is new; EVENT_NOBODY: out of memory. How
// many there are.
uint32_t events_enter_list(struct events *events, const uint32_t *ranks, uint32_t count);
uint32_t events_lists(const struct events *events);

// Finds the members of communicators between two groups that are known, and numbers them alike at
// all members; *paired is how many. False: out of memory.
bool events_pair_groups(struct events *events, uint32_t *paired);

// Finds the members of splits, and numbers the communicators alike at all members.
enum tr_status events_resolve_communicators(struct events *events, struct tr_error *err);

// The lists of members through a pipe (events_pipe.h).
bool events_send_members(const struct events *events, int fd);
bool events_receive_members(struct events *events, int fd);

// Frees the lists of members, if there are any.
void events_clear_members(struct events *events);

#endif
