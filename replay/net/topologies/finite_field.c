// SPDX-License-Identifier: GPL-3.0-or-later
// The powers of x modulo a polynomial of degree m under which they go through all elements but 0;
// polynomials are tried in order until one is so.
#include "net/topologies/finite_field.h"

#include <stdlib.h>

bool net_field_split(uint32_t q, uint32_t *p, uint32_t *m)
{
	*p = 2;
	while (*p <= q / *p && q % *p != 0)
		++*p;
	if (q < 2)
		return false;
	if (q % *p != 0)
		*p = q;
	for (*m = 0; q % *p == 0; q /= *p)
		++*m;
	return q == 1;
}

// x times an element, where x^digits is the element rest.
static uint32_t field_times_x(const struct net_field *field, uint32_t element,
			      const uint32_t *rest_times)
{
	const uint32_t top = field->size / field->p;
	const uint32_t over = rest_times[element / top];
	uint32_t sum = 0;
	uint32_t left = element % top * field->p;

	for (uint32_t scale = 1, o = over; scale < field->size;
	     scale *= field->p, left /= field->p, o /= field->p)
		sum += scale * ((left % field->p + o % field->p) % field->p);
	return sum;
}

// Fills in the powers of x where x^digits = rest; false where they come back to 1 too early, or
// never.
static bool field_fill_powers(struct net_field *field, uint32_t rest)
{
	uint32_t rest_times[NET_FIELD_PRIME_MAX + 1] = {0}; // by 0 .. p - 1
	uint32_t element = 1;

	for (uint32_t factor = 1; factor < field->p; factor++)
		for (uint32_t scale = 1, r = rest; scale < field->size;
		     scale *= field->p, r /= field->p)
			rest_times[factor] += scale * (r % field->p * factor % field->p);
	for (uint32_t i = 0; i < field->size - 1; i++) {
		if (i > 0 && element <= 1)
			return false;
		field->powers[i] = element;
		element = field_times_x(field, element, rest_times);
	}
	return element == 1;
}

static void field_find_powers(struct net_field *field)
{
	uint32_t rest = 1;

	while (rest % field->p == 0 || !field_fill_powers(field, rest))
		rest++;
}

uint32_t net_field_add(const struct net_field *field, uint32_t one, uint32_t other)
{
	uint32_t sum = 0;

	for (uint32_t scale = 1; scale < field->size;
	     scale *= field->p, one /= field->p, other /= field->p)
		sum += scale * ((one % field->p + other % field->p) % field->p);
	return sum;
}

enum tr_status net_field_open(struct net_field *field, uint32_t p, uint32_t m, struct tr_error *err)
{
	*field = (struct net_field){.p = p, .size = 1};
	for (uint32_t digit = 0; digit < m; digit++)
		field->size *= p;
	field->powers = calloc(field->size, sizeof(*field->powers));
	if (!field->powers)
		return tr_no_memory(err, "a field of %u elements", field->size);
	field_find_powers(field);
	return TR_OK;
}

void net_field_close(struct net_field *field)
{
	free(field->powers);
	*field = (struct net_field){0};
}
