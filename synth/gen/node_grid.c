// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/destinations.h"

#include <stdio.h>
#include <string.h>

#include "gen/packet_source.h"
#include "value/num.h"

struct grid_kind {
	const char *name;
	unsigned dimensions_max;
	bool closed;
};

static const struct grid_kind kinds[] = {
	{"mesh", NODE_GRID_DIMENSIONS_MAX, false},
	{"torus", NODE_GRID_DIMENSIONS_MAX, true},
	{"line", 1, false},
	{"ring", 1, true},
};

// "4x4".
static enum tr_status parse_sizes(char *rest, unsigned max, struct node_grid *out,
				  struct tr_error *err)
{
	for (out->dimensions = 0; rest; out->dimensions++) {
		const char *word = strsep(&rest, "x");
		uint64_t size;

		if (out->dimensions == max)
			return tr_fail(err, "more than %u dimension%s", max, max > 1 ? "s" : "");
		if (num_parse_count(word, 1, NODE_GRID_SIZE_MAX, &size, err) != TR_OK)
			return tr_fail_in(err, "expected sizes such as 4x4");
		out->sizes[out->dimensions] = (uint32_t)size;
	}
	return TR_OK;
}

// "hosts=4".
static enum tr_status parse_hosts(const char *word, struct node_grid *out, struct tr_error *err)
{
	static const char key[] = "hosts=";
	uint64_t hosts;

	if (strncmp(word, key, sizeof(key) - 1) != 0)
		return tr_fail(err, "expected hosts=, not \"%.40s\"", word);
	if (num_parse_count(word + sizeof(key) - 1, 1, NODE_GRID_SIZE_MAX, &hosts, err) != TR_OK)
		return tr_fail_in(err, "hosts");
	out->hosts = (uint32_t)hosts;
	return TR_OK;
}

static const struct grid_kind *node_grid_find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

enum tr_status node_grid_parse(const char *text, struct node_grid *out, struct tr_error *err)
{
	char words[NODE_GRID_TEXT_BYTES], *rest = words;
	const struct grid_kind *kind = kinds;

	*out = (struct node_grid){.hosts = 1};
	if (strlen(text) >= sizeof(words))
		return tr_fail(err, "\"%.40s...\" is too long", text);
	memcpy(words, text, strlen(text) + 1);
	if (strchr(rest, ':')) {
		const char *name = strsep(&rest, ":");

		kind = node_grid_find_kind(name);
		if (!kind)
			return tr_fail(err, "expected mesh, torus, line or ring, found \"%.40s\"",
				       name);
	}
	out->closed = kind->closed;
	if (parse_sizes(strsep(&rest, ","), kind->dimensions_max, out, err) != TR_OK)
		return TR_ERROR;
	return rest ? parse_hosts(rest, out, err) : TR_OK;
}

const char *node_grid_format(const struct node_grid *grid, char out[NODE_GRID_TEXT_BYTES])
{
	size_t n = (size_t)snprintf(out, NODE_GRID_TEXT_BYTES, "%s", grid->closed ? "torus:" : "");

	for (unsigned x = 0; x < grid->dimensions; x++)
		n += (size_t)snprintf(out + n, NODE_GRID_TEXT_BYTES - n, "%s%u", x ? "x" : "",
				      grid->sizes[x]);
	if (grid->hosts != 1)
		(void)snprintf(out + n, NODE_GRID_TEXT_BYTES - n, ",hosts=%u", grid->hosts);
	return out;
}

uint64_t node_grid_nodes(const struct node_grid *grid)
{
	uint64_t nodes = grid->hosts;

	for (unsigned x = 0; x < grid->dimensions && nodes <= UINT32_MAX; x++)
		nodes *= grid->sizes[x];
	return nodes;
}

uint64_t node_grid_reach(const struct node_grid *grid)
{
	uint64_t steps = 0;

	for (unsigned x = 0; x < grid->dimensions; x++)
		steps += grid->sizes[x] / 2;
	return steps;
}

// A switch, and the number of others at each distance.
struct surroundings {
	uint32_t place[NODE_GRID_DIMENSIONS_MAX];
	// [x][k]: those at distance k that differ in no dimension before x.
	uint32_t count[NODE_GRID_DIMENSIONS_MAX + 1][NODE_GRID_STEPS_MAX + 1];
};

// Number of places at this distance from place in dimension x alone: 0, 1 or 2.
static uint32_t count_along(const struct node_grid *grid, unsigned x, uint32_t place,
			    uint32_t steps)
{
	const uint32_t size = grid->sizes[x];

	if (steps == 0)
		return 1;
	if (grid->closed)
		return 2 * steps < size ? 2 : 2 * steps == size;
	return (steps <= place ? 1u : 0u) + (steps < size - place ? 1u : 0u);
}

// The place with this index among them, the one before place first.
static uint32_t step_along(const struct node_grid *grid, unsigned x, uint32_t place, uint32_t steps,
			   uint32_t number)
{
	const uint32_t size = grid->sizes[x];

	if (grid->closed)
		return (place + (number == 0 ? size - steps : steps)) % size;
	return number == 0 && steps <= place ? place - steps : place + steps;
}

// Counts only as needed for this number of steps: the first dimension's for no other.
static void look_around(const struct node_grid *grid, uint32_t at, uint32_t steps,
			struct surroundings *out)
{
	const unsigned last = grid->dimensions - 1;

	for (unsigned x = 0; x <= last; at /= grid->sizes[x++])
		out->place[x] = at % grid->sizes[x];
	memset(out->count[last + 1], 0, (steps + 1) * sizeof(*out->count[0]));
	out->count[last + 1][0] = 1;
	for (uint32_t k = 0; k <= steps; k++)
		out->count[last][k] = count_along(grid, last, out->place[last], k);
	for (unsigned x = last; x-- > 0;)
		for (uint32_t k = x > 0 ? 0 : steps; k <= steps; k++) {
			out->count[x][k] = 0;
			for (uint32_t i = 0; i <= k; i++)
				out->count[x][k] += count_along(grid, x, out->place[x], i) *
						    out->count[x + 1][k - i];
		}
}

// The switch with this index among those at this distance; those further in the first dimension
// come first.
static uint32_t find_switch(const struct node_grid *grid, const struct surroundings *around,
			    uint32_t steps, uint32_t number)
{
	uint32_t at = 0, stride = 1;

	for (unsigned x = 0; x < grid->dimensions; stride *= grid->sizes[x++]) {
		const uint32_t *behind = around->count[x + 1], place = around->place[x];
		uint32_t here = steps, all;

		while (number >= (all = count_along(grid, x, place, here) * behind[steps - here])) {
			number -= all;
			here--;
		}
		steps -= here;
		at += step_along(grid, x, place, here, number / behind[steps]) * stride;
		number %= behind[steps];
	}
	return at;
}

uint32_t node_grid_draw(const struct node_grid *grid, uint32_t self, uint32_t steps, bool sender,
			struct tr_random *random)
{
	const uint32_t hosts = grid->hosts, at = self / hosts;
	struct surroundings around;

	if (steps == 0)
		return source_draw_other(random, at * hosts, hosts, sender ? UINT32_MAX : self);
	look_around(grid, at, steps, &around);
	const uint64_t number = tr_random_below(random, (uint64_t)around.count[0][steps] * hosts);

	return find_switch(grid, &around, steps, (uint32_t)(number / hosts)) * hosts +
	       (uint32_t)(number % hosts);
}
