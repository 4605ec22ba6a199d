// SPDX-License-Identifier: GPL-3.0-or-later
// What serves one study: forms of programs, and the mapping of a network by itself. Empty where the
// build leaves it out, -DFLIT_STUDIES=OFF.
#ifndef REPLAY_FLITSIM_STUDY_H
#define REPLAY_FLITSIM_STUDY_H

#include "program_run.h"

#ifdef FLIT_STUDIES
#define STUDY_PROGRAM_FORMS(ROW) ROW(values)
#define STUDY_MAPPING &sim_mapping
#else
#define STUDY_PROGRAM_FORMS(ROW)
#define STUDY_MAPPING NULL
#endif

struct mapper;

struct sim_mapping {
	// Inserts a mapper before the traffic of setup. TR_ERROR where an option is out of range.
	enum tr_status (*open)(struct mapper **mapper, const struct sim_options *options,
			       struct net_setup *setup, struct tr_error *err);
	// What it did; the caller frees the table.
	struct table *(*table)(const struct mapper *mapper, uint64_t ticks_per_s);
	// Subtracts its worms from the totals of a run, leaving the other traffic.
	void (*leave_books)(const struct mapper *mapper, struct net_totals *totals);
	void (*close)(struct mapper *mapper);
};

extern const struct sim_mapping sim_mapping;

extern const struct program_form program_form_values;

#endif
