// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the id of a node, flow or link by what it means: address, ends with protocol and ports,
// text.
#ifndef STREAM_NAME_INDEX_H
#define STREAM_NAME_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/names.h"
#include "value/hash.h"
#include "value/status.h"

#define TR_ID_NONE UINT32_MAX // no such entry

// Valid and empty if zero except for names, which is lent and must outlive the index. An entry
// whose name has changed since is no longer found.
struct tr_name_index {
	const struct tr_names *names;
	struct tr_hash nodes, flows, links; // to ids
};

// Enters the id of name (a node, flow or link that tr_names_set has put into names). If another id
// means the same, this one replaces it. TR_ERROR: out of memory.
enum tr_status tr_name_index_add(struct tr_name_index *index, const struct tr_name *name,
				 struct tr_error *err);

// The id last entered with the meaning of name, whose own id is ignored; TR_ID_NONE if there is
// none.
uint32_t tr_name_index_find(const struct tr_name_index *index, const struct tr_name *name);

// The name of an entry in the table, which lends the text. false if the id has none.
bool tr_name_of(const struct tr_names *names, enum tr_name_kind kind, uint32_t id,
		struct tr_name *out);

// The first id from this one on that may have a name of a kind, for a walk over all; UINT32_MAX for
// nodes and links if there is none.
uint32_t tr_name_next(const struct tr_names *names, enum tr_name_kind kind, uint32_t id);

// Frees what the index holds; it is empty afterwards.
void tr_name_index_clear(struct tr_name_index *index);

#endif
