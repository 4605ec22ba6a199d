// SPDX-License-Identifier: GPL-3.0-or-later
// Which section speaks for which node, and whether that can be.
#include "gen/streams_model.h"

bool streams_has_controller(const struct streams_model *model)
{
	for (size_t i = 0; i < model->count; i++)
		if (model->sections[i].who == STREAMS_CONTROLLER || model->sections[i].to_controller > 0)
			return true;
	return false;
}

// How closely the section speaks of the node; 0: not at all.
static int closeness(const struct streams_section *section, uint32_t node, bool controller)
{
	switch (section->who) {
	case STREAMS_NODE: return section->node == node ? 3 : 0;
	case STREAMS_CONTROLLER: return controller ? 2 : 0;
	case STREAMS_WORKER: return controller ? 0 : 2;
	case STREAMS_EACH: return 1;
	case STREAMS_PAIR:
	case STREAMS_NETWORK: break;
	}
	return 0;
}

const struct streams_section *streams_section_of(const struct streams_model *model, uint32_t node, enum tr_class class)
{
	const bool controller = node == 0 && streams_has_controller(model);
	const struct streams_section *found = NULL;
	int best = 0;

	for (size_t i = 0; i < model->count; i++) {
		const struct streams_section *section = &model->sections[i];
		int close = section->class == class ? closeness(section, node, controller) : 0;

		if (close > best) {
			best = close;
			found = section;
		}
	}
	return found;
}

bool streams_sends(const struct streams_model *model, const struct streams_section *section, uint32_t node)
{
	if (section->who != STREAMS_NETWORK)
		return streams_section_of(model, node, section->class) == section;
	return section->from_nodes.count == 0 || node_shares_of(&section->from_nodes, node) > 0;
}

bool streams_leads(const struct streams_section *section, const struct destinations *destinations, uint32_t node)
{
	return section->who == STREAMS_PAIR || section->to_nodes.count > 0 || destinations_lead(destinations, node);
}

// What the shares leave to others than the node must not be nothing.
static bool serves(const struct streams_section *section, uint32_t node)
{
	return section->to_nodes.count == 0 || node_shares_of_others(&section->to_nodes, node) > 0;
}

static bool shares_within(const struct node_shares *shares, uint64_t nodes)
{
	for (size_t i = 0; i < shares->count; i++)
		if (shares->each[i].node >= nodes)
			return false;
	return true;
}

// A node without a share of its own has all of them for others.
static bool serves_all(const struct streams_model *model, const struct streams_section *section)
{
	for (size_t i = 0; i < section->to_nodes.count; i++) {
		const uint32_t node = section->to_nodes.each[i].node;

		if (streams_sends(model, section, node) && !serves(section, node))
			return false;
	}
	return serves(section, UINT32_MAX);
}

enum tr_status streams_model_check(const struct streams_model *model, uint64_t nodes, struct tr_error *err)
{
	char name[STREAMS_NAME_BYTES];

	if (nodes < 2 || nodes > STREAMS_NODES_MAX)
		return tr_fail(err, "there must be 2 to %u nodes", STREAMS_NODES_MAX);
	for (size_t i = 0; i < model->count; i++) {
		const struct streams_section *section = &model->sections[i];

		streams_section_name(section, name);
		if (section->node >= nodes || section->to >= nodes || !shares_within(&section->from_nodes, nodes) ||
		    !shares_within(&section->to_nodes, nodes))
			return tr_fail(err, "[%s] speaks of a node beyond the %llu that there are", name,
				       (unsigned long long)nodes);
		if (!serves_all(model, section))
			return tr_fail(err, "[%s]: a node's packets go to no other node", name);
		if (section->from_nodes.count && !(node_shares_of_others(&section->from_nodes, UINT32_MAX) > 0))
			return tr_fail(err, "[%s]: the shares of from are all zero", name);
	}
	return TR_OK;
}
