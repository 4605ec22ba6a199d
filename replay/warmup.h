// SPDX-License-Identifier: GPL-3.0-or-later
// Which worms are measured: those delivered from a time on, or (automatic) from where a mean's series
// is steady. Where that is, is known at the end only: until then the worms are kept in a temporary
// file.
#ifndef REPLAY_WARMUP_H
#define REPLAY_WARMUP_H

#include <stdio.h>

#include "run_mean.h"

struct warmup {
	int64_t begin_ticks; // worms before it are left out
	bool given;	     // begin_ticks counts
	bool automatic;
	struct run_mean mean; // automatic: whose series is looked at
	FILE *kept;	      // automatic: struct outcome of each delivered worm
	uint64_t left_out;    // delivered worms
	bool settled;	      // automatic, after warmup_finish: the rule found a steady part
};

// Opens the temporary file where automatic is set. TR_ERROR where it cannot.
enum tr_status warmup_open(struct warmup *warmup, struct tr_error *err);

// Whether the worm is measured now. Where it may be later, it is kept. TR_ERROR where the file
// cannot be written.
enum tr_status warmup_take(struct warmup *warmup, const struct outcome *outcome, bool *measured, struct tr_error *err);

// Automatic: finds the begin and gives each worm that is measured to add. Nothing for the others.
enum tr_status warmup_finish(struct warmup *warmup, void (*add)(void *context, const struct outcome *outcome), void *context,
			     struct tr_error *err);

void warmup_close(struct warmup *warmup);

#endif
