// SPDX-License-Identifier: GPL-3.0-or-later
// Laws of a packet's size: uniform in a range, normal, or one of gen/law.h; clipped at the largest
// size and redrawn below the least. Several bins are a mixture.
#ifndef GEN_SIZE_DRAW_H
#define GEN_SIZE_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "gen/alias.h"
#include "gen/draw.h"
#include "gen/law.h"
#include "value/status.h"

enum size_law {
	SIZE_ALIKE, // uniform on low .. high
	SIZE_NORMAL,
	SIZE_EXPONENTIAL,
	SIZE_PARETO,
	SIZE_LOGNORMAL,
	SIZE_WEIBULL,
	SIZE_GAMMA,
	SIZE_LAWS, // how many there are
};

// count packets of low..high bytes, uniform; or of a law, whose values below low are redrawn and
// those above high clipped.
struct size_bin {
	uint32_t low_B;
	uint32_t high_B;
	uint64_t count;
	enum size_law law;
	double mean_B; // of the law before clipping
	double shape;  // normal law: standard deviation in bytes; others as in gen/law.h
};

struct size_law_kind {
	const char *word;   // in the text; NULL for SIZE_ALIKE
	enum law_name name; // in gen/law.h, if it is there
};
extern const struct size_law_kind size_laws[SIZE_LAWS];

// The law as one of gen/law.h, to be cleared; zero for the normal and for a range. TR_ERROR: low >
// high, or less than 1 in 10,000 values reaches low.
enum tr_status size_law_plan(const struct size_bin *bin, struct law_plan *out,
			     struct tr_error *err);

// One size. plan is the bin's.
uint32_t size_law_draw(const struct size_bin *bin, const struct law_plan *plan,
		       const struct draw_tables *tables, struct tr_random *random);

// Mean and variance of the sizes of all bins, as drawn (except for rounding to whole bytes); 0 if
// the bins hold no packet.
double size_bins_mean_B(const struct size_bin *bins, size_t count);
double size_bins_variance_B2(const struct size_bin *bins, size_t count);

// ---- Sizes of packets: a normal clipped at the MTU and redrawn below a floor, or bins: an
// empirical distribution, or a mixture of laws.

// Made by sizes_normal or sizes_empirical, then read-only; freed by sizes_clear. Zero is empty.
struct sizes {
	double mean_B, sd_B, floor_B, mtu_B;
	size_t bins; // 0 for the normal
	struct size_bin *bin;
	struct law_plan *plans; // of the bins; NULL where none has a law
	struct alias choice;	// of a bin
};

// Values above mtu are clipped, values below floor redrawn. TR_ERROR if less than 1 in 10,000
// values of the normal reaches the floor, or floor > mtu.
enum tr_status sizes_normal(struct sizes *out, double mean_B, double variance_B2, double floor_B,
			    double mtu_B, struct tr_error *err);

// Copies count bins. TR_ERROR where there is none, one has low > high or a law that hardly reaches
// low, or all counts are zero.
enum tr_status sizes_empirical(struct sizes *out, const struct size_bin *bins, size_t count,
			       struct tr_error *err);

// One size in bytes.
uint32_t sizes_draw(const struct sizes *sizes, const struct draw_tables *tables,
		    struct tr_random *random);

// Draws count sizes, the same as count calls of sizes_draw.
void sizes_draw_many(const struct sizes *sizes, const struct draw_tables *tables,
		     struct tr_random *random, uint32_t *out, size_t count);

// Frees what it holds; it is empty then.
void sizes_clear(struct sizes *sizes);

#endif
