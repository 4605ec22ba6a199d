// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/draw.h"

#include <math.h>

// Right edge of the base layer and area of each of the 256 layers: the solutions of Marsaglia and
// Tsang's equation; tests/unit/draw checks that they are.
#define EXPONENTIAL_EDGE 7.69711747013104972
#define EXPONENTIAL_AREA 0.0039496598225815571993
#define NORMAL_EDGE 3.6541528853610088
#define NORMAL_AREA 0.00492867323399

static double density_exponential(double x)
{
	return exp(-x);
}

static double inverse_exponential(double f)
{
	return -log(f);
}

static double density_normal(double x)
{
	return exp(-0.5 * x * x);
}

static double inverse_normal(double f)
{
	return sqrt(-2.0 * log(f));
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
	stack_layers(&tables->exponential, EXPONENTIAL_EDGE, EXPONENTIAL_AREA,
		     density_exponential, inverse_exponential);
	stack_layers(&tables->normal, NORMAL_EDGE, NORMAL_AREA, density_normal, inverse_normal);
}

// The edge of layer i was passed: whether x lies below the density.
static int under_curve(const struct draw_ziggurat *z, unsigned i, double density,
		       struct tr_random *random)
{
	return z->f[i] + tr_random_unit(random) * (z->f[i + 1] - z->f[i]) < density;
}

double draw_exponential_edge(const struct draw_tables *tables, struct tr_random *random, unsigned i, double x)
{
	if (i == 0)
		return EXPONENTIAL_EDGE - log(tr_random_unit(random));
	if (under_curve(&tables->exponential, i, exp(-x), random))
		return x;
	return draw_exponential(tables, random);
}

void draw_exponentials(const struct draw_tables *tables, struct tr_random *random, double *out, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] = draw_exponential(tables, random);
}

// Beyond the edge (Marsaglia 1964).
static double normal_tail(struct tr_random *random)
{
	for (;;) {
		double x = -log(tr_random_unit(random)) / NORMAL_EDGE;
		double y = -log(tr_random_unit(random));

		if (2 * y > x * x)
			return NORMAL_EDGE + x;
	}
}

double draw_normal_edge(const struct draw_tables *tables, struct tr_random *random, unsigned i, double x,
			uint64_t sign)
{
	if (i == 0)
		return draw_signed(normal_tail(random), sign);
	if (under_curve(&tables->normal, i, exp(-0.5 * x * x), random))
		return draw_signed(x, sign);
	return draw_normal(tables, random);
}

uint64_t draw_geometric_log(double log_stay, struct tr_random *random)
{
	if (log_stay == 0)
		return 1;
	double n = floor(log(tr_random_unit(random)) / log_stay);

	return n < 0x1p53 ? 1 + (uint64_t)n : (uint64_t)1 << 53;
}

// For shapes of 1 and more.
static double gamma_above(const struct draw_tables *tables, double shape, struct tr_random *random)
{
	const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

	for (;;) {
		double x = draw_normal(tables, random), root = 1 + c * x, v = root * root * root;

		if (v > 0 && log(tr_random_unit(random)) < 0.5 * x * x + d - d * v + d * log(v))
			return d * v;
	}
}

double draw_gamma(const struct draw_tables *tables, double shape, struct tr_random *random)
{
	if (shape >= 1)
		return gamma_above(tables, shape, random);
	double larger = gamma_above(tables, shape + 1, random);

	return larger * pow(tr_random_unit(random), 1 / shape);
}

uint64_t draw_geometric(double mean, struct tr_random *random)
{
	return draw_geometric_log(mean <= 1 ? 0 : log1p(-1 / mean), random);
}
