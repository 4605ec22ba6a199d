// SPDX-License-Identifier: GPL-3.0-or-later
// What the two halves of flitfit share: the fit (flitfit.c) and the scaling (scale_models.c).
#ifndef SYNTH_FLITFIT_H
#define SYNTH_FLITFIT_H

#include "gen/pulse_fit.h"
#include "trace/tool.h"

// The options.
struct fit_request {
	struct pulse_fit_options fit;
	struct num_ratio window, level; // window.den 0: not given
	uint64_t scale;                 // node count to scale to
	const char *output;
};

// The program's work with --scale.
void fit_scale(struct tool *tool, const struct fit_request *request);

// Writes the model to path where nothing has failed so far.
void fit_write_model(struct tool *tool, const char *path, const struct model *text);

#endif
