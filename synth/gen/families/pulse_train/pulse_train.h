// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of the bursty pulse train (Yates 1997) and their model text.
#ifndef GEN_FAMILIES_PULSE_TRAIN_H
#define GEN_FAMILIES_PULSE_TRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/forecast.h"
#include "gen/law.h"
#include "gen/model_field.h"
#include "gen/size_draw.h"
#include "stat/bursts/burst_gap.h"
#include "stream/names.h"
#include "stream/record.h"
#include "text/model.h"
#include "value/status.h"

#define PULSE_NODES_MAX 65536u

enum pulse_role { PULSE_CONTROLLER, PULSE_WORKER, PULSE_ROLES };
enum pulse_class { PULSE_DATA, PULSE_OVERHEAD, PULSE_CLASSES };
enum pulse_silence { PULSE_FROM_LAST_PULSE, PULSE_FROM_BURST_START };
enum pulse_destinations { PULSE_UNIFORM, PULSE_BY_ROLE };
enum pulse_sizes { PULSE_NORMAL, PULSE_EMPIRICAL };

// One generator's parameters: a section of the text such as "[controller data]".
struct pulse_part {
	bool present;	      // false: nodes of this role send nothing of this class
	double silence_s;     // mean silence between bursts
	double pulses;	      // mean number of packets in a burst, >= 1
	double inter_pulse_s; // mean time between packets of a burst
	double size_mean_B;
	double size_variance_B2;
	double size_floor_B;   // smaller sizes are redrawn
	double header_B;       // bytes on the wire beside the payload
	double to_controller;  // share of packets sent to the controller
	int sizes;	       // enum pulse_sizes
	struct size_bin *bins; // of empirical sizes, owned
	size_t bin_count;
	struct law silence_law, inter_pulse_law; // exponential by default; their means are above
	struct law pulses_law;			 // geometric by default; likewise
};

// Zero is a valid empty one.
struct pulse_model {
	uint64_t nodes;	   // node count of the fit, and the default one to generate
	double duration_s; // likewise
	double mtu_B;	   // largest size of a packet
	int silence_from;  // enum pulse_silence
	int destinations;  // enum pulse_destinations
	struct pulse_part part[PULSE_ROLES][PULSE_CLASSES];
};

// Names of the sections.
extern const char *const pulse_section[PULSE_ROLES][PULSE_CLASSES];

// The keys of a section; the first PULSE_SCALED are the published statistics, which the scaling
// rule changes.
enum pulse_statistic {
	PULSE_SILENCE,
	PULSE_PULSES,
	PULSE_INTER_PULSE,
	PULSE_SIZE_MEAN,
	PULSE_SIZE_VARIANCE,
	PULSE_SCALED, // how many there are
};
extern const struct model_field pulse_part_fields[];

// Defaults of omitted keys: floors of 750 B (data) and 40 B (overhead), no header.
struct pulse_part pulse_part_default(enum pulse_class class);

// Reads a model of family pulse-train. TR_ERROR with file and line; *out is empty then.
enum tr_status pulse_model_get(const struct model *model, struct pulse_model *out,
			       struct tr_error *err);

// Comments in a part of the text; empty for none.
#define PULSE_NOTE_BYTES 200
struct pulse_notes {
	char section[PULSE_NOTE_BYTES];
	char statistic[PULSE_SCALED][PULSE_NOTE_BYTES];
	char sizes[PULSE_NOTE_BYTES];
};

// Adds the parameters to the text. notes may be NULL.
void pulse_model_put(struct model *model, const struct pulse_model *pulse,
		     const struct pulse_notes (*notes)[PULSE_CLASSES]);

// Sizes of a part, to be freed by sizes_clear.
enum tr_status pulse_part_sizes(const struct pulse_model *pulse, const struct pulse_part *part,
				struct sizes *out, struct tr_error *err);

// Whether the model has a controller (then node 0).
bool pulse_has_controller(const struct pulse_model *pulse);

// Forecasts the model's traffic.
enum tr_status pulse_forecast(const struct model *text, struct forecast *out, struct tr_error *err);

#define PULSE_SOURCE_BYTES 1408u // of memory for each node and class

// The law of the number of packets in a burst, and of a time with this mean, in ticks. The caller
// clears them.
enum tr_status pulse_part_count(const struct pulse_part *part, struct law_count *out,
				struct tr_error *err);
enum tr_status pulse_part_time(const struct law *law, double mean_s, double ticks_per_s,
			       struct law_plan *out, struct tr_error *err);

// Gives a part its own copies of shared bins, of sizes and of laws. TR_ERROR if out of memory; the
// part may be cleared then.
enum tr_status pulse_part_own(struct pulse_part *part, struct tr_error *err);

// Frees what it holds; it is empty then.
void pulse_model_clear(struct pulse_model *pulse);

// ---- Fits a bursty pulse train to a trace in one pass: packets in, parameters per role and class
// out. Memory: for each node and class 500 bytes, and 24 bytes (up to 96, as the tables are at
// least a quarter full) for each non-empty bin of its gaps (relative width 1/128), sizes (exact
// below 64 KiB) and destinations; no packet is kept. PULSE_BURSTS needs 240 bytes more for each
// listed gap, of which there are 63 (thesis: 199).

enum pulse_method {
	// Silence, pulses and inter-pulse time by likelihood of the gaps (gap_mixture.c).
	PULSE_MIXTURE,
	// Means of the bursts and silences of each node and class, which the burst gap of these
	// separates (stat/bursts/burst_gap.h), as in Yates 1997 (which sets silence to that gap).
	PULSE_BURSTS,
};

enum pulse_size_choice { PULSE_SIZES_AUTO, PULSE_SIZES_NORMAL, PULSE_SIZES_EMPIRICAL };

// The caller's choices.
struct pulse_fit_options {
	int method; // enum pulse_method
	// enum pulse_size_choice; AUTO: normal if its distance from the sample's distribution is
	// below 0.02 or not significant (1 in 1000), otherwise empirical.
	int sizes;
	int destinations; // enum pulse_destinations
	double level;	  // of the intervals in the comments, in (0, 1)
	uint64_t ticks_per_s;
	bool every_node; // also receivers (struct pulse_fitted) become senders
	struct burst_gap_rule burst_rule;
};

struct pulse_fit;

// The result. pulse_model_clear frees model.
struct pulse_fitted {
	bool lone; // only one node sends: it is the controller
	// Workers that send less than a hundredth of the busiest one's data. They are not nodes of
	// the model, unless only one node sends; of what they send, data is left out, and overhead
	// is the other workers'.
	uint64_t receivers, answers; // and their packets of data
	struct pulse_model model;
	struct pulse_notes notes[PULSE_ROLES][PULSE_CLASSES]; // intervals, and the choices made
	struct burst_gap gap;				      // of all packets
	struct burst_gap node_gap; // of those of each node and class; of PULSE_BURSTS
	uint64_t packets;
	uint64_t unclassed; // packets without a class; up to 86 bytes they count as overhead
};

// Options are copied. TR_ERROR if out of memory, or for a burst gap that is not a whole number of
// ticks.
enum tr_status pulse_fit_open(struct pulse_fit **out, const struct pulse_fit_options *options,
			      struct tr_error *err);

// Adds a packet. TR_ERROR: it is earlier than the last one, or memory runs out.
enum tr_status pulse_fit_add(struct pulse_fit *fit, const struct tr_packet *packet,
			     struct tr_error *err);

// Fits the added packets. roles[i] is the role of node i < role_count; nodes other than controllers
// are workers. TR_ERROR: fewer than two nodes sent, PULSE_BURSTS has no bursts, or memory runs out.
enum tr_status pulse_fit_finish(struct pulse_fit *fit, const enum tr_role *roles, size_t role_count,
				struct pulse_fitted *out, struct tr_error *err);

// Frees it; NULL does nothing.
void pulse_fit_close(struct pulse_fit *fit);

extern const struct family_fit pulse_train_fit; // of pulse_fit.c

#endif
