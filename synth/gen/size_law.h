// SPDX-License-Identifier: GPL-3.0-or-later
// Laws of a packet's size: all alike in a range, normal, or of gen/law.h; cut at the largest and drawn again below the least
// size. Bins of them are a mixture.
#ifndef GEN_SIZE_LAW_H
#define GEN_SIZE_LAW_H

#include <stddef.h>
#include <stdint.h>

#include "gen/draw.h"
#include "gen/law.h"
#include "trace/status.h"

enum size_law {
	SIZE_ALIKE, // low .. high, each size alike
	SIZE_NORMAL,
	SIZE_EXPONENTIAL,
	SIZE_PARETO,
	SIZE_LOGNORMAL,
	SIZE_WEIBULL,
	SIZE_GAMMA,
	SIZE_LAWS, // how many there are
};

// count packets of low..high bytes, each size in between alike; or of a law, whose values below low are drawn again and those
// above high set to it.
struct size_bin {
	uint32_t low_B;
	uint32_t high_B;
	uint64_t count;
	enum size_law law;
	double mean_B; // of the law before that
	double shape;  // deviation in bytes of the normal law; else as of gen/law.h
};

struct size_law_kind {
	const char *word;   // of the text; NULL for SIZE_ALIKE
	enum law_name name; // in gen/law.h, where that has it
};
extern const struct size_law_kind size_laws[SIZE_LAWS];

// The law in gen/law.h's terms, to be cleared; a zero one for the normal and for a range. TR_ERROR: low > high, or less than
// 1 in 10,000 values reaches low.
enum tr_status size_law_plan(const struct size_bin *bin, struct law_plan *out, struct tr_error *err);

// One size. plan is the bin's.
uint32_t size_law_draw(const struct size_bin *bin, const struct law_plan *plan, const struct draw_tables *tables,
		       struct tr_random *random);

// Mean and variance of the sizes of all bins, as they are drawn (but for rounding a law's values to whole bytes); 0 where they
// hold no packet.
double size_bins_mean_B(const struct size_bin *bins, size_t count);
double size_bins_variance_B2(const struct size_bin *bins, size_t count);

#endif
