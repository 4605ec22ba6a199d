// SPDX-License-Identifier: GPL-3.0-or-later
// Giving up rights, for a process that reads hostile frames.
#ifndef PACKET_PRIVILEGES_H
#define PACKET_PRIVILEGES_H

#include <stdbool.h>

#include "trace/status.h"

// Acts as the user, with that user's groups, until pk_privileges_raise or pk_privileges_drop; nothing where the process is not
// root's or user is NULL. TR_ERROR: there is no such user, or the process may not act as it; end.
enum tr_status pk_privileges_lower(const char *user, struct tr_error *err);

// Acts as root again. False where root did not start the process (also where its file is setuid root): it stays who it is.
bool pk_privileges_raise(void);

// Becomes the user for good, with that user's groups, where the process is root's (NULL: it stays who it is); drops all
// capabilities and the way to get any (no_new_privs). root, asked for by name, keeps those to write any file. *name, of the
// user that the process then is, lives as long as the process. TR_ERROR: nothing, or not all, was given up; end.
enum tr_status pk_privileges_drop(const char *user, const char **name, struct tr_error *err);

// The user to become where none is asked for: the first of tcpdump and nobody that there is; NULL where the process is not
// root's.
const char *pk_privileges_user(void);

// From now on the system refuses (EPERM) every call but those that reading the ring, writing, rotating and renaming
// outputs and waiting for signals take; where the build has libseccomp, and not under sanitizers.
enum tr_status pk_privileges_confine(struct tr_error *err);

#endif
