// SPDX-License-Identifier: GPL-3.0-or-later
// The program that --program names: a file, and parameters for what it holds.
#ifndef TEXT_PROGRAM_FILE_H
#define TEXT_PROGRAM_FILE_H

#include <stddef.h>

#include "value/status.h"

#define PROCESSES_MAGIC "flitline-program" // with which a program of processes begins

// The name of the file in "FILE:NAME=VALUE,...", into out, and what follows the colon, NULL for
// nothing. A colon without a later "=" is of the name. TR_ERROR: the name is too long.
enum tr_status program_file_split(const char *text, char *out, size_t out_bytes,
				  const char **overrides, struct tr_error *err);

#endif
