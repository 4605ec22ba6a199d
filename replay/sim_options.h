// SPDX-License-Identifier: GPL-3.0-or-later
// flitsim's options.
#ifndef REPLAY_SIM_OPTIONS_H
#define REPLAY_SIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "character_trace.h"
#include "fabric_input.h"
#include "loggops_options.h"
#include "mapper_options.h"
#include "mpi_options.h"
#include "trace/opt.h"
#include "trace/table.h"
#include "trace/tool.h"

enum sim_size { SIM_SIZE_PAYLOAD, SIM_SIZE_WIRE };

// What the traffic is and who sends it.
struct sim_traffic_options {
	const char *map;	  // "ids", "roles" or a file
	int size;		  // enum sim_size
	struct num_ratio empty_B; // what a packet without payload travels as
	struct num_ratio mtu_B;
	bool ignore_unmapped;
};

// A program in place of a trace, and what it is asked.
struct sim_program_options {
	const char *file;     // NULL: no program
	const char *messages; // NULL: not written
	bool path;
	bool waits;
};

// What of the run is measured, and when it ends before its traffic. NULL: not asked for.
struct sim_run_options {
	const char *warmup; // a time or "auto"
	const char *stop;   // stop_rule_read
};

struct sim_output_options {
	const char *deliveries; // NULL: none
	const char *links;	// NULL: none
	struct num_ratio interval_s;
	struct num_ratio explain_B; // 0: none
	bool compress;
	int level_percent;
	struct character_trace_options characters;
	struct table_style style;
};

struct sim_options {
	const char *network;
	const char *routes;	// a rule or a file
	const char *engine;	// its name, or "auto"
	struct opt_list fabric; // its words
	bool print_fabric;
	struct sim_traffic_options traffic;
	struct sim_run_options run;
	struct sim_output_options output;
	struct sim_program_options program;
	struct {
		struct opt_list words; // none: no MPI
		struct mpi_options values;
	} mpi;
	struct {
		struct opt_list words; // none: no mapper
		struct mapper_options values;
	} mapper;
	struct {
		struct opt_list words;
		struct loggops_options values;
	} loggops;
	struct opt_list faults;
};

#define SIM_OPTION_ROWS 72u

// The defaults, and the rows of the option table that change them.
void sim_options_start(struct sim_options *options, struct opt *rows);

// Whether an option asked for the list of its keys, which is then printed.
bool sim_options_list(const struct sim_options *options, struct tool *tool);

// Reads the keys of --mpi, --mapper and --loggops. Returns false after reporting an error.
bool sim_options_read(struct sim_options *options, struct tool *tool);

// For tool_spec.hint: the key that an option was once.
const char *sim_options_hint(const char *name, char *out, size_t out_bytes);

// TR_ERROR where a value is out of range, or an option has no effect on this kind of network.
enum tr_status sim_options_check(const struct sim_options *options, const struct tool *tool, const struct fabric *fabric,
				 struct tr_error *err);

#endif
