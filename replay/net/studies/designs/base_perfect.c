// SPDX-License-Identifier: GPL-3.0-or-later
// Perfect difference sets of q + 1 objects modulo s = q^2 + q + 1, q = p^m a prime power, by Singer
// (1938). With a primitive element a of the field of q^3, they are the i below s for which the
// trace of a^i into the field of q, a^i + a^(i q) + a^(i q^2), is zero. Known values:
// (0 1 3) modulo 7, (0 1 3 9) modulo 13, (0 1 4 14 16) modulo 21.
#include "net/studies/designs/base_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "net/topologies/finite_field.h"

#define OBJECTS_MAX \
	252u // q = 251 is the largest prime power for which s is at most NET_BASE_SWITCHES_MAX

static bool is_prime_power(uint32_t q)
{
	uint32_t p, m;

	return net_field_split(q, &p, &m);
}

static bool has_trace_zero(const struct net_field *field, uint64_t i, uint64_t q)
{
	const uint32_t order = field->size - 1;

	return net_field_add(field,
			     net_field_add(field, field->powers[i], field->powers[i * q % order]),
			     field->powers[i * q % order * q % order]) == 0;
}

// f with f d = 1 modulo s, by Euclid's algorithm; 0 where d and s have a common factor.
static uint32_t inverse(uint32_t d, uint32_t s)
{
	int64_t a = d, b = s, of_a = 1, of_b = 0;

	while (b > 0) {
		const int64_t quotient = a / b, rest = a % b, of_rest = of_a - quotient * of_b;

		a = b;
		b = rest;
		of_a = of_b;
		of_b = of_rest;
	}
	return a == 1 ? (uint32_t)((of_a % s + s) % s) : 0;
}

static int base_perfect_ascend(const void *one, const void *other)
{
	const uint32_t a = *(const uint32_t *)one;
	const uint32_t b = *(const uint32_t *)other;

	return (a > b) - (a < b);
}

// Makes best the multiple and shift of set that is first in the order of the objects. It begins
// with 0 1, and of each multiple one shift does.
static void base_perfect_normalise(uint32_t switches, uint32_t count, const uint32_t *set,
				   uint32_t *best)
{
	uint32_t shifted[NET_BASE_OBJECTS_MAX];

	memset(best, 0xff, count * sizeof(*best));
	for (uint32_t pair = 0; pair < count * count; pair++) {
		const uint32_t low = set[pair / count];
		const uint32_t factor = inverse((set[pair % count] + switches - low) % switches,
						switches);

		if (factor == 0)
			continue;
		for (uint32_t i = 0; i < count; i++)
			shifted[i] = (uint32_t)((uint64_t)(set[i] + switches - low) * factor %
						switches);
		qsort(shifted, count, sizeof(*shifted), base_perfect_ascend);
		for (uint32_t i = 0; i < count; i++)
			if (shifted[i] != best[i]) {
				if (shifted[i] < best[i])
					memcpy(best, shifted, count * sizeof(*best));
				break;
			}
	}
}

static enum tr_status base_perfect_refuse(uint32_t switches, uint32_t objects, struct tr_error *err)
{
	uint32_t below = 2;
	uint32_t above;

	while ((below + 1) * (below + 1) + below + 2 <= switches)
		below++;
	above = below + 1;
	while (below > 2 && !is_prime_power(below))
		below--;
	while (!is_prime_power(above))
		above++;
	return tr_fail(err,
		       "no symmetric design of %u switches and blocks of %u: it exists for r^2 - r "
		       "+ 1 switches where r - 1 is a "
		       "prime power, the nearest are %u,%u and %u,%u",
		       switches, objects, below * below + below + 1, below + 1,
		       above * above + above + 1, above + 1);
}

enum tr_status net_base_perfect(struct net_base *base, uint32_t switches, uint32_t objects,
				struct tr_error *err)
{
	const uint32_t q = objects - 1;
	struct net_field field;
	uint32_t set[NET_BASE_OBJECTS_MAX];
	uint32_t count = 0;
	uint32_t p, m;

	*base = (struct net_base){.switches = switches, .parts = 1, .lengths = {objects}};
	if (objects < 3 || objects > OBJECTS_MAX || switches != q * q + q + 1 ||
	    !net_field_split(q, &p, &m))
		return base_perfect_refuse(switches, objects, err);
	if (net_field_open(&field, p, 3 * m, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < switches && count < objects; i++)
		if (has_trace_zero(&field, i, q))
			set[count++] = i;
	net_field_close(&field);
	if (count < objects)
		return tr_fail(err, "no difference set of %u objects modulo %u was found", objects,
			       switches);
	base_perfect_normalise(switches, count, set, base->objects);
	return TR_OK;
}
