// SPDX-License-Identifier: GPL-3.0-or-later
// Who sends what in one run of a parallel 2-D FFT, by the algorithm (Yates 1997, equations 3.4 and 3.5): N x N points of 8 bytes on p
// nodes, of which one scatters and gathers.
//
// Row-column: the controller scatters p - 1 chunks of 8 N^2/p bytes; each node sends each other 8 (N/p)^2 bytes in the
// transposition; each worker returns its chunk. Vector radix: the same, but that each node sends half a chunk in each of log2 p
// stages in place of the transposition.
//
// Known value: all nodes together send what equations 3.4 and 3.5 say (stat/workload.h).
#ifndef GEN_SCALE_RULES_H
#define GEN_SCALE_RULES_H

#include <stddef.h>
#include <stdint.h>

#include "gen/families/pulse_train.h"
#include "trace/status.h"

enum fft_algorithm { FFT_ROW_COLUMN, FFT_VECTOR_RADIX };

struct fft_workload {
	enum fft_algorithm algorithm;
	uint64_t width; // N
};

// Messages of one size that a node sends in a run.
struct fft_messages {
	double count;
	double bytes; // of each
};

// What a node of a role sends in a run: the scatter or gather, and the exchanges.
struct fft_volume {
	struct fft_messages chunks, exchanges;
	unsigned phases; // in which it sends
};

// "rc:256" or "vr:256". TR_ERROR: neither.
enum tr_status fft_workload_get(const char *text, struct fft_workload *out, struct tr_error *err);

// What each node of the role sends. TR_ERROR: nodes is no power of two from 2 to N.
enum tr_status fft_volume_of(const struct fft_workload *workload, enum pulse_role role, uint64_t nodes, struct fft_volume *out,
			     struct tr_error *err);

double fft_volume_bytes(const struct fft_volume *volume);

// Packets of at most mtu_B bytes that the messages are cut into.
double fft_volume_packets(const struct fft_volume *volume, double mtu_B);

// ---- The published scaling of traffic statistics from 2 and 4 nodes to more (Yates 1997, appendix A):
// with p = x4/x2 - 1,
//	x8 = x4 (1 + p/4), x16 = x8 (1 + p/8), x32 = x16 (1 + p/16), x64 = x32 (1 + p/32),
//	x128 = x64 (1 + p/32).
// The last step repeats 32 where the sequence would have 64; this is kept, since the printed tables
// have it. Beyond 128 the sequence goes on as it began, each step from n to 2n dividing by n: x256
// = x128 (1 + p/128).
//
// Known value: pulses 24.5 and 10.5 give 9, 8.357143, 8.058673, 7.914769, 7.773433.

// The statistic at nodes, a power of two from 2, from its values at 2 and 4 nodes. Where x2 is 0 no
// ratio exists and x4 is the answer.
double scale_statistic(double x2, double x4, uint64_t nodes);

// The same step by step: the value at 2n from that at n >= 4.
double scale_step(double at_n, double p, uint64_t n);

// A model for nodes from those fitted at 2 and 4. Scaled are the five statistics of each part; the
// rest (floor, header, shares, empirical sizes, which no rule covers) is the 4-node model's.
// TR_ERROR: the models are not of 2 and 4 nodes, nodes is no power of two from 2 to 65,536, or a
// part stands in one model only. *out is to be freed by pulse_model_clear.
enum tr_status scale_model(const struct pulse_model *at_2, const struct pulse_model *at_4, uint64_t nodes,
			   struct pulse_model *out, struct tr_error *err);

// ---- Scaling by the algorithm's own formulas: what an FFT must send at p nodes sets the sizes of the data and how
// many packets a burst has; times stay, since no formula speaks of them.
//
// Data: sizes are empirical, full packets and the rests of the messages, in the shares that the formula gives. Pulses are those
// of the model times the ratio of the packets of a run and phase at the two node counts. Overhead (requests and acknowledgements,
// section 3.4 of the study): its pulses change as the data packets that the node sends and receives; its sizes stay.

// The model for nodes, from one fitted to a run of the workload at its own number of nodes. TR_ERROR: either number is none that
// the algorithm runs on, or memory ends. *out is to be freed by pulse_model_clear; empty after a failure.
enum tr_status scale_by_formula(const struct pulse_model *at, const struct fft_workload *workload, uint64_t nodes,
				struct pulse_model *out, struct tr_error *err);

// ---- Scaling by regression: each statistic x of a pulse train as a power of the number of nodes, ln x = a + b ln n by least squares
// over models of different n, and the value at another n with its prediction interval: Student's, with k - 2 degrees of freedom
// for k models, of half-width t s sqrt(1 + 1/k + (ln n - mean)^2/S). Two models give no interval.
//
// Known value: exact powers are given back, with intervals of no width.

#define SCALE_MODELS_MAX 64u

// A predicted statistic.
struct scale_prediction {
	double value, low, high; // the ends are NaN where there is no interval
	double power;		 // b
};

// From count pairs (nodes, value), all above 0, of two node counts or more. NaN where a value is not above 0.
struct scale_prediction scale_predict(const double *nodes, const double *values, size_t count, double at_nodes, double level);

// The model for nodes from those at other counts. What is no statistic (floors, headers, shares, sizes that are empirical) is
// that of the model with the nearest node count; where a value is 0, so is the statistic. notes get the intervals. TR_ERROR:
// fewer than two node counts, a part that stands in some models only, or memory. *out is to be freed by pulse_model_clear.
enum tr_status scale_by_regression(const struct pulse_model *models, size_t count, uint64_t nodes, double level,
				   struct pulse_model *out, struct pulse_notes notes[PULSE_ROLES][PULSE_CLASSES],
				   struct tr_error *err);

// ---- The rules by which pulse trains are scaled to other numbers of nodes, side by side: what each assumes, what it needs, and how far
// each is off where a model of the wanted number is at hand. A new rule is a row of the table in scale_rules.c.
//
// A rule is judged on the largest of the models, which is held out: it is applied to the smaller ones for that number of nodes.
// What comes out is compared by the statistics of its trains (root mean square of their log2 ratios) and by its rates of packets
// and of bits on the wire (likewise); the error is the root mean square of these two. An error of 1 is a factor of two.

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
