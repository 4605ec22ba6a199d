// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs and folders that root makes in folders where others may put symbolic links. No link of
// another user is followed, as the last name of a path or before it, and the file that was checked
// is the one that is opened.
#ifndef FILE_FOREIGN_FOLDER_H
#define FILE_FOREIGN_FOLDER_H

#include <stdbool.h>

#include "value/status.h"

// Walks to the folder of path, if this process is root's. *folder: -1 if others can write to no
// folder on the way; else a descriptor of the folder, for the caller to close, and *within the name
// in it that path means, through the descriptor ("/proc/self/fd/7/x.flt"), for the caller to free.
// It may exist, but was not a link. TR_ERROR: a link of another user, named in err, or a folder
// that is missing; nothing to free.
enum tr_status tr_foreign_folder(const char *path, int *folder, char **within,
				 struct tr_error *err);

// Makes the folder at path, as tr_foreign_folder walks to it. TR_END: it exists. folder: NULL, or
// takes a descriptor of it, for the caller to close, which nobody can exchange for another one.
// TR_ERROR: it cannot be made, is another file, or a link that root does not follow.
enum tr_status tr_folder_make(const char *path, int *folder, struct tr_error *err);

#endif
