// SPDX-License-Identifier: GPL-3.0-or-later
// The rules by which pulse trains are scaled to other numbers of nodes, side by side: what each assumes, what it needs, and how far
// each is off where a model of the wanted number is at hand. A new rule is a row of the table in scale_rules.c.
//
// A rule is judged on the largest of the models, which is held out: it is applied to the smaller ones for that number of nodes.
// What comes out is compared by the statistics of its trains (root mean square of their log2 ratios) and by its rates of packets
// and of bits on the wire (likewise); the error is the root mean square of these two. An error of 1 is a factor of two.
#ifndef GEN_SCALE_RULES_H
#define GEN_SCALE_RULES_H

#include <stddef.h>

#include "gen/families/pulse_train.h"
#include "trace/status.h"

// What is scaled: models that were fitted, in any order, lent; for so many nodes; at the level of the intervals.
struct scale_task {
	const struct pulse_model *models;
	size_t count;
	uint64_t nodes;
	double level;
};

// A pulse train for more nodes. pulse_model_clear frees it.
struct scaled {
	struct pulse_model model;
	struct pulse_notes notes[PULSE_ROLES][PULSE_CLASSES];
};

struct scale_rule {
	const char *name;    // "published"; "rc:" where a width follows
	const char *assumes; // in a sentence
	// word: the rule's name as it was given, "rc:256". TR_ERROR: the models are not those that it needs, with the reason; out is
	// empty then.
	enum tr_status (*scale)(const struct scale_task *task, const char *word, struct scaled *out, struct tr_error *err);
	// Says in comments how the model of the task was made.
	void (*describe)(const struct scale_task *task, const char *word, struct model *text);
};

// The rules, ended by a name of NULL.
extern const struct scale_rule scale_rules[];

// The rule of this word. NULL: there is none.
const struct scale_rule *scale_rule_find(const char *word);

#define SCALE_WHY_BYTES 200u

// A rule, judged and applied. What is not known is NaN.
struct scale_verdict {
	const struct scale_rule *rule;
	const char *word;  // lent
	uint64_t held_out; // nodes of the model that it was judged on; 0: it was not
	double statistics_oct, rates_oct, error_oct;
	double packets_per_s, wire_bps; // of what it makes for the wanted number of nodes
	char why[SCALE_WHY_BYTES];	// it was not judged, or cannot be applied
	bool applies;			// to these models, for the wanted number
};

// Judges and applies the rule of the word. TR_ERROR: there is no such rule, or memory ends.
enum tr_status scale_judge(const struct scale_task *task, const char *word, struct scale_verdict *out, struct tr_error *err);

// Orders them: by their errors, then those that were not judged, then those that cannot be applied.
void scale_rank(struct scale_verdict *list, size_t count);

#endif
