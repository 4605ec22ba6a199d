// SPDX-License-Identifier: GPL-3.0-or-later
// A window of the characters on links, as text: a line for each, fields between tabs.
#ifndef REPLAY_CHARACTER_TRACE_H
#define REPLAY_CHARACTER_TRACE_H

#include <stdio.h>

#include "net/engine.h"
#include "trace/opt.h"
#include "trace/outfile.h"

struct character_trace_options {
	const char *path;     // NULL: none; "-": standard output
	struct opt_list only; // names of links, none: all; and the times "FROM..TO", of which either may be missing
};

struct character_trace {
	FILE *file;
	struct tr_outfile *out; // NULL: standard output
	bool *links;
	const struct net_topology *topology; // lent
	uint64_t ticks_per_s;
	struct net_watch watch; // for a run, as long as the trace is open
};

// Opens what was asked for and writes the line of the fields' names. TR_ERROR where a link has no such
// name, the window is malformed or the file cannot be made or is one of files that are read. Close it in any case.
enum tr_status character_trace_open(struct character_trace *trace, const struct character_trace_options *options,
				    const struct net_topology *topology, uint64_t ticks_per_s, const struct tr_files *files,
				    struct tr_error *err);

// Closes; the file takes its name where it is whole. TR_ERROR where something could not be written.
enum tr_status character_trace_close(struct character_trace *trace, bool whole, struct tr_error *err);

#endif
