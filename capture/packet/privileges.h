// SPDX-License-Identifier: GPL-3.0-or-later
// Drops privileges, for a process that reads hostile frames.
#ifndef PACKET_PRIVILEGES_H
#define PACKET_PRIVILEGES_H

#include <stdbool.h>

#include "value/status.h"

// Acts as the user, with that user's groups, until pk_privileges_raise or pk_privileges_drop; does
// nothing if the process is not root's or user is NULL. TR_ERROR: there is no such user, or the
// process may not act as it; the caller must exit.
enum tr_status pk_privileges_lower(const char *user, struct tr_error *err);

// Acts as root again. False, changing nothing, if root did not start the process (also if its file
// is setuid root).
bool pk_privileges_raise(void);

// A root process becomes the user for good, with that user's groups (NULL: it stays who it is).
// Drops all capabilities and the means to gain any (no_new_privs); root, asked for by name, keeps
// those to write any file. *name, the user's that the process then is, lives as long as the
// process. TR_ERROR: nothing, or not all, was given up; the caller must exit.
enum tr_status pk_privileges_drop(const char *user, const char **name, struct tr_error *err);

// The user to become by default: tcpdump if it exists, else nobody; NULL if the process is not
// root's.
const char *pk_privileges_user(void);

// From now on the system refuses (EPERM) every call but those for reading the ring, writing,
// rotating and renaming outputs and waiting for signals. Needs libseccomp in the build; does
// nothing under sanitizers.
enum tr_status pk_privileges_confine(struct tr_error *err);

#endif
