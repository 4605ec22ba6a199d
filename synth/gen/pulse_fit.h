// SPDX-License-Identifier: GPL-3.0-or-later
// Fits a bursty pulse train to a trace: packets in, one pass, parameters per role and class out.
// Memory: for each node and class 500 bytes, and 24 bytes for each bin (or up to 96, the tables
// being a quarter full at least) of its gaps (relative width 1/128), sizes (exact below 64 KiB) and
// destinations that is not empty; no packet is kept. PULSE_WINDOW needs 240 bytes more for each
// window, of which a search has 199.
#ifndef GEN_PULSE_FIT_H
#define GEN_PULSE_FIT_H

#include <stdint.h>

#include "gen/pulse_model.h"
#include "trace/names.h"
#include "trace/record.h"
#include "trace/status.h"

enum pulse_method {
	// Silence, pulses and inter-pulse time by likelihood of the gaps (gap_mixture.h).
	PULSE_MIXTURE,
	// Means of what gaps above a window split, as in Yates 1997 (which sets silence to the window).
	PULSE_WINDOW,
};

enum pulse_size_choice { PULSE_SIZES_AUTO, PULSE_SIZES_NORMAL, PULSE_SIZES_EMPIRICAL };

// What the caller asks for.
struct pulse_fit_options {
	int method; // enum pulse_method
	// enum pulse_size_choice; AUTO: normal where its distance from the sample's distribution is below
	// 0.02 or not significant (1 in 1000), else empirical.
	int sizes;
	int destinations; // enum pulse_destinations
	double level;	  // of the intervals in the comments, in (0, 1)
	uint64_t ticks_per_s;
	int64_t window_ticks; // of PULSE_WINDOW; 0: searched for (stat/window_search.h)
};

struct pulse_fit;

// The result. model is to be freed by pulse_model_clear.
struct pulse_fitted {
	bool lone; // one node alone sends: it is the controller of two nodes
	struct pulse_model model;
	struct pulse_notes notes[PULSE_ROLES][PULSE_CLASSES]; // intervals, and what was chosen
	double window_s;				      // that was taken by PULSE_WINDOW
	bool no_plateau;				      // the search found none and 1 s was taken
	uint64_t packets;
	uint64_t unclassed; // packets without a class; those up to 86 bytes were taken for overhead
};

// Options are copied. TR_ERROR without memory.
enum tr_status pulse_fit_open(struct pulse_fit **out, const struct pulse_fit_options *options, struct tr_error *err);

// Adds a packet. TR_ERROR: its time steps back, or memory ends.
enum tr_status pulse_fit_add(struct pulse_fit *fit, const struct tr_packet *packet, struct tr_error *err);

// Fits what was added. roles[i] is the role of node i < role_count, workers are all that are not
// controllers. TR_ERROR: fewer than two nodes sent, or memory ends.
enum tr_status pulse_fit_finish(struct pulse_fit *fit, const enum tr_role *roles, size_t role_count, struct pulse_fitted *out,
				struct tr_error *err);

void pulse_fit_close(struct pulse_fit *fit);

#endif
