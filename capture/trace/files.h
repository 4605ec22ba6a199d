// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a program reads and writes, by device and inode, so that no output destroys an input or another output.
// Only regular files count: /dev/null may be written twice.
#ifndef TRACE_FILES_H
#define TRACE_FILES_H

#include <stdbool.h>

#include "trace/status.h"

struct tr_file_entry;

// Zero is an empty set; tr_files_clear frees what it holds.
struct tr_files {
	struct tr_file_entry *entries;
};

// Adds an input: a path, or "-" for standard input. What is no regular file (or is not there) is left out. TR_ERROR: out of
// memory, or it is one of the outputs added before.
enum tr_status tr_files_read(struct tr_files *files, const char *path, struct tr_error *err);

// Adds an output; it need not exist yet. "-" is left out. TR_ERROR: as tr_files_allow, or another output was added for the
// same file.
enum tr_status tr_files_write(struct tr_files *files, const char *path, struct tr_error *err);

// Whether path may be opened for writing. TR_ERROR with err: it is an input, standard output or standard error, or an output
// that was added under another name. files NULL: everything may.
enum tr_status tr_files_allow(const struct tr_files *files, const char *path, struct tr_error *err);

// The same for one more output: path may not be that of an output added before either.
enum tr_status tr_files_allow_another(const struct tr_files *files, const char *path, struct tr_error *err);

// TR_ERROR where standard output is one of the inputs added so far (as with ">>"; with ">" the shell has emptied it).
enum tr_status tr_files_allow_stdout(const struct tr_files *files, struct tr_error *err);

// The absolute name of what path stands for once links are followed, also where its last part does not exist; to be freed.
// NULL with errno otherwise.
char *tr_files_resolve(const char *path);

// Where a file is that the file of (NULL: none) names: beside that one, if it is there, else as seen from the present folder;
// to be freed. NULL without memory.
char *tr_files_beside(const char *of, const char *path);

void tr_files_clear(struct tr_files *files);

#endif
