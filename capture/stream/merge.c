// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/merge.h"

#include <inttypes.h>
#include <stdlib.h>

#include "stream/sort.h"
#include "value/ticks.h"

// One input.
struct merge_lane {
	struct tr_reader *reader;
	struct tr_unify_input *ids;
	const union tr_record *record; // converted to the output's; NULL: none yet
};

struct tr_merge {
	struct tr_unify *unify;
	struct tr_merge_options options;
	struct merge_lane *lanes;
	// A lane is ordered by the time of its next record or, if it has none yet, the time up to
	// which it is complete.
	struct tr_order_item *order;
	size_t order_count;
	struct merge_lane *given; // whose record was returned last
	int64_t time_ticks;
};

// ---- the header

static bool earlier(const struct tr_header *a, const struct tr_header *b)
{
	return a->origin_s < b->origin_s ||
	       (a->origin_s == b->origin_s && a->origin_ns < b->origin_ns);
}

// Ticks per second in which the difference of the origins is whole: 1e9 / gcd(nanoseconds apart,
// 1e9).
static uint64_t ticks_of_distance(const struct tr_header *a, const struct tr_header *b)
{
	uint64_t apart_ns = ((uint64_t)a->origin_ns + TR_NS_PER_S - b->origin_ns) % TR_NS_PER_S;

	return TR_NS_PER_S / (uint64_t)num_gcd(TR_NS_PER_S, apart_ns);
}

static enum tr_status check_inputs(struct tr_reader *const *inputs, size_t count,
				   struct tr_error *err)
{
	const struct tr_header *first = tr_reader_header(inputs[0]);

	for (size_t i = 0; i < count; i++) {
		const struct tr_header *header = tr_reader_header(inputs[i]);

		if (header->kind != first->kind)
			return tr_fail(err, "%s: %s records; %s has %s records",
				       tr_reader_name(inputs[i]), tr_kind_find(header->kind)->name,
				       tr_reader_name(inputs[0]), tr_kind_find(first->kind)->name);
		if (header->unsorted)
			return tr_fail(err, "%s: an unsorted stream cannot be merged",
				       tr_reader_name(inputs[i]));
	}
	return TR_OK;
}

static uint64_t finest(struct tr_reader *const *inputs, size_t count)
{
	uint64_t ticks = 1;

	for (size_t i = 0; i < count; i++)
		if (tr_reader_header(inputs[i])->ticks_per_s > ticks)
			ticks = tr_reader_header(inputs[i])->ticks_per_s;
	return ticks;
}

enum tr_status tr_merge_header(struct tr_reader *const *inputs, size_t count, bool round,
			       struct tr_header *out, struct tr_error *err)
{
	if (check_inputs(inputs, count, err) != TR_OK)
		return TR_ERROR;
	*out = *tr_reader_header(inputs[0]);
	out->record_bytes = 0;
	for (size_t i = 1; i < count; i++) {
		const struct tr_header *header = tr_reader_header(inputs[i]);

		if (earlier(header, out)) {
			out->origin_s = header->origin_s;
			out->origin_ns = header->origin_ns;
		}
	}
	if (round) {
		out->ticks_per_s = finest(inputs, count);
		return TR_OK;
	}
	for (size_t i = 0; i < count; i++) {
		const struct tr_header *header = tr_reader_header(inputs[i]);

		if (!tr_ticks_lcm(out->ticks_per_s, header->ticks_per_s, &out->ticks_per_s) ||
		    !tr_ticks_lcm(out->ticks_per_s, ticks_of_distance(header, out),
				  &out->ticks_per_s))
			return tr_fail(err,
				       "%s: %" PRIu64 " ticks per second have no common multiple "
				       "with the inputs before it below 2^62",
				       tr_reader_name(inputs[i]), header->ticks_per_s);
	}
	return TR_OK;
}

// ---- the order

// Advances a lane to its next record, or, without one, to its current time. TR_END: it ended.
static enum tr_status merge_advance(struct tr_merge *merge, struct merge_lane *lane,
				    int64_t *time_ticks, struct tr_error *err)
{
	const union tr_record *record;
	enum tr_status status;
	size_t ready;

	lane->record = NULL;
	tr_reader_pauses(lane->reader)->keep = true;
	status = tr_advance(lane->reader, &ready);
	if (status == TR_ERROR && merge->options.keep_going)
		return TR_END;
	if (status != TR_OK)
		return status;
	if (!ready) {
		*time_ticks = tr_unify_time(lane->ids, tr_reader_time(lane->reader));
		return TR_OK;
	}
	if (tr_next(lane->reader, &record) != TR_OK ||
	    tr_unify_record(lane->ids, record, &lane->record, err) != TR_OK) {
		lane->record = NULL;
		return TR_ERROR;
	}
	*time_ticks = lane->record->time_ticks;
	return TR_OK;
}

// Advances the first lane and moves it to its new place.
static enum tr_status merge_step(struct tr_merge *merge, struct tr_error *err)
{
	struct tr_order_item *first = &merge->order[0];
	enum tr_status status = merge_advance(merge, &merge->lanes[first->number],
					      &first->time_ticks, err);

	merge->given = NULL;
	if (status == TR_ERROR)
		return TR_ERROR;
	if (status == TR_END)
		*first = merge->order[--merge->order_count];
	if (merge->order_count)
		tr_order_sift(merge->order, merge->order_count);
	return TR_OK;
}

enum tr_status tr_merge_next(struct tr_merge *merge, const union tr_record **record,
			     struct tr_error *err)
{
	*record = NULL;
	if (err)
		*err = (struct tr_error){""};
	while (merge->order_count) {
		const struct tr_order_item *first = &merge->order[0];
		struct merge_lane *lane = &merge->lanes[first->number];

		if (lane->record && lane != merge->given) {
			merge->given = lane;
			merge->time_ticks = first->time_ticks;
			*record = lane->record;
			return TR_OK;
		}
		if (!lane->record && first->time_ticks > merge->time_ticks) {
			merge->time_ticks = first->time_ticks;
			return TR_OK;
		}
		if (merge_step(merge, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_END;
}

// ---- the whole

static enum tr_status add_lane(struct tr_merge *merge, struct tr_reader *reader,
			       struct tr_error *err)
{
	size_t number = merge->order_count;
	struct merge_lane *lane = &merge->lanes[number];

	lane->reader = reader;
	if (tr_unify_add(merge->unify, tr_reader_header(reader), merge->options.round, &lane->ids,
			 err) != TR_OK)
		return tr_fail_in(err, "%s", tr_reader_name(reader));
	tr_reader_on_name(reader, tr_unify_name, lane->ids);
	tr_order_add(merge->order, &merge->order_count, (struct tr_order_item){INT64_MIN, number});
	return TR_OK;
}

enum tr_status tr_merge_open(struct tr_merge **out, struct tr_reader *const *inputs, size_t count,
			     const struct tr_header *header, struct tr_merge_options options,
			     struct tr_name_sink sink, struct tr_error *err)
{
	struct tr_merge *merge = calloc(1, sizeof(*merge));
	enum tr_status status = merge ? tr_unify_open(&merge->unify, header, sink, err) : TR_ERROR;

	*out = NULL;
	if (merge) {
		merge->options = options;
		merge->time_ticks = INT64_MIN;
		merge->lanes = calloc(count + 1, sizeof(*merge->lanes));
		merge->order = calloc(count + 1, sizeof(*merge->order));
	}
	if (status != TR_OK || !merge->lanes || !merge->order) {
		tr_merge_close(merge);
		return tr_no_memory(err, "the merge");
	}
	if (count > 1)
		tr_unify_keep_links_apart(merge->unify);
	for (size_t i = 0; i < count && status == TR_OK; i++)
		status = add_lane(merge, inputs[i], err);
	if (status != TR_OK) {
		tr_merge_close(merge);
		return TR_ERROR;
	}
	*out = merge;
	return TR_OK;
}

int64_t tr_merge_time(const struct tr_merge *merge)
{
	return merge->time_ticks;
}

void tr_merge_close(struct tr_merge *merge)
{
	if (!merge)
		return;
	tr_unify_close(merge->unify);
	free(merge->lanes);
	free(merge->order);
	free(merge);
}
