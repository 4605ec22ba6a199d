// SPDX-License-Identifier: GPL-3.0-or-later
// Events as an OTF2 archive, for viewers of such traces. Each call is a region of MPI; a whole
// message is a send when it begins and a receive when it ends, of no length.
#ifndef FOREIGN_OTF2_WRITE_H
#define FOREIGN_OTF2_WRITE_H

#include "foreign/rank_events.h"

// Writes the archive into the new folder path, its main file path/traces.otf2, after events_match.
// made says how it was made. Memory: 16 B a whole message. TR_ERROR: the folder is there already,
// or the library failed; what was written is left.
enum tr_status otf2_write(const struct events *events, const char *path, const char *made,
			  struct tr_error *err);

#endif
