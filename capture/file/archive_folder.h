// SPDX-License-Identifier: GPL-3.0-or-later
// Recognises a folder given instead of a file, to give a hint.
#ifndef FILE_ARCHIVE_FOLDER_H
#define FILE_ARCHIVE_FOLDER_H

#include <stddef.h>

#define TR_FOLDER_HINT_BYTES 640u

// Writes to out which file of the folder at path to give instead, or which files, and to which
// program: ": it is the folder of an OTF2 archive (flitread PATH/traces.otf2 reads it)". "" where
// it holds none, or cannot be read. Of several it names the first. Returns out.
const char *tr_folder_hint(const char *path, char *out, size_t out_bytes);

#endif
