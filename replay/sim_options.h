// SPDX-License-Identifier: GPL-3.0-or-later
// flitsim's options.
#ifndef REPLAY_SIM_OPTIONS_H
#define REPLAY_SIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "character_trace.h"
#include "fabric_input.h"
#include "mapper_options.h"
#include "mpi_options.h"
#include "program_options.h"
#include "trace/opt.h"
#include "trace/table.h"
#include "trace/tool.h"

enum sim_size { SIM_SIZE_PAYLOAD, SIM_SIZE_WIRE };

// What the traffic is and who sends it.
struct sim_traffic_options {
	const char *map;        // "ids" or a file
	int size;               // enum sim_size
	struct num_ratio empty_B; // what a packet without payload travels as
	struct num_ratio mtu_B;
	bool ignore_unmapped;
	bool only_roles;
};

// What of the run is measured, and when it ends. NULL and 0: not asked for.
struct sim_run_options {
	const char *warmup;      // a time or "auto"
	struct num_ratio time_s; // simulated
	uint64_t worms;          // delivered
	struct num_ratio bytes_B; // of them, all but overhead
	const char *workload;    // "rc:256" or "vr:256"
	const char *until;       // "latency 1%"
};

struct sim_output_options {
	const char *deliveries; // NULL: none
	const char *links;      // NULL: none
	struct num_ratio interval_s;
	struct num_ratio explain_B; // 0: none
	bool compress;
	int level_percent;
	struct character_trace_options characters;
	struct table_style style;
};

struct sim_options {
	const char *network;
	const char *routes; // a rule or a file
	const char *engine; // its name, or "auto"
	struct opt_list fabric; // its words
	struct sim_traffic_options traffic;
	struct sim_run_options run;
	struct sim_output_options output;
	struct program_options program;
	struct mpi_options mpi;
	struct mapper_options mapper;
	struct opt_list faults;
};

#define SIM_OPTION_ROWS \
	(PROGRAM_OPTION_ROWS + MPI_OPTION_ROWS + MAPPER_OPTION_ROWS + 42)

// The defaults, and the rows of the option table that change them.
void sim_options_start(struct sim_options *options, struct opt *rows);

// TR_ERROR where a value is out of range, or an option has no effect on this kind of network.
enum tr_status sim_options_check(const struct sim_options *options, const struct tool *tool,
				 const struct fabric *fabric, struct tr_error *err);

#endif
