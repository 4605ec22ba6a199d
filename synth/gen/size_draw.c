// SPDX-License-Identifier: GPL-3.0-or-later
// The clipped normal is the reading [R] of Yates 1997 (AFIT/GCS/ENG/97D-20), which only says
// "random with this mean and variance, limited to 8 kilobytes": N(8204.57, 18461061) clipped at
// 8192 has mean 6775..6841 and standard deviation 1934..2023 for floors of 500..1000 bytes, like
// its pilot runs.
#include "gen/size_draw.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum tr_status sizes_normal(struct sizes *out, double mean_B, double variance_B2, double floor_B,
			    double mtu_B, struct tr_error *err)
{
	double sd_B = sqrt(variance_B2);

	if (!(mtu_B <= UINT32_MAX) || floor_B > mtu_B)
		return tr_fail(err, "the floor of the sizes, %.9g B, is above the largest, %.9g B",
			       floor_B, mtu_B);
	if (0.5 * erfc((floor_B - mean_B) / (sd_B * M_SQRT2)) < 1e-4 ||
	    (sd_B == 0 && mean_B < floor_B))
		return tr_fail(err,
			       "sizes with mean %.9g B and deviation %.9g B are almost all below "
			       "the floor of %.9g B",
			       mean_B, sd_B, floor_B);
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

static uint32_t size_draw_draw_bin(const struct sizes *sizes, const struct draw_tables *tables,
				   struct tr_random *random)
{
	size_t i;

	if (sizes->bins == 1 &&
	    (sizes->bin->law != SIZE_ALIKE || sizes->bin->low_B == sizes->bin->high_B))
		return size_law_draw(sizes->bin, sizes->plans, tables, random);
	i = alias_draw(&sizes->choice, random);
	return size_law_draw(&sizes->bin[i], sizes->plans ? &sizes->plans[i] : NULL, tables,
			     random);
}

uint32_t sizes_draw(const struct sizes *sizes, const struct draw_tables *tables,
		    struct tr_random *random)
{
	return sizes->bins ? size_draw_draw_bin(sizes, tables, random)
			   : draw_clipped(sizes, tables, random);
}

// If many values are below the floor a branch is unpredictable: each is written, and kept if valid.
static void draw_many_clipped(const struct sizes *sizes, const struct draw_tables *tables,
			      struct tr_random *random, uint32_t *out, size_t count)
{
	const double mean = sizes->mean_B, sd = sizes->sd_B, floor = sizes->floor_B,
		     mtu = sizes->mtu_B;
	double normal[DRAW_BLOCK];

	for (size_t n = 0; n < count;) {
		const size_t some = count - n < DRAW_BLOCK
					    ? count - n
					    : DRAW_BLOCK; // each gives one size at most

		draw_normals(tables, random, normal, some);
		for (size_t i = 0; i < some; i++) {
			const double size = mean + sd * normal[i], most = size < mtu ? size : mtu;

			out[n] = (uint32_t)(int64_t)((most < floor ? floor : most) + 0.5);
			n += size >= floor;
		}
	}
}

// For one range. Each size uses two numbers, as with several ranges.
static void draw_many_alike(const struct size_bin *bin, struct tr_random *random, uint32_t *out,
			    size_t count)
{
	const uint64_t sizes = (uint64_t)bin->high_B - bin->low_B + 1;
	uint64_t bits[3 * DRAW_BLOCK];

	for (size_t n = 0, some; n < count; n += some) {
		const struct tr_random before = *random;
		bool again = false;

		some = count - n < DRAW_BLOCK ? count - n : DRAW_BLOCK;
		tr_random_fill(random, bits, 3 * some);
		for (size_t i = 0; i < some; i++) {
			const unsigned __int128 product = (unsigned __int128)bits[3 * i + 2] *
							  sizes;

			out[n + i] = (uint32_t)(bin->low_B + (uint64_t)(product >> 64));
			again |= (uint64_t)product < sizes; // as in tr_random_below_fill
		}
		if (!__builtin_expect(again, 0))
			continue;
		*random = before;
		for (size_t i = 0; i < some; i++) {
			(void)tr_random_u64(random);
			(void)tr_random_u64(random);
			out[n + i] = (uint32_t)(bin->low_B + tr_random_below(random, sizes));
		}
	}
}

void sizes_draw_many(const struct sizes *sizes, const struct draw_tables *tables,
		     struct tr_random *random, uint32_t *out, size_t count)
{
	if (!sizes->bins)
		draw_many_clipped(sizes, tables, random, out, count);
	else if (sizes->bins > 1 || sizes->bin->law != SIZE_ALIKE)
		for (size_t i = 0; i < count; i++)
			out[i] = size_draw_draw_bin(sizes, tables, random);
	else if (sizes->bin->low_B < sizes->bin->high_B)
		draw_many_alike(sizes->bin, random, out, count);
	else
		for (size_t i = 0; i < count; i++)
			out[i] = sizes->bin->low_B;
}

static bool have_laws(const struct size_bin *bins, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (bins[i].law != SIZE_ALIKE)
			return true;
	return false;
}

// Laws and weights of the bins.
static enum tr_status plan_bins(struct sizes *sizes, const struct size_bin *bins, double *weights,
				struct tr_error *err)
{
	double total = 0;

	for (size_t i = 0; i < sizes->bins; i++) {
		struct law_plan none;

		sizes->bin[i] = bins[i];
		if (size_law_plan(&bins[i], sizes->plans ? &sizes->plans[i] : &none, err) != TR_OK)
			return TR_ERROR;
		weights[i] = (double)bins[i].count;
		total += weights[i];
	}
	return total > 0 ? alias_make(&sizes->choice, weights, sizes->bins, err)
			 : tr_fail(err, "the empirical sizes contain no packets");
}

enum tr_status sizes_empirical(struct sizes *out, const struct size_bin *bins, size_t count,
			       struct tr_error *err)
{
	const size_t room = count ? count : 1;
	double *weights = calloc(room, sizeof(*weights));
	const bool laws = have_laws(bins, count);
	enum tr_status status;

	*out = (struct sizes){.bins = count,
			      .bin = calloc(room, sizeof(*out->bin)),
			      .plans = laws ? calloc(room, sizeof(*out->plans)) : NULL};
	status = weights && out->bin && (out->plans || !laws)
			 ? plan_bins(out, bins, weights, err)
			 : tr_no_memory(err, "%zu bins of sizes", count);
	free(weights);
	if (status != TR_OK)
		sizes_clear(out);
	return status;
}

void sizes_clear(struct sizes *sizes)
{
	for (size_t i = 0; sizes->plans && i < sizes->bins; i++)
		law_plan_clear(&sizes->plans[i]);
	free(sizes->plans);
	free(sizes->bin);
	alias_clear(&sizes->choice);
	*sizes = (struct sizes){0};
}
