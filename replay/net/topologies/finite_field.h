// SPDX-License-Identifier: GPL-3.0-or-later
// Finite fields of p^m elements, by the powers of a primitive element.
#ifndef NET_TOPOLOGIES_FINITE_FIELD_H
#define NET_TOPOLOGIES_FINITE_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "value/status.h"

#define NET_FIELD_PRIME_MAX 1023u

// Polynomials over the integers modulo p, of fewer than m terms; an element is a number with the
// coefficients as its digits to the base p. The caller closes it.
struct net_field {
	uint32_t p;
	uint32_t size;	  // p^m
	uint32_t *powers; // of a primitive element, from its power 0: size - 1 of them
};

// Whether q is a prime power, then p^m.
bool net_field_split(uint32_t q, uint32_t *p, uint32_t *m);

// The field of p^m elements, p a prime up to NET_FIELD_PRIME_MAX. TR_ERROR where memory runs out.
enum tr_status net_field_open(struct net_field *field, uint32_t p, uint32_t m,
			      struct tr_error *err);

// The sum of two elements.
uint32_t net_field_add(const struct net_field *field, uint32_t one, uint32_t other);

// Frees what it holds.
void net_field_close(struct net_field *field);

#endif
