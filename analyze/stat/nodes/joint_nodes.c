// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/nodes/joint_nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat/nodes/discovery.h"
#include "value/grow.h"

#define ABSENT UINT32_MAX // from the set
#define LABEL_BYTES 32	  // of a node without a name

// The number in the set of each node of a trace, by rank; label: to be entered if it is absent.
struct placing {
	const struct node_side *side;
	const struct node_bytes *nodes;
	size_t count;
	uint32_t *numbers;
};

static enum tr_role side_role(const struct node_side *side, uint32_t node)
{
	return side->roles && node < side->role_count ? (enum tr_role)side->roles[node]
						      : TR_ROLE_UNKNOWN;
}

// The node's name, NULL if it has none.
static const char *side_name(const struct node_side *side, uint32_t node)
{
	if (!side->names ||
	    (node < side->names->node_count && !tr_names_find_node(side->names, node)))
		return NULL;
	return node < side->names->node_count || node >= DISCOVERY_NODE
		       ? discovery_node_name(side->names, node)
		       : NULL;
}

static enum tr_status enter_joint_node(struct joint_nodes *joint, const struct node_side *side,
				       uint32_t node, uint32_t *number, struct tr_error *err)
{
	char label[LABEL_BYTES];
	const char *name = side_name(side, node);

	if (!GROW(joint->nodes, joint->capacity, joint->count))
		return tr_no_memory(err, "%zu nodes", joint->count);
	(void)snprintf(label, sizeof(label), "node%u", node);
	*number = (uint32_t)joint->count;
	joint->nodes[joint->count] = (struct joint_node){strdup(name ? name : label),
							 side_role(side, node), *number};
	return joint->nodes[joint->count++].label ? TR_OK
						  : tr_no_memory(err, "%zu nodes", joint->count);
}

static int by_label(const void *a, const void *b)
{
	const struct joint_node *x = a, *y = b;

	return strcmp(x->label, y->label);
}

// Finds the nodes by name; returns how many were found. TR_ERROR if out of memory.
static enum tr_status place_by_name(const struct joint_nodes *joint, struct placing *placing,
				    size_t *found, struct tr_error *err)
{
	struct joint_node *sorted = calloc(joint->count + 1, sizeof(*sorted));

	*found = 0;
	if (!sorted)
		return tr_no_memory(err, "%zu nodes", joint->count);
	for (size_t i = 0; i < joint->count; i++)
		sorted[i] = joint->nodes[i];
	qsort(sorted, joint->count, sizeof(*sorted), by_label);
	for (size_t i = 0; i < placing->count; i++) {
		const char *name = side_name(placing->side, placing->nodes[i].node);
		const struct joint_node wanted = {.label = (char *)(uintptr_t)name};
		const struct joint_node *at = name ? bsearch(&wanted, sorted, joint->count,
							     sizeof(*sorted), by_label)
						   : NULL;

		placing->numbers[i] = at ? at->number : ABSENT;
		*found += at && strcmp(name, "multicast") != 0;
	}
	free(sorted);
	return TR_OK;
}

// Whether both the first trace and this one have nodes of known roles.
static bool roles_known(const struct joint_nodes *joint, const struct placing *placing)
{
	bool first = false, other = false;

	for (size_t i = 0; i < joint->ranked_count; i++)
		first |= joint->nodes[joint->ranked[i]].role != TR_ROLE_UNKNOWN;
	for (size_t i = 0; i < placing->count; i++)
		other |= side_role(placing->side, placing->nodes[i].node) != TR_ROLE_UNKNOWN;
	return first && other;
}

// The k-th node of each role, or of all, is the first trace's k-th.
static void place_by_rank(const struct joint_nodes *joint, struct placing *placing, bool by_role)
{
	size_t next[TR_ROLE_WORKER + 1] = {0};

	for (size_t i = 0; i < placing->count; i++) {
		const enum tr_role role = by_role ? side_role(placing->side, placing->nodes[i].node)
						  : TR_ROLE_UNKNOWN;
		size_t at = next[role];

		while (by_role && at < joint->ranked_count &&
		       joint->nodes[joint->ranked[at]].role != role)
			at++;
		placing->numbers[i] = at < joint->ranked_count ? joint->ranked[at] : ABSENT;
		next[role] = at + 1;
	}
}

static enum tr_status enter_absent_nodes(struct joint_nodes *joint, struct placing *placing,
					 struct tr_error *err)
{
	for (size_t i = 0; i < placing->count; i++)
		if (placing->numbers[i] == ABSENT &&
		    enter_joint_node(joint, placing->side, placing->nodes[i].node,
				     &placing->numbers[i], err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// Keeps the order of the first trace's nodes.
static enum tr_status keep_ranks(struct joint_nodes *joint, const struct placing *placing,
				 struct tr_error *err)
{
	joint->ranked = calloc(placing->count + 1, sizeof(*joint->ranked));
	if (!joint->ranked)
		return tr_no_memory(err, "%zu nodes", placing->count);
	memcpy(joint->ranked, placing->numbers, placing->count * sizeof(*joint->ranked));
	joint->ranked_count = placing->count;
	return TR_OK;
}

struct renaming {
	uint32_t node, number;
};

static int by_old_number(const void *a, const void *b)
{
	const struct renaming *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

static uint32_t new_number(const struct renaming *list, size_t count, uint32_t node)
{
	const struct renaming wanted = {.node = node},
			      *at = bsearch(&wanted, list, count, sizeof(*list), by_old_number);

	return at->number;
}

static enum tr_status copy_matrix(const struct placing *placing, struct matrix *out,
				  struct tr_error *err)
{
	const struct matrix *matrix = placing->side->matrix;
	struct renaming *list = calloc(placing->count + 1, sizeof(*list));
	enum tr_status status = list ? TR_OK : tr_no_memory(err, "%zu nodes", placing->count);

	for (size_t i = 0; i < placing->count && status == TR_OK; i++)
		list[i] = (struct renaming){placing->nodes[i].node, placing->numbers[i]};
	if (status == TR_OK)
		qsort(list, placing->count, sizeof(*list), by_old_number);
	for (size_t i = 0; i < matrix->pairs && status == TR_OK; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];

		status = matrix_reserve(out, err);
		if (status == TR_OK)
			matrix_add(out, new_number(list, placing->count, cell->src),
				   new_number(list, placing->count, cell->dst), cell->packets,
				   cell->size_bytes);
	}
	out->rest = matrix->rest;
	free(list);
	return status;
}

static enum tr_status place_side_nodes(struct joint_nodes *joint, struct placing *placing,
				       enum node_basis *basis, struct tr_error *err)
{
	const bool first = !joint->ranked;
	size_t found = 0;

	if (place_by_name(joint, placing, &found, err) != TR_OK)
		return TR_ERROR;
	*basis = NODES_BY_NAME;
	if (!first && found == 0 && placing->count > 0) {
		*basis = roles_known(joint, placing) ? NODES_BY_ROLE : NODES_BY_TRAFFIC;
		place_by_rank(joint, placing, *basis == NODES_BY_ROLE);
	}
	if (enter_absent_nodes(joint, placing, err) != TR_OK)
		return TR_ERROR;
	return first ? keep_ranks(joint, placing, err) : TR_OK;
}

enum tr_status joint_nodes_add(struct joint_nodes *joint, const struct node_side *side,
			       struct matrix *renamed, enum node_basis *basis, struct tr_error *err)
{
	struct placing placing = {.side = side};
	struct node_bytes *nodes = matrix_nodes(side->matrix, &placing.count);
	enum tr_status status;

	placing.nodes = nodes;
	placing.numbers = calloc(placing.count + 1, sizeof(*placing.numbers));
	status = nodes && placing.numbers ? place_side_nodes(joint, &placing, basis, err)
					  : tr_no_memory(err, "%zu nodes", placing.count);
	if (status == TR_OK)
		status = copy_matrix(&placing, renamed, err);
	free(placing.numbers);
	free(nodes);
	return status;
}

const char *joint_nodes_label(const struct joint_nodes *joint, uint32_t number)
{
	return number < joint->count ? joint->nodes[number].label : "?";
}

void joint_nodes_clear(struct joint_nodes *joint)
{
	for (size_t i = 0; i < joint->count; i++)
		free(joint->nodes[i].label);
	free(joint->nodes);
	free(joint->ranked);
	*joint = (struct joint_nodes){.count = 0};
}
