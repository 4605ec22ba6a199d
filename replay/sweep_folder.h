// SPDX-License-Identifier: GPL-3.0-or-later
// A folder with the outputs of a sweep's runs, a file each: a line with the command of the run, one with its exit status, and what
// its last program wrote. A file that is there is whole. A run whose file has
// its command need not be run again; what other sweeps left is not touched, unless it has the same parameters.
#ifndef REPLAY_SWEEP_FOLDER_H
#define REPLAY_SWEEP_FOLDER_H

#include "sweep_command.h"
#include "trace/files.h"

struct sweep_folder {
	const char *path;
	const struct sweep_command *command;
	const struct sweep_grid *grid;
	const struct tr_files *files; // what must not be overwritten
};

// Makes the folder where it is absent.
enum tr_status sweep_folder_open(const struct sweep_folder *folder, struct tr_error *err);

// The run's output, to be freed with *whole. TR_END: there is none by this command. TR_ERROR also where its file is one of
// those that must not be overwritten.
enum tr_status sweep_folder_get(const struct sweep_folder *folder, size_t run, char **whole, const char **text,
				int *exit_status, struct tr_error *err);

// Writes the run's file.
enum tr_status sweep_folder_put(const struct sweep_folder *folder, size_t run, const char *text, int exit_status,
				struct tr_error *err);

#endif
