// SPDX-License-Identifier: GPL-3.0-or-later
// Maximum likelihood fits of chains to the times of packets: matrix powers, the expectations of a
// step, the step itself, initial values, and the search over numbers of states.
#ifndef GEN_ARRIVALS_CHAIN_FIT_H
#define GEN_ARRIVALS_CHAIN_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "gen/arrivals/chain.h"
#include "gen/families/arrivals.h"

// ---- exp(d0 t) of a Markovian arrival process for any whole number of ticks t, as a product of
// few tabulated matrices: one for each nonzero digit of t, in a base that suits the number of
// states. Entries are never negative, so nothing cancels; each matrix is stored with the logarithm
// of its scale, so nothing underflows, however long the gap.

#define CHAIN_BELOW_MAX 40u    // bits below a tick
#define CHAIN_SEGMENTS_MAX 63u // of a time

// About 8 (2 values digits + bits) n^2 bytes, values being 2^digit_bits; at most 3 MiB for gaps
// below 2^31 ticks.
struct chain_powers {
	unsigned states;
	unsigned digit_bits, digits;
	unsigned below;	   // bits below a tick: in the shortest time few transitions occur
	double *doubled;   // of 2^(j - below) ticks at j
	double *scale;	   // their logarithms
	double *joined;	   // square of the previous matrix = this factor times the one at j
	double *table;	   // of value v of digit d at (d << digit_bits | v); 0 is not used
	double *log_scale; // the same for the table
	double *factor;	   // product of the top bit's and the rest's matrix = this factor times the
			   // one at v
};

// One part of a time: its index in table.
typedef uint32_t chain_segment;

// Allocates tables for times up to longest_ticks >= 1. TR_ERROR if out of memory.
enum tr_status chain_powers_new(struct chain_powers *out, unsigned states, int64_t longest_ticks,
				struct tr_error *err);

// Frees what it holds; it is empty then.
void chain_powers_clear(struct chain_powers *powers);

// Fills in the tables. TR_ERROR: transitions are far too fast for ticks. work of 2 n^2.
enum tr_status chain_powers_set(struct chain_powers *powers, const struct chain *chain,
				double ticks_per_s, double *work, struct tr_error *err);

// The segments of a time of 0 .. longest ticks; returns how many.
unsigned chain_powers_split(const struct chain_powers *powers, int64_t ticks,
			    chain_segment out[CHAIN_SEGMENTS_MAX]);

// The reverse: given for each segment the matrix b (indexed and scaled as table; it is destroyed),
// adds up the integrals of exp(d0 (L - s)) b exp(d0 s) over s in 0 .. L, L being the segment's
// time, in s. out of n^2, work of 4 n^2.
void chain_powers_integrate(const struct chain_powers *powers, const struct chain *chain,
			    double ticks_per_s, double *b, double *out, double *work);

// ---- The likelihood of packet times under a Markovian arrival process, and the expected behaviour
// of its hidden states (Ryden, An EM algorithm for estimation in Markov-modulated Poisson
// processes, Comput. Stat. Data Anal. 21 (1996) 431-447, with the integrals of all gaps combined,
// by the powers above). Exact for times in whole ticks; the chain is stationary when a realisation
// begins, and the silence until its end counts.

// Workspace for one sample and number of states, and the results of a pass. n: states.
struct chain_pass {
	const struct arrival_sample *sample; // lent
	struct chain_powers powers;
	double *forward;   // 8 n bytes for each packet of the longest realisation
	double *collected; // as the table of powers
	double *work;	   // 4 n^2
	// Results. log_likelihood is of the density per tick.
	double log_likelihood;
	double *time_s; // expected in state i
	double *silent; // expected silent transitions i to j, n^2
	double *sends;	// expected transitions with a packet
};

// TR_ERROR if out of memory.
enum tr_status chain_pass_new(struct chain_pass *out, unsigned states,
			      const struct arrival_sample *sample, struct tr_error *err);

// Frees what it holds; it is empty then.
void chain_pass_clear(struct chain_pass *pass);

// Computes the results. The chain is balanced and irreducible. TR_ERROR if its rates are out of all
// proportion to ticks.
enum tr_status chain_pass_run(struct chain_pass *pass, const struct chain *chain,
			      struct tr_error *err);

// The likelihood alone, without memory per packet; NaN if the rates are out of all proportion to
// ticks. TR_ERROR if out of memory.
enum tr_status chain_log_likelihood(const struct chain *chain, const struct arrival_sample *sample,
				    double *out, struct tr_error *err);

// ---- Maximum likelihood fit of a Markovian arrival process to packet times: EM, accelerated by
// squared extrapolation (Varadhan and Roland, Simple and globally convergent methods for
// accelerating the convergence of any EM algorithm, Scand. J. Stat. 35 (2008) 335-353, scheme SqS3)
// of the logarithms of rates. A rate that is 0 stays 0, so the start's zero pattern selects the
// family.

// Lists the rates above 0 of d0 and d1, as indices 0 .. 2 n^2 - 1 (d1 from n^2 on), in cells,
// unless NULL; returns how many.
unsigned chain_free_cells(const struct chain *chain, unsigned *cells);

// ---- The likeliest chain of a family for a sample, with the number of states chosen by the
// Bayesian information criterion: a few rounds of EM from each of several starts, on a part of the
// sample; then more for the best; one state more as long as the criterion improves; then the winner
// on the whole sample.

#define CHAIN_SOUGHT_PACKETS \
	((size_t)1 << 17) // at most; of larger samples, stretches (arrival_sample.h)

struct chain_family {
	unsigned states_max, starts;
	// Sets a chain of two states or more to start number which, for a mean gap. TR_END: this
	// start is not possible.
	enum tr_status (*start)(struct chain *out, const struct arrival_sample *sample,
				double gap_ticks, unsigned which, struct tr_error *err);
};

// Fits *out, which the caller owns. TR_ERROR: too few packets, or no memory; *out is empty then.
enum tr_status chain_seek(const struct chain_family *family, const struct arrival_sample *sample,
			  struct chain *out, struct tr_error *err);

// Confidence intervals of the rates (1/s, d1 after d0 as in the chain; 0 and 0 where not known) and
// of the mean stays (s; NULL: not wanted), from the observed information, normal on the log scale.
// TR_ERROR if out of memory.
enum tr_status chain_intervals(const struct chain *chain, const struct arrival_sample *sample,
			       double (*rates)[2], double (*stays_s)[2], struct tr_error *err);

// Describes the fitting method in words.
void chain_seek_note(const struct chain *found, const struct arrival_sample *sample,
		     char out[ARRIVAL_NOTE_BYTES]);

// ---- Initial values for a fit of a Markov-modulated Poisson process: windows of the sample,
// clustered by their counts.

// Sets out (of two states or more, d1 to be diagonal) from counts in windows of this width: one
// state for each cluster of k-means (Lloyd's algorithm, on the square roots of counts), with the
// transitions from window to window. TR_END: too few windows, or too few different counts. TR_ERROR
// if out of memory.
enum tr_status chain_start(struct chain *out, const struct arrival_sample *sample,
			   double window_ticks, struct tr_error *err);

#endif
