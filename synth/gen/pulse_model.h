// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of the bursty pulse train (Yates 1997) and their model text.
#ifndef GEN_PULSE_MODEL_H
#define GEN_PULSE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/forecast.h"
#include "trace/model.h"
#include "gen/law_count.h"
#include "gen/model_field.h"
#include "gen/sizes.h"
#include "trace/record.h"

#define PULSE_NODES_MAX 65536u // as many as a stream names by default (trace/names.h)

enum pulse_role { PULSE_CONTROLLER, PULSE_WORKER, PULSE_ROLES };
enum pulse_class { PULSE_DATA, PULSE_OVERHEAD, PULSE_CLASSES };
enum pulse_silence { PULSE_FROM_LAST_PULSE, PULSE_FROM_BURST_START };
enum pulse_destinations { PULSE_UNIFORM, PULSE_BY_ROLE };
enum pulse_sizes { PULSE_NORMAL, PULSE_EMPIRICAL };

// One generator's parameters: those of a section "[controller data]" of the text.
struct pulse_part {
	bool present;	      // false: nodes of this role send nothing of this class
	double silence_s;     // mean silence between bursts
	double pulses;	      // mean number of packets in a burst, >= 1
	double inter_pulse_s; // mean time between packets of a burst
	double size_mean_B;
	double size_variance_B2;
	double size_floor_B;   // sizes below are drawn again
	double header_B;       // bytes on the wire beside the payload
	double to_controller;  // share of packets sent to the controller
	int sizes;	       // enum pulse_sizes
	struct size_bin *bins; // of empirical sizes, owned
	size_t bin_count;
	struct law silence_law, inter_pulse_law; // exponential if the text says nothing; their means stand above
	struct law pulses_law;			 // geometric if the text says nothing; likewise
};

// Zero is a valid empty one.
struct pulse_model {
	uint64_t nodes;	   // the node count it was fitted at; generated unless told otherwise
	double duration_s; // likewise
	double mtu_B;	   // largest size of a packet
	int silence_from;  // enum pulse_silence
	int destinations;  // enum pulse_destinations
	struct pulse_part part[PULSE_ROLES][PULSE_CLASSES];
};

// Names of the sections.
extern const char *const pulse_section[PULSE_ROLES][PULSE_CLASSES];

// The keys of a section, of which the first PULSE_SCALED are the statistics that the papers publish
// and the scaling rule changes.
enum pulse_statistic {
	PULSE_SILENCE,
	PULSE_PULSES,
	PULSE_INTER_PULSE,
	PULSE_SIZE_MEAN,
	PULSE_SIZE_VARIANCE,
	PULSE_SCALED, // how many there are
};
extern const struct model_field pulse_part_fields[];

// What stands where the text is silent: floors of 750 B (data) and 40 B (overhead), no header.
struct pulse_part pulse_part_default(enum pulse_class class);

// Reads a model of family pulse-train. TR_ERROR with file and line; *out is empty then.
enum tr_status pulse_model_get(const struct model *model, struct pulse_model *out, struct tr_error *err);

// What stands as comments in a part of the text; empty for none.
#define PULSE_NOTE_BYTES 200
struct pulse_notes {
	char section[PULSE_NOTE_BYTES];
	char statistic[PULSE_SCALED][PULSE_NOTE_BYTES];
	char sizes[PULSE_NOTE_BYTES];
};

// Adds the parameters to the text. notes may be NULL.
void pulse_model_put(struct model *model, const struct pulse_model *pulse, const struct pulse_notes (*notes)[PULSE_CLASSES]);

// Sizes of a part, to be freed by sizes_clear.
enum tr_status pulse_part_sizes(const struct pulse_model *pulse, const struct pulse_part *part, struct sizes *out,
				struct tr_error *err);

// Whether the model knows a controller (which is then node 0).
bool pulse_has_controller(const struct pulse_model *pulse);

// What the model does, in sentences, to out.
enum tr_status pulse_explain(const struct model *text, FILE *out, struct tr_error *err);

// What it will give.
enum tr_status pulse_forecast(const struct model *text, struct forecast *out, struct tr_error *err);

#define PULSE_SOURCE_BYTES 1408u // of memory for each node and class

// The law of the number of packets in a burst; that of a time with this mean, in ticks. To be cleared.
enum tr_status pulse_part_count(const struct pulse_part *part, struct law_count *out, struct tr_error *err);
enum tr_status pulse_part_time(const struct law *law, double mean_s, double ticks_per_s, struct law_plan *out,
			       struct tr_error *err);

// Gives a part that shares another's bins, of sizes and of laws, bins of its own. TR_ERROR without memory; what it has then may
// be cleared.
enum tr_status pulse_part_own(struct pulse_part *part, struct tr_error *err);

void pulse_model_clear(struct pulse_model *pulse);

#endif
