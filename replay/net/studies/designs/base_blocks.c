// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/designs/base_blocks.h"

#include <stdio.h>
#include <string.h>

#include "net/topology/topology.h"
#include "value/num.h"

static enum tr_status take_object(struct net_base *base, uint32_t first, const char *word,
				  struct tr_error *err)
{
	uint32_t *length = &base->lengths[base->parts - 1];
	struct tr_error why;
	uint64_t object;

	if (num_parse_count(word, 0, base->switches - 1, &object, &why) != TR_OK)
		return tr_fail(err, "base block: %s", why.text);
	if (first + *length == NET_BASE_OBJECTS_MAX)
		return tr_fail(err, "base blocks of more than %u objects", NET_BASE_OBJECTS_MAX);
	for (uint32_t i = 0; i < *length; i++)
		if (base->objects[first + i] == object)
			return tr_fail(err, "base block: %llu is given twice",
				       (unsigned long long)object);
	base->objects[first + (*length)++] = (uint32_t)object;
	return TR_OK;
}

// Copies the next word of text, up to one of the ends, into word; returns what stands behind it.
static const char *base_blocks_cut(const char *text, const char *ends, char word[16])
{
	const size_t bytes = strcspn(text, ends);

	snprintf(word, 16, "%.*s", (int)(bytes < 15 ? bytes : 15), text);
	return text + bytes;
}

enum tr_status net_base_parse(struct net_base *base, uint32_t switches, const char *text,
			      struct tr_error *err)
{
	uint32_t first = 0;

	*base = (struct net_base){.switches = switches, .parts = 1};
	if (switches < 2 || switches > NET_BASE_SWITCHES_MAX)
		return tr_fail(err, "a block design has 2 to %u switches", NET_BASE_SWITCHES_MAX);
	for (;;) {
		char word[16];

		text = base_blocks_cut(text, "+-", word);
		if (take_object(base, first, word, err) != TR_OK)
			return TR_ERROR;
		if (*text != '-' && base->lengths[base->parts - 1] < 2)
			return tr_fail(err, "a base block has at least 2 objects");
		if (*text == '\0')
			return TR_OK;
		if (*text++ == '-')
			continue;
		if (base->parts == NET_BASE_PARTS_MAX)
			return tr_fail(err, "more than %u base blocks", NET_BASE_PARTS_MAX);
		first += base->lengths[base->parts++ - 1];
	}
}

const char *net_base_format(const struct net_base *base, char *out, size_t out_bytes)
{
	const uint32_t *object = base->objects;
	size_t used = 0;

	*out = '\0';
	for (uint32_t part = 0; part < base->parts; part++)
		for (uint32_t i = 0; i < base->lengths[part] && used < out_bytes; i++)
			used += (size_t)snprintf(out + used, out_bytes - used, "%s%u",
						 i > 0	    ? "-"
						 : part > 0 ? "+"
							    : "",
						 *object++);
	return out;
}

uint32_t net_base_degree(const struct net_base *base)
{
	uint32_t degree = 0;

	for (uint32_t part = 0; part < base->parts; part++)
		degree += 2 * (base->lengths[part] - 1);
	return degree;
}

uint32_t net_base_differences(const struct net_base *base)
{
	unsigned char seen[NET_BASE_SWITCHES_MAX / 2 + 1] = {0}; // by the smaller of d and s - d
	const uint32_t *objects = base->objects;
	uint32_t count = 0;

	for (uint32_t part = 0; part < base->parts; objects += base->lengths[part++])
		for (uint32_t i = 0; i < base->lengths[part]; i++)
			for (uint32_t j = 0; j < i; j++) {
				const uint32_t d = (base->switches + objects[i] - objects[j]) %
						   base->switches;
				const uint32_t folded = d < base->switches - d ? d
									       : base->switches - d;

				count += seen[folded] ? 0 : 2 * folded == base->switches ? 1 : 2;
				seen[folded] = 1;
			}
	return count;
}

enum tr_status net_base_budget(uint64_t switches, uint64_t ports, uint64_t hosts, uint32_t *degree,
			       uint32_t *objects, struct tr_error *err)
{
	const uint64_t all = switches * ports;

	if (switches < 2 || switches > NET_NODES_MAX || ports > NET_PORTS_MAX || hosts > all ||
	    (all - hosts) / switches < 2)
		return tr_fail(err,
			       "%llu switches of %llu ports with %llu hosts have no two ports each "
			       "for cables between them",
			       (unsigned long long)switches, (unsigned long long)ports,
			       (unsigned long long)hosts);
	*degree = (uint32_t)((all - hosts) / switches);
	*objects = *degree / 2 + 1;
	return TR_OK;
}
