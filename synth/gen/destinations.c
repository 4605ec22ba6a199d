// SPDX-License-Identifier: GPL-3.0-or-later
// Bits and digits are as in Dally and Towles 2004: destination bit i is bit f(i) of the source's
// number of b bits, or its digit x is a function of the source's digit of size k. Transposition and
// complement are of rows, columns and numbers, which is the same for powers of two.
#include "gen/destinations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/packet_source.h"

struct destination_pattern {
	const char *name;
	uint32_t (*draw)(const struct destinations *d, uint32_t self, struct tr_random *random);
	// TR_ERROR with the reason where it does not fit the nodes; else sets derived fields. NULL:
	// it always fits.
	enum tr_status (*fit)(struct destinations *d, struct tr_error *why);
	// Prepares the draws, after fit. NULL: nothing.
	enum tr_status (*make)(struct destinations *d, const struct destinations_model *in,
			       uint64_t seed, struct tr_error *why);
	const char *words; // "packets go to ..."
	void (*also)(const struct destinations_model *d,
		     FILE *out); // describes its keys; NULL: nothing
};

// The node that packets of self must not go to; not below nodes if they may go to all.
static uint32_t left_out(const struct destinations *d, uint32_t self)
{
	return d->sender ? d->nodes : self;
}

static uint32_t to_others(const struct destinations *d, uint32_t self, struct tr_random *random)
{
	return source_draw_other(random, 0, d->nodes, left_out(d, self));
}

static uint32_t to_hot_spot(const struct destinations *d, uint32_t self, struct tr_random *random)
{
	if (left_out(d, self) != d->hot_node && tr_random_unit(random) < d->hot_share)
		return d->hot_node;
	return to_others(d, self, random);
}

static uint32_t to_shift(const struct destinations *d, uint32_t self, struct tr_random *random)
{
	(void)random;
	return (uint32_t)(((uint64_t)self + d->shift) % d->nodes);
}

static uint32_t to_complement(const struct destinations *d, uint32_t self, struct tr_random *random)
{
	(void)random;
	return d->nodes - 1 - self;
}

static uint32_t to_transpose(const struct destinations *d, uint32_t self, struct tr_random *random)
{
	(void)random;
	return self % d->side * d->side + self / d->side;
}

// f(i) = b - 1 - i.
static uint32_t to_bit_reversal(const struct destinations *d, uint32_t self,
				struct tr_random *random)
{
	uint32_t node = 0;

	(void)random;
	for (unsigned i = 0; i < d->bits; i++)
		node |= (self >> i & 1) << (d->bits - 1 - i);
	return node;
}

// f(i) = i - 1 modulo b: the perfect shuffle of cards.
static uint32_t to_shuffle(const struct destinations *d, uint32_t self, struct tr_random *random)
{
	(void)random;
	return (self << 1 | self >> (d->bits - 1)) & (d->nodes - 1);
}

// f(i) = i + 1 modulo b.
static uint32_t to_bit_rotation(const struct destinations *d, uint32_t self,
				struct tr_random *random)
{
	(void)random;
	return self >> 1 | (self & 1) << (d->bits - 1);
}

// The highest and the lowest bit are swapped (Duato, Yalamanchili and Ni).
static uint32_t to_butterfly(const struct destinations *d, uint32_t self, struct tr_random *random)
{
	const uint32_t differ = (self >> (d->bits - 1) ^ self) & 1;

	(void)random;
	return self ^ (differ << (d->bits - 1) | differ);
}

// The node at the same place on the switch whose digits are greater by more, modulo their size.
static uint32_t add_to_digits(const struct destinations *d, uint32_t self,
			      uint32_t (*more)(uint32_t size))
{
	const struct node_grid *shape = &d->shape;
	uint32_t at = self / shape->hosts, to = 0, stride = 1;

	for (unsigned x = 0; x < shape->dimensions; x++) {
		const uint32_t size = shape->sizes[x];

		to += (at % size + more(size)) % size * stride;
		stride *= size;
		at /= size;
	}
	return to * shape->hosts + self % shape->hosts;
}

static uint32_t one_more(uint32_t size)
{
	(void)size;
	return 1;
}

// The farthest distance for which shortest routes around a ring all go the same way.
static uint32_t half_less_one(uint32_t size)
{
	return (size + 1) / 2 - 1;
}

static uint32_t to_neighbour(const struct destinations *d, uint32_t self, struct tr_random *random)
{
	(void)random;
	return add_to_digits(d, self, one_more);
}

static uint32_t to_tornado(const struct destinations *d, uint32_t self, struct tr_random *random)
{
	(void)random;
	return add_to_digits(d, self, half_less_one);
}

static uint32_t to_nearest(const struct destinations *d, uint32_t self, struct tr_random *random)
{
	return node_grid_draw(&d->shape, self, 1, d->sender, random);
}

static uint32_t to_distance(const struct destinations *d, uint32_t self, struct tr_random *random)
{
	return node_grid_draw(&d->shape, self, (uint32_t)alias_draw(&d->distances, random),
			      d->sender, random);
}

static uint32_t to_permutation(const struct destinations *d, uint32_t self,
			       struct tr_random *random)
{
	(void)random;
	return d->to[self];
}

static enum tr_status fit_hot_node(struct destinations *d, struct tr_error *why)
{
	return d->hot_node < d->nodes
		       ? TR_OK
		       : tr_fail(why, "hot-node: node %u is not one of %u", d->hot_node, d->nodes);
}

static enum tr_status fit_shift(struct destinations *d, struct tr_error *why)
{
	return d->shift % d->nodes != 0
		       ? TR_OK
		       : tr_fail(why, "shift: %u is a multiple of %u nodes", d->shift, d->nodes);
}

static enum tr_status fit_square(struct destinations *d, struct tr_error *why)
{
	d->side = (uint32_t)(sqrt((double)d->nodes) + 0.5);
	return d->side * d->side == d->nodes ? TR_OK
					     : tr_fail(why, "%u nodes are not a square", d->nodes);
}

static enum tr_status fit_bits(struct destinations *d, struct tr_error *why)
{
	d->bits = (unsigned)__builtin_ctz(d->nodes);
	return d->nodes == UINT32_C(1) << d->bits
		       ? TR_OK
		       : tr_fail(why, "%u nodes are not a power of two", d->nodes);
}

static enum tr_status fit_shape(struct destinations *d, struct tr_error *why)
{
	if (d->shape.dimensions == 0)
		d->shape = (struct node_grid){.sizes = {d->nodes}, .dimensions = 1, .hosts = 1};
	const uint64_t nodes = node_grid_nodes(&d->shape);

	return nodes == d->nodes ? TR_OK
				 : tr_fail(why, "the shape has %llu nodes, not %u",
					   (unsigned long long)nodes, d->nodes);
}

static enum tr_status fit_switches(struct destinations *d, struct tr_error *why)
{
	if (fit_shape(d, why) != TR_OK)
		return TR_ERROR;
	return node_grid_reach(&d->shape) > 0 ? TR_OK
					      : tr_fail(why, "the shape has only one switch");
}

// Fisher and Yates' shuffle, uniform over all permutations.
static void shuffle_nodes(uint32_t *to, uint32_t nodes, uint64_t seed)
{
	struct tr_random random;

	tr_random_open(&random, seed, "permutation");
	for (uint32_t i = 0; i < nodes; i++)
		to[i] = i;
	for (uint32_t i = nodes; i > 1; i--) {
		uint32_t k = (uint32_t)tr_random_below(&random, i), held = to[i - 1];

		to[i - 1] = to[k];
		to[k] = held;
	}
}

static enum tr_status make_permutation(struct destinations *d, const struct destinations_model *in,
				       uint64_t seed, struct tr_error *why)
{
	if (in->to && in->to_count != d->nodes)
		return tr_fail(why, "the permutation has %zu nodes, not %u", in->to_count,
			       d->nodes);
	d->to = calloc(d->nodes, sizeof(*d->to));
	if (!d->to)
		return tr_no_memory(why, "%u nodes", d->nodes);
	if (in->to)
		memcpy(d->to, in->to, d->nodes * sizeof(*d->to));
	else
		shuffle_nodes(d->to, d->nodes, seed);
	return TR_OK;
}

// Rejects a distance at which some node has no other node, since that share would be impossible.
static enum tr_status check_distance(const struct destinations *d, size_t steps,
				     struct tr_error *why)
{
	const uint64_t reach = node_grid_reach(&d->shape);

	if (steps > reach)
		return tr_fail(why,
			       "distance %zu: some nodes have no other node at this distance; all "
			       "have one up to distance %llu",
			       steps, (unsigned long long)reach);
	if (steps == 0 && d->shape.hosts == 1 && !d->sender)
		return tr_fail(
			why,
			"distance 0: each node is alone on its switch and does not send to itself");
	return TR_OK;
}

static enum tr_status make_distances(struct destinations *d, const struct destinations_model *in,
				     uint64_t seed, struct tr_error *why)
{
	const size_t count = in->distance_count;
	double *weights = calloc(count + 1, sizeof(*weights));
	enum tr_status status = weights ? TR_OK : tr_no_memory(why, "the distances");

	(void)seed;
	if (status == TR_OK && count == 0)
		status = tr_fail(why, "the key distances is missing");
	for (size_t i = 0; status == TR_OK && i < count; i++) {
		weights[i] = num_value(in->distances[i]);
		if (weights[i] > 0)
			status = check_distance(d, i, why);
	}
	if (status == TR_OK)
		status = alias_make(&d->distances, weights, count, why);
	free(weights);
	return status;
}

static void tell_hot_node(const struct destinations_model *d, FILE *out)
{
	fprintf(out, " (node %llu, %.6g %%)", (unsigned long long)d->hot_node, 100 * d->hot_share);
}

static void tell_shift(const struct destinations_model *d, FILE *out)
{
	fprintf(out, " of %llu", (unsigned long long)d->shift);
}

static void tell_shape(const struct destinations_model *d, FILE *out)
{
	char shape[NODE_GRID_TEXT_BYTES];

	if (d->shape.dimensions > 0)
		fprintf(out, "; the nodes are %s", node_grid_format(&d->shape, shape));
}

static void tell_distances(const struct destinations_model *d, FILE *out)
{
	for (size_t i = 0; i < d->distance_count; i++)
		fprintf(out, "%s%.6g %% %s %zu", i ? ", " : " (", 100 * num_value(d->distances[i]),
			i ? "at" : "at distance", i);
	fputs(")", out);
	tell_shape(d, out);
}

static void tell_source(const struct destinations_model *d, FILE *out)
{
	fputs(d->to ? ", as the model says" : ", drawn from the seed", out);
}

static const struct destination_pattern patterns[] = {
	{"uniform", to_others, NULL, NULL, "any other node with equal probability", NULL},
	{"hot-spot", to_hot_spot, fit_hot_node, NULL,
	 "the hot node for a share of packets, otherwise any other node", tell_hot_node},
	{"shift", to_shift, fit_shift, NULL, "the node at a fixed shift", tell_shift},
	{"complement", to_complement, NULL, NULL,
	 "the node at the same distance from the other end", NULL},
	{"transpose", to_transpose, fit_square, NULL, "the node with row and column exchanged",
	 NULL},
	{"bit-reversal", to_bit_reversal, fit_bits, NULL,
	 "the node whose number has the bits in reverse order", NULL},
	{"shuffle", to_shuffle, fit_bits, NULL,
	 "perfect shuffle: the node whose number has the bits rotated up by one", NULL},
	{"bit-rotation", to_bit_rotation, fit_bits, NULL,
	 "the node whose number has the bits rotated down by one", NULL},
	{"butterfly", to_butterfly, fit_bits, NULL,
	 "the node whose number has the highest and lowest bit exchanged", NULL},
	{"neighbour", to_neighbour, fit_shape, NULL,
	 "the next node in each dimension, with wraparound", tell_shape},
	{"nearest", to_nearest, fit_switches, NULL,
	 "any node one step away in the grid, with equal probability", tell_shape},
	{"tornado", to_tornado, fit_shape, NULL,
	 "the node just short of halfway round in each dimension", tell_shape},
	{"permutation", to_permutation, NULL, make_permutation, "a permutation of the nodes",
	 tell_source},
	{"by-distance", to_distance, fit_shape, make_distances,
	 "any node at a randomly drawn distance", tell_distances},
};

#define PATTERNS (sizeof(patterns) / sizeof(*patterns))

struct destinations_model destinations_default(void)
{
	return (struct destinations_model){.pattern = patterns, .hot_share = 1, .shift = 1};
}

const struct destination_pattern *destination_pattern_find(const char *name)
{
	for (size_t i = 0; i < PATTERNS; i++)
		if (strcmp(patterns[i].name, name) == 0)
			return &patterns[i];
	return NULL;
}

const char *destination_pattern_name(const struct destination_pattern *pattern)
{
	return pattern->name;
}

void destination_pattern_names(char *out, size_t bytes)
{
	size_t n = 0;

	*out = '\0';
	for (size_t i = 0; i < PATTERNS && n < bytes; i++)
		n += (size_t)snprintf(out + n, bytes - n, "%s%s", i ? ", " : "", patterns[i].name);
}

enum tr_status destinations_open(struct destinations *out, const struct destinations_model *in,
				 uint32_t nodes, uint64_t seed, const struct model *model,
				 struct tr_error *err)
{
	struct tr_error why = {""};
	enum tr_status status = TR_OK;

	*out = (struct destinations){
		.pattern = in->pattern,
		.nodes = nodes,
		.hot_node = (uint32_t)in->hot_node,
		.hot_share = in->hot_share,
		.shift = (uint32_t)in->shift,
		.shape = in->shape,
		.sender = in->sender,
	};
	if (in->pattern->fit)
		status = in->pattern->fit(out, &why);
	if (status == TR_OK && in->pattern->make)
		status = in->pattern->make(out, in, seed, &why);
	if (status == TR_OK)
		return TR_OK;
	destinations_clear(out);
	return model_fail(model, model_find(model, "", "destinations"), err, "destinations %s: %s",
			  in->pattern->name, why.text);
}

uint32_t destinations_draw(const struct destinations *destinations, uint32_t self,
			   struct tr_random *random)
{
	return destinations->pattern->draw(destinations, self, random);
}

void destinations_draw_many(const struct destinations *destinations, uint32_t self,
			    struct tr_random *random, uint32_t *out, size_t count)
{
	if (destinations->pattern->draw == to_others) {
		source_draw_others(random, destinations->nodes, left_out(destinations, self), out,
				   count);
		return;
	}
	for (size_t i = 0; i < count; i++)
		out[i] = destinations_draw(destinations, self, random);
}

bool destinations_lead(const struct destinations *destinations, uint32_t self)
{
	struct tr_random any = {.key = {0, 0}}; // a pattern maps a node to itself always, or never

	return destinations->sender || destinations_draw(destinations, self, &any) != self;
}

void destinations_explain(const struct destinations_model *destinations, FILE *out)
{
	fputs(destinations->pattern->words, out);
	if (destinations->pattern->also)
		destinations->pattern->also(destinations, out);
	if (destinations->sender)
		fputs("; a node may send to itself", out);
}

void destinations_clear(struct destinations *destinations)
{
	free(destinations->to);
	alias_clear(&destinations->distances);
	*destinations = (struct destinations){0};
}
