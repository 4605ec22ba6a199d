// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/draw.h"

#include <math.h>
#include <stdbool.h>

#include "gen/powers.h"

// Right edge of the base layer and area of each of the 256 layers: solutions of Marsaglia and
// Tsang's equation, verified by tests/unit/draw.
#define EXPONENTIAL_EDGE 7.69711747013104972
#define EXPONENTIAL_AREA 0.0039496598225815571993
#define NORMAL_EDGE 3.6541528853610088
#define NORMAL_AREA 0.00492867323399

static double density_exponential(double x)
{
	return powers_exp(-x);
}

static double inverse_exponential(double f)
{
	return -powers_log(f);
}

static double density_normal(double x)
{
	return powers_exp(-0.5 * x * x);
}

static double inverse_normal(double f)
{
	return sqrt(-2.0 * powers_log(f));
}

static void stack_layers(struct draw_ziggurat *z, double edge, double area,
			 double (*density)(double), double (*inverse)(double))
{
	z->x[0] = area / density(edge);
	z->x[1] = edge;
	for (int i = 2; i < DRAW_LAYERS; i++)
		z->x[i] = inverse(area / z->x[i - 1] + density(z->x[i - 1]));
	z->x[DRAW_LAYERS] = 0;
	for (int i = 0; i <= DRAW_LAYERS; i++)
		z->f[i] = density(z->x[i]);
}

void draw_tables_make(struct draw_tables *tables)
{
	stack_layers(&tables->exponential, EXPONENTIAL_EDGE, EXPONENTIAL_AREA, density_exponential,
		     inverse_exponential);
	stack_layers(&tables->normal, NORMAL_EDGE, NORMAL_AREA, density_normal, inverse_normal);
}

static uint64_t next_bits(struct draw_bits *bits)
{
	return bits->at < bits->end ? *bits->at++ : tr_random_u64(bits->random);
}

static double next_unit(struct draw_bits *bits)
{
	return tr_random_unit_of(next_bits(bits));
}

#define CLEAR 1e-7 // relative: above the error of powers_exp_near

// After passing the edge of layer i: whether the drawn point lies below the density, which is e to
// the exponent.
static bool under_curve(const struct draw_ziggurat *z, unsigned i, double exponent,
			struct draw_bits *bits)
{
	const double y = z->f[i] + next_unit(bits) * (z->f[i + 1] - z->f[i]),
		     near = powers_exp_near(exponent);

	if (fabs(y - near) > CLEAR * near)
		return y < near;
	return y < powers_exp(exponent);
}

double draw_exponential_edge(const struct draw_tables *tables, struct draw_bits *more,
			     uint64_t bits)
{
	bool inside;

	for (;; bits = next_bits(more)) {
		const double x = draw_point(&tables->exponential, bits, &inside);
		const unsigned i = bits & (DRAW_LAYERS - 1);

		if (inside)
			return x;
		if (i == 0)
			return EXPONENTIAL_EDGE - powers_log(next_unit(more));
		if (under_curve(&tables->exponential, i, -x, more))
			return x;
	}
}

// Draws the least number of words that these draws need; a cursor over them, which continues in the
// stream.
static struct draw_bits take_block(struct tr_random *random, uint64_t block[DRAW_BLOCK],
				   size_t count)
{
	const size_t some = count < DRAW_BLOCK ? count : DRAW_BLOCK;

	tr_random_fill(random, block, some);
	return (struct draw_bits){block, block + some, random};
}

void draw_exponentials(const struct draw_tables *tables, struct tr_random *random, double *out,
		       size_t count)
{
	const struct draw_ziggurat *z = &tables->exponential;
	uint64_t block[DRAW_BLOCK];

	for (size_t n = 0; n < count;) {
		const struct draw_bits all = take_block(random, block, count - n);

		for (const uint64_t *at = all.at; at < all.end; n++) {
			const uint64_t bits = *at++;
			bool inside;

			out[n] = draw_point(z, bits, &inside);
			if (inside)
				continue;
			struct draw_bits more = {at, all.end, random};

			out[n] = draw_exponential_edge(tables, &more, bits);
			at = more.at;
		}
	}
}

// Beyond the edge (Marsaglia 1964).
static double normal_tail(struct draw_bits *bits)
{
	for (;;) {
		double x = -powers_log(next_unit(bits)) / NORMAL_EDGE;
		double y = -powers_log(next_unit(bits));

		if (2 * y > x * x)
			return NORMAL_EDGE + x;
	}
}

double draw_normal_edge(const struct draw_tables *tables, struct draw_bits *more, uint64_t bits)
{
	bool inside;

	for (;; bits = next_bits(more)) {
		const double x = draw_point(&tables->normal, bits, &inside);
		const unsigned i = bits & (DRAW_LAYERS - 1);

		if (inside)
			return draw_signed(x, draw_sign(bits));
		if (i == 0)
			return draw_signed(normal_tail(more), draw_sign(bits));
		if (under_curve(&tables->normal, i, -0.5 * x * x, more))
			return draw_signed(x, draw_sign(bits));
	}
}

void draw_normals(const struct draw_tables *tables, struct tr_random *random, double *out,
		  size_t count)
{
	const struct draw_ziggurat *z = &tables->normal;
	uint64_t block[DRAW_BLOCK];

	for (size_t n = 0; n < count;) {
		const struct draw_bits all = take_block(random, block, count - n);

		for (const uint64_t *at = all.at; at < all.end; n++) {
			const uint64_t bits = *at++;
			bool inside;

			out[n] = draw_signed(draw_point(z, bits, &inside), draw_sign(bits));
			if (inside)
				continue;
			struct draw_bits more = {at, all.end, random};

			out[n] = draw_normal_edge(tables, &more, bits);
			at = more.at;
		}
	}
}

uint64_t draw_geometric_log(double log_stay, struct tr_random *random)
{
	if (log_stay == 0)
		return 1;
	const double unit = tr_random_unit(random), near = powers_log_near(unit) / log_stay;
	const double off = 1e-8 / -log_stay; // more than the error of near
	double n = floor(near);

	if (!(near - n > off && near - n < 1 - off && near < 0x1p20))
		n = floor(powers_log(unit) / log_stay);
	return n < 0x1p53 ? 1 + (uint64_t)n : (uint64_t)1 << 53;
}

// For shapes of 1 and more.
static double gamma_above(const struct draw_tables *tables, double shape, struct tr_random *random)
{
	const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

	for (;;) {
		double x = draw_normal(tables, random), root = 1 + c * x, v = root * root * root;

		if (v > 0 && powers_log(tr_random_unit(random)) <
				     0.5 * x * x + d - d * v + d * powers_log(v))
			return d * v;
	}
}

double draw_gamma(const struct draw_tables *tables, double shape, struct tr_random *random)
{
	if (shape >= 1)
		return gamma_above(tables, shape, random);
	double larger = gamma_above(tables, shape + 1, random);

	return larger * powers_of(tr_random_unit(random), 1 / shape);
}

uint64_t draw_geometric(double mean, struct tr_random *random)
{
	return draw_geometric_log(mean <= 1 ? 0 : powers_log1p(-1 / mean), random);
}
