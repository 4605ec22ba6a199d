// SPDX-License-Identifier: GPL-3.0-or-later
// The clipped normal is the reading [R] of Yates 1997 (AFIT/GCS/ENG/97D-20), which says only
// "random with this mean and variance, limited to 8 kilobytes": N(8204.57, 18461061) clipped at
// 8192 has mean 6775..6841 and standard deviation 1934..2023 for floors of 500..1000 bytes, as its
// pilot runs have.
#include "gen/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum tr_status sizes_normal(struct sizes *out, double mean_B, double variance_B2, double floor_B,
			    double mtu_B, struct tr_error *err)
{
	double sd_B = sqrt(variance_B2);

	if (!(mtu_B <= UINT32_MAX) || floor_B > mtu_B)
		return tr_fail(err, "the floor of the sizes, %.9g B, is above the largest, %.9g B",
			       floor_B, mtu_B);
	if (0.5 * erfc((floor_B - mean_B) / (sd_B * M_SQRT2)) < 1e-4 ||
	    (sd_B == 0 && mean_B < floor_B))
		return tr_fail(err, "sizes of mean %.9g B and deviation %.9g B hardly reach the "
			       "floor of %.9g B", mean_B, sd_B, floor_B);
	*out = (struct sizes){.mean_B = mean_B, .sd_B = sd_B, .floor_B = floor_B, .mtu_B = mtu_B};
	return TR_OK;
}

static uint32_t draw_clipped(const struct sizes *sizes, const struct draw_tables *tables,
			     struct tr_random *random)
{
	double size;

	do
		size = sizes->mean_B + sizes->sd_B * draw_normal(tables, random);
	while (size < sizes->floor_B);
	return (uint32_t)((size < sizes->mtu_B ? size : sizes->mtu_B) + 0.5);
}

static uint32_t draw_bin(const struct sizes *sizes, struct tr_random *random)
{
	if (sizes->bins == 1 && sizes->bin->low_B == sizes->bin->high_B)
		return sizes->bin->low_B;
	const struct size_bin *bin = &sizes->bin[alias_draw(&sizes->choice, random)];

	if (bin->low_B == bin->high_B)
		return bin->low_B;
	return (uint32_t)(bin->low_B +
			  tr_random_below(random, (uint64_t)bin->high_B - bin->low_B + 1));
}

uint32_t sizes_draw(const struct sizes *sizes, const struct draw_tables *tables,
		    struct tr_random *random)
{
	return sizes->bins ? draw_bin(sizes, random) : draw_clipped(sizes, tables, random);
}

// Where many are below the floor, whether one is cannot be guessed: each is written, and stands if it may.
static void draw_many_clipped(const struct sizes *sizes, const struct draw_tables *tables,
			      struct tr_random *random, uint32_t *out, size_t count)
{
	for (size_t n = 0; n < count;) {
		const double size = sizes->mean_B + sizes->sd_B * draw_normal(tables, random);
		const double kept = size < sizes->floor_B ? sizes->floor_B : size;

		out[n] = (uint32_t)((kept < sizes->mtu_B ? kept : sizes->mtu_B) + 0.5);
		n += size >= sizes->floor_B;
	}
}

void sizes_draw_many(const struct sizes *sizes, const struct draw_tables *tables, struct tr_random *random,
		     uint32_t *out, size_t count)
{
	if (!sizes->bins)
		draw_many_clipped(sizes, tables, random, out, count);
	else
		for (size_t i = 0; i < count; i++)
			out[i] = draw_bin(sizes, random);
}

static enum tr_status check_bins(const struct size_bin *bins, size_t count, double *weights,
				 struct tr_error *err)
{
	double total = 0;

	for (size_t i = 0; i < count; i++) {
		if (bins[i].low_B > bins[i].high_B)
			return tr_fail(err, "a bin of sizes begins at %u B and ends at %u B",
				       bins[i].low_B, bins[i].high_B);
		weights[i] = (double)bins[i].count;
		total += weights[i];
	}
	return total > 0 ? TR_OK : tr_fail(err, "the empirical sizes hold no packet");
}

enum tr_status sizes_empirical(struct sizes *out, const struct size_bin *bins, size_t count,
			       struct tr_error *err)
{
	double *weights = calloc(count ? count : 1, sizeof *weights);
	enum tr_status status = TR_ERROR;

	*out = (struct sizes){.bins = count, .bin = calloc(count ? count : 1, sizeof *out->bin)};
	if (!weights || !out->bin)
		(void)tr_fail(err, "no memory for %zu bins of sizes", count);
	else if (check_bins(bins, count, weights, err) == TR_OK)
		status = alias_make(&out->choice, weights, count, err);
	free(weights);
	if (status != TR_OK)
		sizes_clear(out);
	else
		memcpy(out->bin, bins, count * sizeof *bins);
	return status;
}

void sizes_clear(struct sizes *sizes)
{
	free(sizes->bin);
	alias_clear(&sizes->choice);
	*sizes = (struct sizes){0};
}
