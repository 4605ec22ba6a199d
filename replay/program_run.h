// SPDX-License-Identifier: GPL-3.0-or-later
// flitsim's work with --program: a GOAL text is read, run over a network, and told of.
#ifndef REPLAY_PROGRAM_RUN_H
#define REPLAY_PROGRAM_RUN_H

#include "net/fabric.h"
#include "program/program.h"
#include "sim_options.h"
#include "trace/table.h"
#include "trace/tool.h"

#define PROGRAM_TABLES_MAX 6u

// One run of one program. Zero is a valid empty one.
struct program_run {
	struct tool *tool;
	struct sim_options *options;
	struct goal_program goal;
	struct program *program;
	uint32_t *host_of; // by rank
	struct tr_writer *messages;
	struct program_listener listener; // of the messages' own
	struct net_topology hosts;	  // one for each rank, where the network has no links and no other number is given
	uint64_t ticks_per_s;
};

// Reads the program that the options name; "-" is standard input. Returns false after reporting an error.
bool program_run_read(struct program_run *run, struct tool *tool, struct sim_options *options);

// Makes the run of the program over the network of setup, whose topology, params and clock are there; where the fabric has no
// links and --net is not given, it has a host for each rank. TOOL_NO, and told, where the program can never finish.
enum tool_status program_run_prepare(struct program_run *run, const struct fabric *fabric, struct net_setup *setup);

// The program becomes the setup's traffic. name is called for each rank, with the listener's context; the
// listener hears what becomes of the worms, and of the links.
enum tr_status program_run_start(struct program_run *run, struct net_setup *setup,
				 enum tr_status (*name)(void *context, const struct tr_name *name, struct tr_error *err),
				 const struct program_listener *listener, struct tr_error *err);

// After the run: TOOL_NO, and told, where the program has not finished.
enum tool_status program_run_end(struct program_run *run);

// Whether writing the messages failed, of which program_run_close tells.
bool program_run_failed(const struct program_run *run);

// What the ranks did; returns how many tables there are. The caller frees them. Reports an error where memory ends.
size_t program_run_tables(const struct program_run *run, struct table *tables[PROGRAM_TABLES_MAX]);

// Ends the messages' stream, with its clean end only where nothing failed so far, and frees all.
void program_run_close(struct program_run *run);

#endif
