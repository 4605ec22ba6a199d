// SPDX-License-Identifier: GPL-3.0-or-later
// What the two halves of flitgen share: from a model (flitgen.c) and from a trace (replay_trace.c).
#ifndef SYNTH_FLITGEN_H
#define SYNTH_FLITGEN_H

#include "gen/generator.h"
#include "trace/table.h"
#include "trace/tool.h"

// The options. Quantities are zero where they were not given.
struct gen_request {
	uint64_t nodes, seed, count, ticks_per_s, loops;
	struct num_ratio time, until;                        // of a model
	struct num_ratio stretch, shift, from, to, period;   // of a replay
	const char *workload, *output, *replay, *map, *load, *program;
	struct opt_list set; // words KEY=VALUE
	bool explain, compress;
	struct table_style style; // of what --explain says, where it is to be tables
};

// How far the output is, and where it stops beside the generator's own end.
struct gen_progress {
	uint64_t packets_left;
	uint64_t data_bytes_left;
	uint64_t written;
	int64_t first_ticks, last_ticks; // of what was written
};

struct gen_progress gen_progress_make(const struct gen_request *request);

// Writes the generator's packets until it ends (TR_END), as much as was asked for is written
// (TR_END with nothing left) or something fails (which is told).
enum tr_status gen_write(struct tool *tool, struct generator *generator,
			 struct gen_progress *progress, struct tr_writer *out);

// The program's work with --replay.
void gen_replay(struct tool *tool, const struct gen_request *request);

// The program's work with --explain. The model may get the options' number of nodes.
void gen_explain(struct tool *tool, const struct gen_request *request, struct model *model);

#endif
