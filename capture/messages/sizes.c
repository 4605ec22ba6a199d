// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/sizes.h"

// Choices, fitted on recordings of programs under Open MPI and MPICH.
#define ALONE_KNOWN 2u // times alone that make a size known
#define TIMES_KNOWN 8u // the same, of times not alone, where a size seen alone is a multiple
#define MULTIPLE_MAX 8u
#define MULTIPLE_PART 4u // a size is a multiple of one that is seen at least this part of its times
#define CHANGES_KNOWN 2u
#define LAST_PART 8u // a window is the end of fewer than one message in so many
#define COUNT_MAX (UINT32_MAX / 16)

static unsigned sizes_find(const struct sizes_seen *seen, uint64_t size_B)
{
	unsigned at = 0;

	while (at < SIZES_KEPT && (seen->sizes[at].times == 0 || seen->sizes[at].size_B != size_B))
		at++;
	return at;
}

static bool divides(uint64_t part_B, uint64_t size_B)
{
	return size_B > part_B && size_B % part_B == 0 && size_B / part_B <= MULTIPLE_MAX;
}

// Whether a size that was seen alone is a multiple of this one.
static bool is_part(const struct sizes_seen *seen, uint64_t size_B)
{
	for (unsigned i = 0; i < SIZES_KEPT; i++)
		if (seen->sizes[i].alone >= ALONE_KNOWN && divides(size_B, seen->sizes[i].size_B))
			return true;
	return false;
}

static bool is_multiple(const struct sizes_seen *seen, const struct size_seen *size)
{
	for (unsigned i = 0; i < SIZES_KEPT; i++)
		if (seen->sizes[i].times > ALONE_KNOWN &&
		    seen->sizes[i].times >= size->times / MULTIPLE_PART &&
		    divides(seen->sizes[i].size_B, size->size_B))
			return true;
	return false;
}

static bool sizes_is_known(const struct sizes_seen *seen, const struct size_seen *size)
{
	if (size->alone >= ALONE_KNOWN)
		return !is_multiple(seen, size);
	return size->times >= TIMES_KNOWN && is_part(seen, size->size_B) &&
	       !is_multiple(seen, size);
}

void sizes_note(struct sizes_seen *seen, uint64_t size_B, bool alone)
{
	const unsigned at = sizes_find(seen, size_B);
	unsigned rarest = 0;

	if (seen->all == COUNT_MAX)
		return;
	seen->all++;
	seen->alone += alone;
	seen->fresh += at == SIZES_KEPT || !sizes_is_known(seen, &seen->sizes[at]);
	if (at < SIZES_KEPT) {
		seen->sizes[at].times++;
		seen->sizes[at].alone += alone;
		return;
	}
	for (unsigned i = 1; i < SIZES_KEPT; i++)
		if (seen->sizes[i].times < seen->sizes[rarest].times)
			rarest = i;
	seen->sizes[rarest] = (struct size_seen){size_B, 1, alone};
}

static int sizes_log2_of(uint32_t ratio)
{
	int bits = 0;

	for (; ratio > 1; ratio /= 2)
		bits++;
	return bits;
}

int sizes_fresh_bits(const struct sizes_seen *seen)
{
	return seen->fresh > 0 ? sizes_log2_of(seen->all / seen->fresh) : 0;
}

int sizes_bits(const struct sizes_seen *seen, unsigned entry)
{
	return sizes_is_known(seen, &seen->sizes[entry])
		       ? sizes_log2_of(seen->all / seen->sizes[entry].times)
		       : -1;
}

static unsigned find_cut(const struct sizes_seen *seen, uint64_t piece_B)
{
	unsigned at = 0;

	while (at < CUTS_KEPT && seen->cuts[at].piece_B != piece_B)
		at++;
	return at;
}

static bool is_cut(const struct cut_seen *cut)
{
	return cut->changes >= CHANGES_KNOWN && cut->changes >= cut->times / 2 &&
	       cut->last * LAST_PART < cut->times;
}

void sizes_note_cut(struct sizes_seen *seen, uint64_t piece_B, uint64_t rest_B)
{
	const unsigned at = find_cut(seen, piece_B);
	struct cut_seen *cut = &seen->cuts[at < CUTS_KEPT ? at : seen->cut_count % CUTS_KEPT];

	if (at < CUTS_KEPT && rest_B == 0) {
		cut->last += cut->last < COUNT_MAX;
	} else if (at < CUTS_KEPT && cut->times < COUNT_MAX) {
		cut->times++;
		cut->changes += cut->rest_B != rest_B;
		cut->rest_B = rest_B;
	} else if (at == CUTS_KEPT && rest_B > 0) {
		seen->cut_count++;
		if (!is_cut(cut) || seen->cut_count % (2 * CUTS_KEPT) == 0)
			*cut = (struct cut_seen){.piece_B = piece_B, .rest_B = rest_B, .times = 1};
	}
}

bool sizes_cut(const struct sizes_seen *seen, uint64_t piece_B)
{
	const unsigned at = find_cut(seen, piece_B), entry = sizes_find(seen, piece_B);

	return (entry == SIZES_KEPT || !sizes_is_known(seen, &seen->sizes[entry])) &&
	       at < CUTS_KEPT && is_cut(&seen->cuts[at]);
}
