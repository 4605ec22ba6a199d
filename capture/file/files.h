// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a program reads and writes, by device and inode, so that no output destroys an
// input or another output. Only regular files count: /dev/null may be written twice.
#ifndef FILE_FILES_H
#define FILE_FILES_H

#include <stdbool.h>

#include "value/status.h"

struct tr_file_entry;

// Zero is an empty set; tr_files_clear frees what it holds.
struct tr_files {
	struct tr_file_entry *entries;
};

// Adds an input: a path, or "-" for standard input; ignores it unless it is an existing regular
// file. TR_ERROR: out of memory, or it is one of the outputs added before.
enum tr_status tr_files_read(struct tr_files *files, const char *path, struct tr_error *err);

// Adds an output; it need not exist yet. Ignores "-". TR_ERROR: as tr_files_allow, or another
// output was added for the same file.
enum tr_status tr_files_write(struct tr_files *files, const char *path, struct tr_error *err);

// Whether path may be opened for writing. TR_ERROR with err: it is an input, standard output or
// standard error, or an output that was added under another name. files NULL: any path may.
enum tr_status tr_files_allow(const struct tr_files *files, const char *path, struct tr_error *err);

// The same for one more output: neither may path be the same file as an output added before.
enum tr_status tr_files_allow_another(const struct tr_files *files, const char *path,
				      struct tr_error *err);

// TR_ERROR where standard output is one of the inputs added so far (as with ">>"; with ">" the
// shell has emptied it).
enum tr_status tr_files_allow_stdout(const struct tr_files *files, struct tr_error *err);

// The absolute name of path with links followed; its last component need not exist. The caller
// frees it. NULL with errno on failure.
char *tr_files_resolve(const char *path);

// Path of a file named in the file of (NULL: none): beside that file if it exists there, else
// relative to the current folder. The caller frees it. NULL if out of memory.
char *tr_files_beside(const char *of, const char *path);

// Forgets all files.
void tr_files_clear(struct tr_files *files);

#endif
