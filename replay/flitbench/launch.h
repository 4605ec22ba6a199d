// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the two sides of a run: a forked process of this host, one of another host, or one of an
// MPI job.
#ifndef FLITBENCH_LAUNCH_H
#define FLITBENCH_LAUNCH_H

#include "bench.h"
#include "tool/tool.h"

struct launch {
	int over;		      // enum launch_over
	const char *listen, *connect; // addresses; NULL: none
	const char *pin; // "CPU[,CPU]": of the side that times, of the other; NULL: none
};

enum launch_over { LAUNCH_SHM, LAUNCH_TCP, LAUNCH_MPI };

// Runs the side or sides that this process has. The results are empty if it only answers. False
// after an error, which is printed, maybe by the other process.
bool launch_run(struct tool *tool, const struct launch *launch, const struct bench_setup *setup,
		int64_t timeout_ns, struct bench_results *results);

#endif
