// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of packets: a normal clipped at the MTU and redrawn below a floor, or bins: an empirical distribution, or a mixture of
// laws.
#ifndef GEN_SIZES_H
#define GEN_SIZES_H

#include <stddef.h>
#include <stdint.h>

#include "gen/alias.h"
#include "gen/draw.h"
#include "gen/size_law.h"
#include "trace/status.h"

// Made by sizes_normal or sizes_empirical, read only after; freed by sizes_clear. Zero is empty.
struct sizes {
	double mean_B, sd_B, floor_B, mtu_B;
	size_t bins; // 0 for the normal
	struct size_bin *bin;
	struct law_plan *plans; // of the bins; NULL where none has a law
	struct alias choice;	// of a bin
};

// Values above mtu are set to mtu, values below floor drawn again. TR_ERROR where no value of the
// normal is likely to lie at or above the floor (less than 1 in 10,000), or floor > mtu.
enum tr_status sizes_normal(struct sizes *out, double mean_B, double variance_B2, double floor_B, double mtu_B,
			    struct tr_error *err);

// count bins, copied. TR_ERROR where there is none, one has low > high or a law that hardly reaches low, or the counts are all
// zero.
enum tr_status sizes_empirical(struct sizes *out, const struct size_bin *bins, size_t count, struct tr_error *err);

// One size in bytes.
uint32_t sizes_draw(const struct sizes *sizes, const struct draw_tables *tables, struct tr_random *random);

// count sizes, as so many calls of sizes_draw give them.
void sizes_draw_many(const struct sizes *sizes, const struct draw_tables *tables, struct tr_random *random, uint32_t *out,
		     size_t count);

void sizes_clear(struct sizes *sizes);

#endif
