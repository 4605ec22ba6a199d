// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/unify.h"

#include <inttypes.h>

#include "value/ticks.h"

// num / den, to the nearest (halves up) if round; false if not whole or beyond 64 bits.
static bool rebase_divide(__int128 num, uint64_t den, bool round, int64_t *out)
{
	__int128 quotient = num / (__int128)den;
	__int128 rest = num % (__int128)den;

	if (rest && !round)
		return false;
	if (rest < 0) {
		rest += den;
		quotient--;
	}
	quotient += (unsigned __int128)rest * 2 >= den && rest;
	*out = (int64_t)quotient;
	return quotient >= INT64_MIN && quotient <= INT64_MAX;
}

enum tr_status tr_rebase_make(struct tr_rebase *rebase, const struct tr_header *from,
			      const struct tr_header *to, bool round, struct tr_error *err)
{
	__int128 apart_ns = ((__int128)from->origin_s - to->origin_s) * TR_NS_PER_S;
	__int128 apart;

	apart_ns += (int64_t)from->origin_ns - (int64_t)to->origin_ns;
	*rebase = (struct tr_rebase){
		.kind = tr_kind_find(to->kind),
		.from = from->ticks_per_s,
		.to = to->ticks_per_s,
		.round = round,
	};
	if (from->kind != to->kind)
		return tr_fail(err, "%s records; the others are %s records",
			       tr_kind_find(from->kind)->name, rebase->kind->name);
	if (__builtin_mul_overflow(apart_ns, (__int128)to->ticks_per_s, &apart) ||
	    !rebase_divide(apart, TR_NS_PER_S, round, &rebase->offset_ticks))
		return tr_fail(err,
			       "its origin is not a whole number of ticks at %" PRIu64
			       " per second from the others', or too far",
			       to->ticks_per_s);
	rebase->same = rebase->from == rebase->to && !rebase->offset_ticks;
	return TR_OK;
}

static enum tr_status not_whole(const struct tr_rebase *rebase, int64_t ticks, struct tr_error *err)
{
	char text[48];

	return tr_fail(err,
		       "%s s is not whole, or beyond the longest time, at %" PRIu64
		       " ticks per second",
		       tr_ticks_format(ticks, rebase->from, text, sizeof(text)), rebase->to);
}

static enum tr_status span(const struct tr_rebase *rebase, int64_t ticks, int64_t *out,
			   struct tr_error *err)
{
	if (rebase->from == rebase->to)
		*out = ticks;
	else if (!rebase_divide((__int128)ticks * (__int128)rebase->to, rebase->from, rebase->round,
				out))
		return not_whole(rebase, ticks, err);
	return TR_OK;
}

enum tr_status tr_rebase_time(const struct tr_rebase *rebase, int64_t ticks, int64_t *out,
			      struct tr_error *err)
{
	int64_t scaled = 0;

	if (span(rebase, ticks, &scaled, err) != TR_OK)
		return TR_ERROR;
	if (__builtin_add_overflow(scaled, rebase->offset_ticks, out))
		return not_whole(rebase, ticks, err);
	return TR_OK;
}

// An unsigned area of characters x ticks.
static enum tr_status area(const struct tr_rebase *rebase, int64_t value, int64_t *out,
			   struct tr_error *err)
{
	unsigned __int128 scaled = (unsigned __int128)(uint64_t)value * rebase->to;
	unsigned __int128 rest = scaled % rebase->from;

	scaled = scaled / rebase->from + (rebase->round && rest * 2 >= rebase->from);
	if ((rest && !rebase->round) || scaled > UINT64_MAX)
		return tr_fail(err,
			       "an occupancy area is not whole, or too large, at %" PRIu64
			       " ticks per second",
			       rebase->to);
	*out = (int64_t)(uint64_t)scaled;
	return TR_OK;
}

// A time that may be missing: -1, which no other time may become.
static enum tr_status later_time(const struct tr_rebase *rebase, int64_t ticks, int64_t *out,
				 struct tr_error *err)
{
	*out = -1;
	if (ticks == -1)
		return TR_OK;
	if (tr_rebase_time(rebase, ticks, out, err) != TR_OK)
		return TR_ERROR;
	if (*out == -1)
		return tr_fail(err, "a time would fall on the tick before the origin, which stands "
				    "for an event that did not happen");
	return TR_OK;
}

static enum tr_status rebase_convert(const struct tr_rebase *rebase, const struct tr_field *field,
				     int64_t value, int64_t *out, struct tr_error *err)
{
	bool missing = rebase->kind->kind == TR_DELIVERY && field->offset_bytes;

	switch ((enum tr_field_meaning)field->meaning) {
	case TR_TIME:
		return missing ? later_time(rebase, value, out, err)
			       : tr_rebase_time(rebase, value, out, err);
	case TR_SPAN: return span(rebase, value, out, err);
	case TR_AREA: return area(rebase, value, out, err);
	default: *out = value; return TR_OK;
	}
}

enum tr_status tr_rebase_record(const struct tr_rebase *rebase, void *record, struct tr_error *err)
{
	for (unsigned i = 0; i < rebase->kind->field_count && !rebase->same; i++) {
		const struct tr_field *field = &rebase->kind->fields[i];
		int64_t value;

		if (field->meaning != TR_TIME && field->meaning != TR_SPAN &&
		    field->meaning != TR_AREA)
			continue;
		if (rebase_convert(rebase, field, tr_field_get(record, field), &value, err) !=
		    TR_OK)
			return TR_ERROR;
		(void)tr_field_set(record, field, value);
	}
	return TR_OK;
}
