// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/division.h"

#include <string.h>

// Bits. What a new size and the place of a cut cost follows from the range of sizes and of bytes in
// a segment; how often TCP cuts and joins is fitted, on recordings of Open MPI and MPICH.
#define NEW_SIZE 14	// of a message
#define FRESH_MAX 6	// more where new sizes are rare
#define NEW_SMALL 10	// the same, of a small one
#define SAME_SIZE 4	// that of the message before it
#define KNOWN_MAX 9	// a known size costs no more
#define CUT 16		// within a message, after a short segment
#define CUT_AGAIN 7	// the same, after a short pause, where other messages were cut before
#define CUT_REQUESTED 7 // the same, after a handshake and a short pause
#define CUT_RESUMED 9	// the same, where the next segment waited for an acknowledgement
#define CUT_TAIL 12	// the same, before a small segment and after a short pause
#define CUT_SMALL 5	// a small segment close to others, within a requested message
#define JOINED 5	// a message ends inside a piece
#define JOINED_ALIKE 2	// and so did one of the same size before it
#define FULL_END 4	// a message ends in a full segment before a pause that is no silence
#define FAR 4		// more, in a cut, at a silence
#define NEVER 4096
#define TOO_MUCH 400 // in cuts of a message of a new size

#define NODES_MAX (PIECES_MAX + 1u + DIVISION_MAX - PIECES_MAX)

// A place where a message may end, and the cheapest division up to there.
struct division_node {
	uint64_t at_B;
	uint64_t size_B; // of the last message
	uint32_t piece;	 // that begins here, or that this is inside
	bool inside;
	int cost;
	int16_t from; // -1: none
	int16_t next; // in order of at_B; -1: none
};

struct division {
	const struct piece *pieces;
	size_t count;
	const struct sizes_seen *sizes;
	uint64_t begins_B[PIECES_MAX + 1];
	int cuts[PIECES_MAX + 1]; // cost of all cuts before pieces up to this one
	int ends[PIECES_MAX + 1]; // cost of an end before this piece
	struct division_node nodes[NODES_MAX];
	size_t node_count;
	uint64_t known_B[SIZES_KEPT];
	int known_bits[SIZES_KEPT];
	size_t known_count;
	int new_size;
};

static int division_log2_of(int64_t ratio)
{
	int bits = 0;

	for (; ratio > 1; ratio /= 2)
		bits++;
	return bits;
}

// What it costs that a message goes on over the end of the piece before.
static int cost_of_cut(const struct piece *before, const struct piece *piece,
		       const struct sizes_seen *sizes, bool requested, int64_t gap_ticks)
{
	const int64_t pause_gaps = piece->pause_ticks / gap_ticks;
	const int far = pause_gaps > PIECE_SILENCE_GAPS ? FAR : 0;

	if (piece->taken || before->taken)
		return NEVER;
	if (piece->requested)
		return CUT + far;
	if (before->full)
		return piece->resumed ? far
		       : 4 * division_log2_of(pause_gaps / 4) < CUT + far
			       ? 4 * division_log2_of(pause_gaps / 4)
			       : CUT + far;
	if (piece->resumed)
		return CUT_RESUMED + far;
	if (pause_gaps > PIECE_WINDOW_GAPS)
		return CUT + far;
	if (requested && piece->small)
		return piece->pause_ticks <= gap_ticks / 4 ? CUT_SMALL : CUT_TAIL;
	if (requested)
		return CUT_REQUESTED;
	if (sizes_cut(sizes, before->payload_B))
		return CUT_AGAIN;
	return piece->small ? CUT_TAIL : CUT;
}

static void division_weigh(struct division *of, int64_t gap_ticks)
{
	bool requested = false;

	for (size_t i = 0; i < of->count; i++) {
		const struct piece *piece = &of->pieces[i], *before = i > 0 ? piece - 1 : NULL;

		requested = piece->sure ||
			    (requested && !piece->requested &&
			     (!before || piece->pause_ticks / gap_ticks <= PIECE_WINDOW_GAPS));
		of->begins_B[i + 1] = of->begins_B[i] + piece->payload_B;
		if (!before)
			continue;
		of->cuts[i] = of->cuts[i - 1] +
			      cost_of_cut(before, piece, of->sizes, requested, gap_ticks);
		of->ends[i] = before->full && !piece->requested &&
					      piece->pause_ticks / gap_ticks <= PIECE_SILENCE_GAPS
				      ? FULL_END
				      : 0;
	}
}

// The node at this place after `from`, made if new; NULL if there is no room.
static struct division_node *node_at(struct division *of, struct division_node *from, uint64_t at_B,
				     uint32_t piece)
{
	struct division_node *before = from, *node;

	while (before->next >= 0 && of->nodes[before->next].at_B < at_B)
		before = &of->nodes[before->next];
	if (before->next >= 0 && of->nodes[before->next].at_B == at_B)
		return &of->nodes[before->next];
	if (of->node_count == NODES_MAX)
		return NULL;
	node = &of->nodes[of->node_count];
	*node = (struct division_node){.at_B = at_B,
				       .piece = piece,
				       .inside = true,
				       .cost = -1,
				       .from = -1,
				       .next = before->next};
	before->next = (int16_t)of->node_count++;
	return node;
}

static void division_reach(struct division *of, struct division_node *from,
			   struct division_node *to, int cost)
{
	cost += from->cost +
		(to->inside ? from->size_B == to->at_B - from->at_B ? JOINED_ALIKE : JOINED
			    : of->ends[to->piece]);
	if (to->cost >= 0 && to->cost <= cost)
		return;
	to->cost = cost;
	to->from = (int16_t)(from - of->nodes);
	to->size_B = to->at_B - from->at_B;
}

// Ends a message of each known size that began at the node.
static void go_known(struct division *of, struct division_node *from)
{
	for (size_t i = 0; i < of->known_count; i++) {
		const uint64_t at_B = from->at_B + of->known_B[i];
		uint32_t piece = from->piece;
		struct division_node *to;
		int cost;

		if (at_B > of->begins_B[of->count])
			continue;
		while (of->begins_B[piece + 1] < at_B)
			piece++;
		cost = of->cuts[piece] - of->cuts[from->piece];
		if (cost >= NEVER)
			continue;
		to = node_at(of, from, at_B, piece);
		if (to)
			division_reach(of, from, to, cost + of->known_bits[i]);
	}
}

// Whether a message from this node to this end is a piece and has the size of the one before it.
static bool division_is_same(const struct division *of, const struct division_node *from,
			     uint32_t end)
{
	return from->size_B > 0 && !from->inside && end == from->piece + 1 &&
	       of->begins_B[end] - from->at_B == from->size_B &&
	       !sizes_cut(of->sizes, from->size_B);
}

// Ends a message of a new size at each end of a piece.
static void go_new(struct division *of, struct division_node *from)
{
	for (uint32_t end = from->piece + 1; end <= of->count; end++) {
		const int cost = of->cuts[end - 1] - of->cuts[from->piece];
		const bool small = end == from->piece + 1 && of->pieces[from->piece].small;

		if (cost > TOO_MUCH)
			break;
		division_reach(of, from, &of->nodes[end],
			       cost + (division_is_same(of, from, end) ? SAME_SIZE
				       : small ? of->pieces[from->piece].taken ? 0 : NEW_SMALL
					       : of->new_size));
	}
}

static void know(struct division *of)
{
	for (unsigned i = 0; i < SIZES_KEPT; i++) {
		const int bits = sizes_bits(of->sizes, i);

		if (bits < 0)
			continue;
		of->known_B[of->known_count] = of->sizes->sizes[i].size_B;
		of->known_bits[of->known_count++] = bits < KNOWN_MAX ? bits : KNOWN_MAX;
	}
}

size_t divide(const struct piece *pieces, size_t count, const struct sizes_seen *sizes,
	      int64_t gap_ticks, uint64_t ends_B[DIVISION_MAX])
{
	struct division of;
	size_t messages = 0, at;

	if (count == 0)
		return 0;
	memset(&of, 0, sizeof(of));
	of.pieces = pieces;
	of.count = count;
	of.sizes = sizes;
	division_weigh(&of, gap_ticks);
	know(&of);
	of.new_size = NEW_SIZE +
		      (sizes_fresh_bits(sizes) < FRESH_MAX ? sizes_fresh_bits(sizes) : FRESH_MAX);
	for (; of.node_count <= count; of.node_count++)
		of.nodes[of.node_count] = (struct division_node){
			.at_B = of.begins_B[of.node_count],
			.piece = (uint32_t)of.node_count,
			.cost = of.node_count > 0 ? -1 : 0,
			.from = -1,
			.next = of.node_count < count ? (int16_t)(of.node_count + 1) : -1};
	for (struct division_node *node = of.nodes; node->next >= 0; node = &of.nodes[node->next])
		if (node->cost >= 0) {
			go_known(&of, node);
			go_new(&of, node);
		}
	for (at = count; of.nodes[at].from >= 0; at = (size_t)of.nodes[at].from)
		messages++;
	for (size_t i = messages, node = count; i-- > 0; node = (size_t)of.nodes[node].from)
		ends_B[i] = of.nodes[node].at_B;
	return messages;
}

void pieces_part(struct piece *pieces, uint32_t *count, uint32_t at)
{
	const struct piece whole = pieces[at];
	const uint32_t more = whole.segments - 1;
	const int64_t gap_ticks = (whole.end_ticks - whole.first_ticks) / more;

	memmove(&pieces[at + whole.segments], &pieces[at + 1], (*count - at - 1) * sizeof(*pieces));
	*count += more;
	for (uint32_t i = 0; i <= more; i++) {
		struct piece *piece = &pieces[at + i];

		*piece = i == 0 ? whole
				: (struct piece){.pause_ticks = gap_ticks, .learnt = whole.learnt};
		piece->first_ticks = piece->end_ticks = whole.first_ticks + i * gap_ticks;
		piece->payload_B = whole.payload_B / whole.segments;
		piece->segments = 1;
	}
}
