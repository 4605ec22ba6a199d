// SPDX-License-Identifier: GPL-3.0-or-later
// Which family suits a trace: each is fitted to the first half and compared with the second, by the
// score of runs.c over replicates of generated traffic, and by the likelihood of the second half if
// known.
//
// Families are ordered by score, but those whose interval reaches down into that of the least score
// count as equal to it. First comes one of those with a score within two standard errors (of the
// difference) of the least: the likeliest by the Bayesian information criterion; if none has a
// likelihood, the one with the fewest free parameters. A model that is not to be trusted to
// generate as many packets as it was fitted to (gen/fit/doubt.h) comes after all others, with its
// score. A family with more free parameters than a tenth of the packets is a copy of the trace and
// comes after its equals.
#ifndef GEN_JUDGE_RANKING_H
#define GEN_JUDGE_RANKING_H

#include "gen/families/family.h"
#include "gen/fit/doubt.h"
#include "stat/judge/panel.h"

// ---- Several runs of one model compared with the data by the energy score: the mean distance from
// the data less half the mean distance between runs (Gneiting and Raftery, Strictly proper scoring
// rules, prediction, and estimation, J. Am. Stat. Assoc. 102 (2007) 359-378). Without the second
// term a model with too little variation would score better than the true one, whose runs are as
// far from the data as from each other.
//
// Known value: if runs and data have the same law, the expected score is half their mean distance.

// Made by judge_runs_open. Memory: the curves of all runs.
struct judge_runs {
	struct judge_panel *panel; // lent
	unsigned count, capacity;
	double *(*curves)[JUDGE_CRITERIA]; // of each run
	struct judge_distance (*from_data)[JUDGE_CRITERIA];
};

// A score with its interval, and the distances behind it.
struct judge_result {
	double score;	  // the mean over the criteria of log2(1 + energy score/yardstick)
	double error;	  // its standard error, by the jackknife over the runs
	double low, high; // Student's interval
	struct judge_distance energy[JUDGE_CRITERIA]; // value: the energy score, NaN: not measured;
						      // where: of the first run
};

// Room for so many runs against the panel, which is lent. TR_ERROR if out of memory; close it all
// the same.
enum tr_status judge_runs_open(struct judge_runs *runs, struct judge_panel *panel,
			       unsigned capacity, struct tr_error *err);

// Adds the packets of a run, for at most capacity runs. TR_ERROR: memory.
enum tr_status judge_runs_add(struct judge_runs *runs, const struct packet_sample *packets,
			      struct tr_error *err);

// Needs two runs or more. level is that of the interval. TR_ERROR: memory.
enum tr_status judge_runs_result(const struct judge_runs *runs, double level,
				 struct judge_result *out, struct tr_error *err);

// Frees what it holds; it is empty then.
void judge_runs_close(struct judge_runs *runs);

#define JUDGE_REPLICATE_FACTOR \
	8u // a model that makes more than this multiple of the packets does not match

// Generates the model's packets with this seed, for the duration and in the ticks of like;
// packet_sample_clear frees *out. TR_ERROR: the model cannot be generated, makes more than
// JUDGE_REPLICATE_FACTOR times the packets (and 1,000), or memory runs out.
enum tr_status judge_replicate(const struct model *text, const struct packet_sample *like,
			       uint64_t seed, struct packet_sample *out, struct tr_error *err);

// ---- The ranking.

#define JUDGE_REPLICATES 20u // default
#define JUDGE_REASON_BYTES (FIT_DOUBT_BYTES + 40u)
#define JUDGED_NAME_BYTES 64u

// One family, fitted and judged.
struct judged {
	const struct family *family; // lent
	enum fit_by by;
	struct model text; // as fitted to the first half; owned
	struct fit_notes notes;
	size_t place; // index among the families before sorting
	bool failed;
	bool doubtful;		    // not to be trusted (gen/fit/doubt.h): the reason says why
	bool equal;		    // to the first
	struct judge_result result; // NaN where it failed
	double log_likelihood; // of the second half, per packet and per second instead of per tick;
			       // NaN: not known
	double aic, bic;       // of the first half, likewise; NaN: not known
	char reason[JUDGE_REASON_BYTES]; // explains its rank
};

struct judge_request {
	const struct packet_sample *fitted, *held_out;
	const struct fit_options *options; // but for by
	unsigned replicates;		   // 2 or more
	uint64_t seed;			   // of the first replicate; the next ones count up from it
	// Called before each replicate; may be NULL.
	void (*progress)(void *context, const struct family *family, unsigned replicate);
	void *context;
};

// Fits and judges one family with this grouping. A fit that is not possible gives a failed entry
// with the reason. TR_ERROR: memory runs out. judged_clear frees *out.
enum tr_status judge_family(const struct judge_request *all, struct judge_panel *panel,
			    const struct family *family, enum fit_by by, struct judged *out,
			    struct tr_error *err);

// "mmpp", or "mmpp by network" for a grouping other than roles. Returns out.
const char *judged_name(const struct judged *judged, char out[JUDGED_NAME_BYTES]);

// Whether the model generates traffic for any number of nodes: it is not a copy of the trace, and
// its sections do not name nodes.
bool judged_scales(const struct judged *judged);

// Sorts the families, and writes the reasons.
void judge_rank(const struct judge_panel *panel, struct judged *list, size_t count);

// Frees what it holds; it is empty then.
void judged_clear(struct judged *judged);

#endif
