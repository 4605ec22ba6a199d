// SPDX-License-Identifier: GPL-3.0-or-later
// Who sends what in one run of a parallel 2-D FFT, from the algorithm (Yates 1997, equations 3.4
// and 3.5): N x N points of 8 bytes on p nodes, one of which scatters and gathers.
//
// Row-column: the controller scatters p - 1 chunks of 8 N^2/p bytes; each node sends every other 8
// (N/p)^2 bytes in the transposition; each worker returns its chunk. Vector radix: the same, but
// instead of the transposition each node sends half a chunk in each of log2 p stages.
//
// Known value: the nodes' total is that of equations 3.4 and 3.5 (stat/intervals/workload.h).
#ifndef GEN_SCALE_RULES_H
#define GEN_SCALE_RULES_H

#include <stddef.h>
#include <stdint.h>

#include "gen/families/pulse_train/pulse_train.h"
#include "value/status.h"

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

// What each node of the role sends. TR_ERROR: nodes is not a power of two from 2 to N.
enum tr_status fft_volume_of(const struct fft_workload *workload, enum pulse_role role,
			     uint64_t nodes, struct fft_volume *out, struct tr_error *err);

// Bytes of payload of all messages.
double fft_volume_bytes(const struct fft_volume *volume);

// Number of packets of at most mtu_B bytes for the messages.
double fft_volume_packets(const struct fft_volume *volume, double mtu_B);

// ---- The published scaling of traffic statistics from 2 and 4 nodes to more (Yates 1997, appendix
// A): with p = x4/x2 - 1,
// 	x8 = x4 (1 + p/4), x16 = x8 (1 + p/8), x32 = x16 (1 + p/16), x64 = x32 (1 + p/32),
// 	x128 = x64 (1 + p/32).
// The last step repeats 32 where the sequence would have 64; this is kept, since the printed tables
// use it. Beyond 128 the sequence resumes, each step from n to 2n dividing by n: x256 = x128 (1 +
// p/128).
//
// Known value: pulses 24.5 and 10.5 give 9, 8.357143, 8.058673, 7.914769, 7.773433.

// The statistic at nodes, a power of two from 2, from its values at 2 and 4 nodes. If x2 is 0 the
// ratio is undefined and x4 is returned.
double scale_statistic(double x2, double x4, uint64_t nodes);

// One step: the value at 2n from that at n >= 4.
double scale_step(double at_n, double p, uint64_t n);

// A model for nodes from those fitted at 2 and 4. The five statistics of each part are scaled; the
// rest (floor, header, shares, empirical sizes, which no rule covers) is taken from the 4-node
// model. TR_ERROR: the models are not of 2 and 4 nodes, nodes is not a power of two from 2 to
// 65,536, or a part is in one model only. pulse_model_clear frees *out.
enum tr_status scale_model(const struct pulse_model *at_2, const struct pulse_model *at_4,
			   uint64_t nodes, struct pulse_model *out, struct tr_error *err);

// ---- Scaling by the algorithm's own formulas: the volume of an FFT at p nodes sets the sizes of
// the data and the packets in a burst; times are unchanged, since no formula covers them.
//
// Data: sizes are empirical, full packets and the remainders of the messages, in the shares given
// by the formula. Pulses are multiplied by the ratio of the packets per run and phase at the two
// node counts. Overhead (requests and acknowledgements, section 3.4 of the study): its pulses scale
// with the data packets that the node sends and receives; its sizes are unchanged.

// The model for nodes, from one fitted to a run of the workload at its own number of nodes.
// TR_ERROR: the algorithm cannot run on one of these numbers, or memory runs out. pulse_model_clear
// frees *out; it is empty after a failure.
enum tr_status scale_by_formula(const struct pulse_model *at, const struct fft_workload *workload,
				uint64_t nodes, struct pulse_model *out, struct tr_error *err);

// ---- Scaling by regression: each statistic x of a pulse train is a power of the number of nodes,
// ln x = a + b ln n, fitted by least squares to models of different n; the value at another n has
// Student's prediction interval with k - 2 degrees of freedom for k models, of half-width t s
// sqrt(1 + 1/k + (ln n - mean)^2/S). Two models give no interval.
//
// Known value: exact powers are recovered, with intervals of zero width.

#define SCALE_MODELS_MAX 64u

// A predicted statistic.
struct scale_prediction {
	double value, low, high; // the ends are NaN where there is no interval
	double power;		 // b
};

// From count pairs (nodes, value), all above 0, with two node counts or more. NaN where a value is
// not above 0.
struct scale_prediction scale_predict(const double *nodes, const double *values, size_t count,
				      double at_nodes, double level);

// The model for nodes from those at other counts. The rest (floors, headers, shares, empirical
// sizes) is taken from the model with the nearest node count; a statistic with a value of 0 becomes
// 0. notes get the intervals. TR_ERROR: fewer than two node counts, a part that is in some models
// only, or memory. pulse_model_clear frees *out.
enum tr_status scale_by_regression(const struct pulse_model *models, size_t count, uint64_t nodes,
				   double level, struct pulse_model *out,
				   struct pulse_notes notes[PULSE_ROLES][PULSE_CLASSES],
				   struct tr_error *err);

// ---- The rules for scaling pulse trains to other numbers of nodes, compared: what each assumes
// and needs, and its error if a model of the wanted number is available. A new rule is a row of the
// table in scale_rules.c.
//
// A rule is judged on the largest model, which is held out: it is applied to the smaller ones for
// that number of nodes. The result is compared by the statistics of its trains (root mean square of
// their log2 ratios) and by its rates of packets and of bits on the wire (likewise); the error is
// the root mean square of these two. An error of 1 is a factor of two.

// A task: fitted models, in any order, lent; the wanted number of nodes; the level of the
// intervals.
struct scale_task {
	const struct pulse_model *models;
	size_t count;
	uint64_t nodes;
	double level;
};

// A pulse train for another number of nodes. pulse_model_clear frees it.
struct scaled {
	struct pulse_model model;
	struct pulse_notes notes[PULSE_ROLES][PULSE_CLASSES];
};

struct scale_rule {
	const char *name;    // "published"; "rc:" if a width follows
	const char *assumes; // as a sentence
	// word: the rule's name as given, "rc:256". TR_ERROR, with the reason: the models are not
	// those it needs; out is empty then.
	enum tr_status (*scale)(const struct scale_task *task, const char *word, struct scaled *out,
				struct tr_error *err);
	// Adds comments on how the model of the task was made.
	void (*describe)(const struct scale_task *task, const char *word, struct model *text);
};

// The rules, ended by a name of NULL.
extern const struct scale_rule scale_rules[];

#define SCALE_WHY_BYTES 200u

// A rule, judged and applied. NaN: not known.
struct scale_verdict {
	const struct scale_rule *rule;
	const char *word;  // lent
	uint64_t held_out; // nodes of the model it was judged on; 0: not judged
	double statistics_oct, rates_oct, error_oct;
	double packets_per_s, wire_bps; // of its model for the wanted number of nodes
	char why[SCALE_WHY_BYTES];	// why it was not judged, or cannot be applied
	bool applies;			// to these models, for the wanted number
};

// Judges and applies the rule of the word. TR_ERROR: there is no such rule, or memory runs out.
enum tr_status scale_decide(const struct scale_task *task, const char *word,
			    struct scale_verdict *out, struct tr_error *err);

// Sorts them: by error, then those not judged, then those that cannot be applied.
void scale_rank(struct scale_verdict *list, size_t count);

#endif
