// SPDX-License-Identifier: GPL-3.0-or-later
// The tables that give a stream's small integers their names: nodes, flows, links, counters.
#ifndef STREAM_NAMES_H
#define STREAM_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/id_pages.h"
#include "value/status.h"

enum tr_role { TR_ROLE_UNKNOWN = 0, TR_ROLE_CONTROLLER = 1, TR_ROLE_WORKER = 2 };

enum tr_name_kind {
	TR_NAME_NODE = 1,    // id, role, text = address
	TR_NAME_FLOW = 2,    // id, src, dst, protocol, ports
	TR_NAME_LINK = 3,    // id, text such as "host0>switch0.3"
	TR_NAME_COUNTER = 4, // text = key, value; the last value counts
	TR_NAME_NOTE = 5,    // text = lines that are added to the provenance
};

// One entry of the stream. text need not end with a zero byte.
struct tr_name {
	enum tr_name_kind kind;
	uint8_t role;
	uint8_t protocol;  // IP protocol number, TR_PROTOCOL_IB or TR_PROTOCOL_PAUSE
	uint32_t src_port; // of TR_PROTOCOL_IB the queue pair; 0 where there is none
	uint32_t dst_port;
	uint32_t id;
	uint32_t src;
	uint32_t dst;
	uint64_t value;
	const char *text;
	size_t text_bytes; // <= TR_NAME_TEXT_MAX (notes: TR_NOTE_TEXT_MAX)
};

// The protocol of flows of InfiniBand's transport, on its own links or over Ethernet (RoCE). IANA
// reserves the number, so no IP packet has it.
#define TR_PROTOCOL_IB 255u

// The protocol of flows of MAC control frames that ask the other end of their link to pause (IEEE
// 802.3 annex 31B, 802.1Qbb). IANA has not assigned the number. The source's port is the number of
// the link: 65536 times that of the capture among those merged, from 0, plus that of its interface;
// the destination's port is the pause in quanta of 512 bit times, 0 to go on. A record is no
// traffic of its nodes; its opcode has the classes.
#define TR_PROTOCOL_PAUSE 252u

// Counters, each of value 1 or more, whose keys say what a stream knows of the rate of a link that
// its pauses name: this, the link's number, a dot, the rate in bits a second.
#define TR_LINK_RATE "link_rate."

// Of a stream, unless tr_names.limits says otherwise.
#define TR_NODES_MAX 1048576u
#define TR_FLOWS_MAX 4194304u

#define TR_NAME_TEXT_MAX 255u
#define TR_NOTE_TEXT_MAX 4096u

struct tr_node {
	char *address; // zero-terminated; NULL where the id has no name yet
	uint8_t role;
};

struct tr_flow {
	uint32_t src;
	uint32_t dst;
	uint32_t src_port;
	uint32_t dst_port;
	uint8_t protocol;
	bool named;
};

struct tr_counter {
	char *key;
	uint64_t value;
};

// Bounds of the tables. Zero fields mean the defaults: 1,048,576 nodes, 4,194,304
// flows, 33,554,432 links. Counters: at most 256.
struct tr_names_limits {
	uint32_t nodes;
	uint32_t flows;
	uint32_t links;
};

// Zero is a valid empty one; change it only through the functions. The counts are those of ids up
// to the last that has a name; memory is that of ids with names, and of those near them.
struct tr_names {
	struct tr_names_limits limits;
	struct tr_id_pages nodes; // of struct tr_node
	struct tr_id_pages flows; // of struct tr_flow
	struct tr_id_pages links; // of char *
	struct tr_counter *counters;
	uint32_t node_count;
	uint32_t flow_count;
	uint32_t link_count;
	uint32_t counter_count;
};

// Enters a node, flow, link or counter (a note is ignored); text is copied. TR_ERROR (with the
// table unchanged) if an id is beyond the limit, a flow names an unnamed node or memory runs out.
enum tr_status tr_names_set(struct tr_names *names, const struct tr_name *name,
			    struct tr_error *err);

// Reads the number that a node's name says: of hostN, nodeN, rankN or N, in decimal; UINT32_MAX for
// larger ones. *word_bytes is the length of the word before it. Returns false if the name has not
// this form.
bool tr_name_number(const char *name, size_t *word_bytes, uint32_t *number);

// The node of an id, NULL if it has no name.
static inline const struct tr_node *tr_names_find_node(const struct tr_names *names, uint32_t id)
{
	const struct tr_node *node = tr_id_pages_at(&names->nodes, id, sizeof(*node));

	return node && node->address ? node : NULL;
}

// The flow of an id, NULL if it has no name.
static inline const struct tr_flow *tr_names_find_flow(const struct tr_names *names, uint32_t id)
{
	const struct tr_flow *flow = tr_id_pages_at(&names->flows, id, sizeof(*flow));

	return flow && flow->named ? flow : NULL;
}

// The flow's ports if it is one of pauses, else NULL.
static inline const struct tr_flow *tr_names_pause(const struct tr_names *names, uint32_t flow)
{
	const struct tr_flow *of = tr_names_find_flow(names, flow);

	return of && of->protocol == TR_PROTOCOL_PAUSE ? of : NULL;
}

// The name of a link, NULL if it has none.
static inline const char *tr_names_link(const struct tr_names *names, uint32_t id)
{
	char *const *link = tr_id_pages_at(&names->links, id, sizeof(*link));

	return link ? *link : NULL;
}

// The flow of an id below the count; one from nobody to nobody if it has no name.
const struct tr_flow *tr_names_flow(const struct tr_names *names, uint32_t id);

// Address of a node, "other" for TR_NODE_OTHER, "?" for an id without a name.
const char *tr_names_node(const struct tr_names *names, uint32_t node);

// The node's role, TR_ROLE_UNKNOWN if none was given.
enum tr_role tr_names_role(const struct tr_names *names, uint32_t node);

// Value of the counter, 0 if there is none.
uint64_t tr_names_counter(const struct tr_names *names, const char *key);

// Name of a role ("unknown", "controller", "worker").
const char *tr_role_name(enum tr_role role);

// Frees the tables; the struct is empty afterwards.
void tr_names_clear(struct tr_names *names);

// Whether the tables have exactly this entry; false for a note.
bool tr_names_has(const struct tr_names *names, const struct tr_name *name);

// Notes only that there is a flow of this id, which must be above those so far. A table with such
// flows is not to be asked for them. TR_ERROR as tr_names_set.
enum tr_status tr_names_pass_flow(struct tr_names *names, const struct tr_name *name,
				  struct tr_error *err);

// ---- the bytes of one entry of a names chunk, as flit-trace(5) draws them

#define TR_NAME_ENTRY_BYTES 32u // before the text
#define TR_NAME_ENTRY_MAX (TR_NAME_ENTRY_BYTES + TR_NOTE_TEXT_MAX)

// Writes the entry (text padded to 8 bytes) to out, which has room for TR_NAME_ENTRY_MAX bytes;
// returns its size. Cannot fail: tr_name_check has checked the entry.
size_t tr_name_encode(const struct tr_name *name, uint8_t *out);

// Reads the entry at in, which has got_bytes bytes; text is lent from in. *used_bytes is its size.
// TR_ERROR with the reason if it does not fit, has an unknown kind or a bad text.
enum tr_status tr_name_decode(const uint8_t *in, size_t got_bytes, struct tr_name *name,
			      size_t *used_bytes, struct tr_error *err);

// Checks that a stream may carry the entry: text within its bound, without control characters (a
// note may have newlines).
enum tr_status tr_name_check(const struct tr_name *name, struct tr_error *err);

#endif
