// SPDX-License-Identifier: GPL-3.0-or-later
// Slim Fly (M. Besta and T. Hoefler, Slim Fly: a cost effective low-diameter network topology, SC
// 2014): the graphs of B. D. McKay, M. Miller and J. Siran (A note on large graphs of diameter two
// and given maximum degree, Journal of Combinatorial Theory B 74, 1998), in the form of P. R.
// Hafner (Geometric realisation of the graphs of McKay-Miller-Siran, the same, B 90, 2004), for a
// prime power q = 4w + d, d of -1, 0 or 1. Known values: q = 5 gives the graph of Hoffman and
// Singleton, 50 switches of degree 7.
//
// Over the field of q elements, with a primitive element a, switches are (0, x, y), number x q + y,
// and (1, m, c), number q^2 + m q + c. (0, x, y) and (0, x, y') are joined if y - y' is in X, (1,
// m, c) and (1, m, c') if c - c' is in a X, and (0, x, y) and (1, m, c) if y = m x + c. X are (q -
// d) / 2 powers of a: the even ones from 0 on, or with d = -1 the even ones below 2w and the odd
// ones from 2w - 1 on. Each switch has its hosts on ports 0 .. H-1, then the joined ones of its
// kind, then of the other, in the order of their numbers.
#include "net/topologies/topologies.h"

#include <stdlib.h>

#include "net/topologies/finite_field.h"

#define SLIMFLY_Q_MAX \
	223u // the next, 227, has more than NET_ALL_PORTS_MAX ports, with one host on each

struct slimfly {
	uint32_t q;
	uint32_t hosts;
	uint32_t inside; // of the degree, to switches of the same kind and x or m
	struct net_field field;
};

static bool slimfly_takes(uint32_t q)
{
	uint32_t p, m;

	return q >= 3 && q % 4 != 2 && net_field_split(q, &p, &m);
}

static uint32_t slimfly_inside(uint32_t q)
{
	return (q + 1) / 2 - (q % 4 == 1);
}

static enum tr_status slimfly_refuse(uint32_t q, struct tr_error *err)
{
	static const char expected[] = "expected a prime power 4w-1, 4w or 4w+1; the nearest";
	uint32_t below = q, above = q;

	while (below > 0 && !slimfly_takes(below))
		below--;
	while (!slimfly_takes(above))
		above++;
	return below == 0 ? tr_fail(err, "Q is %u, %s is %u", q, expected, above)
			  : tr_fail(err, "Q is %u, %s are %u and %u", q, expected, below, above);
}

// Element number i of the set X of the switches of a kind, 0 or 1.
static uint32_t slimfly_step(const struct slimfly *fly, uint32_t kind, uint32_t i)
{
	const uint32_t late = fly->q % 4 == 3 && i >= (fly->q + 1) / 4;

	return fly->field.powers[(2 * i - late + kind) % (fly->q - 1)];
}

// Joins the switches of a kind that have x, or m, in common; used has a place for each of them.
static void slimfly_lay_inside(struct net_builder *builder, const struct slimfly *fly,
			       uint32_t kind, uint32_t x, uint32_t *used)
{
	const uint32_t first = (kind * fly->q + x) * fly->q;
	unsigned char *joined = (unsigned char *)(used + fly->q);

	for (uint32_t y = 0; y < fly->q; y++)
		used[y] = fly->hosts;
	for (uint32_t y = 0; y < fly->q; y++) {
		for (uint32_t other = 0; other < fly->q; other++)
			joined[other] = 0;
		for (uint32_t i = 0; i < fly->inside; i++)
			joined[net_field_add(&fly->field, y, slimfly_step(fly, kind, i))] = 1;
		for (uint32_t other = y + 1; other < fly->q; other++)
			if (joined[other])
				net_build_cable(builder, first + y, used[y]++, first + other,
						used[other]++);
	}
}

// An element of the field by its place in the order 0, 1, a, a^2, ...
static uint32_t slimfly_element(const struct slimfly *fly, uint32_t place)
{
	return place == 0 ? 0 : fly->field.powers[place - 1];
}

// Joins each (1, m, c) to the (0, x, m x + c), for the m and the x at places of the order.
static void slimfly_lay_across(struct net_builder *builder, const struct slimfly *fly,
			       uint32_t at_m, uint32_t at_x)
{
	const uint32_t m = slimfly_element(fly, at_m), x = slimfly_element(fly, at_x);
	const uint32_t port = fly->hosts + fly->inside;
	const uint32_t product = at_m == 0 || at_x == 0
					 ? 0
					 : fly->field.powers[(at_m - 1 + at_x - 1) % (fly->q - 1)];

	for (uint32_t c = 0; c < fly->q; c++)
		net_build_cable(builder, x * fly->q + net_field_add(&fly->field, product, c),
				port + m, (fly->q + m) * fly->q + c, port + x);
}

static void slimfly_lay(struct net_builder *builder, const struct slimfly *fly, uint32_t *used)
{
	const uint32_t q = fly->q;

	for (uint32_t i = 0; i < 2 * q * q; i++) {
		net_build_hosts(builder, i * fly->hosts, fly->hosts, i);
		net_build_place_group(builder, i, (struct net_groups){q, q}, i / q % q, i / q >= q,
				      i % q);
	}
	for (uint32_t kind = 0; kind < 2; kind++)
		for (uint32_t x = 0; x < q; x++)
			slimfly_lay_inside(builder, fly, kind, x, used);
	for (uint32_t m = 0; m < q; m++)
		for (uint32_t x = 0; x < q; x++)
			slimfly_lay_across(builder, fly, m, x);
}

static enum tr_status slimfly_build(struct net_topology *topology, struct slimfly *fly,
				    struct tr_error *err)
{
	const uint64_t switches = 2 * (uint64_t)fly->q * fly->q;
	const uint64_t degree = fly->q + fly->inside;
	const struct net_size size = {.hosts = switches * fly->hosts,
				      .switches = switches,
				      .ports = degree + fly->hosts,
				      .cables = switches * fly->hosts + switches * degree / 2,
				      .placed = true};
	struct net_builder builder;
	uint32_t p, m, *used;

	(void)net_field_split(fly->q, &p, &m);
	if (net_build_open(&builder, topology, size, err) != TR_OK ||
	    net_field_open(&fly->field, p, m, err) != TR_OK)
		return TR_ERROR;
	used = calloc(fly->q, sizeof(*used) + 1);
	if (used)
		slimfly_lay(&builder, fly, used);
	free(used);
	net_field_close(&fly->field);
	return used ? TR_OK : tr_no_memory(err, "the topology");
}

static enum tr_status slimfly_make(struct net_topology *topology, struct net_args *args,
				   struct tr_error *err)
{
	const uint32_t q = net_args_count(args, 0, "size of the field (Q)", 1, SLIMFLY_Q_MAX);
	struct slimfly fly = {.q = q, .inside = slimfly_inside(q)};

	fly.hosts = net_args_option(args, "hosts", 1, NET_PORTS_MAX, (q + fly.inside + 1) / 2);
	if (net_args_end(args, err) != TR_OK)
		return TR_ERROR;
	if (!slimfly_takes(q))
		return slimfly_refuse(q, err);
	return slimfly_build(topology, &fly, err);
}

const struct net_generator net_slimfly = {
	"slimfly", "Q[,hosts=H]",
	"2 Q^2 switches of diameter 2, Q a prime power such as 5, 7, 8, 9, 11, 13, with H hosts "
	"(half as many as cables to switches) on each",
	slimfly_make};
