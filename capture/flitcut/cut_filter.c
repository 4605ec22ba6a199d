// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcut.h"

#include <string.h>

#include "stream/words.h"
#include "value/ticks.h"

// ---- from the wishes

static enum tr_status add_range(struct cut_filter *filter, const struct tr_field *field,
				int64_t min, int64_t max)
{
	filter->ranges[filter->range_count++] = (struct cut_range){field, min, max};
	return TR_OK;
}

static const struct tr_field *field_of(const struct tr_kind_info *kind,
				       enum tr_field_meaning meaning)
{
	for (unsigned i = 0; i < kind->field_count; i++)
		if (kind->fields[i].meaning == meaning)
			return &kind->fields[i];
	return NULL;
}

// The first tick that is not before text: seconds after the origin, or after the epoch if "@"
// precedes them.
static enum tr_status parse_instant(const char *text, const struct tr_header *header, int64_t *out,
				    struct tr_error *err)
{
	bool absolute = *text == '@';
	__int128 num, den, common, origin_ns;
	struct num_ratio value;

	if (num_parse(text + absolute, NUM_TIME, &value, err) != TR_OK)
		return TR_ERROR;
	origin_ns = (__int128)header->origin_s * TR_NS_PER_S + header->origin_ns;
	den = (__int128)value.den * TR_NS_PER_S;
	if (__builtin_mul_overflow(origin_ns, (__int128)value.den, &num))
		return tr_fail(err, "'%.60s' is too far from the stream's origin", text);
	num = (__int128)value.num * TR_NS_PER_S - (absolute ? num : 0);
	common = num_gcd(num, den);
	num /= common;
	den /= common;
	common = num_gcd((__int128)header->ticks_per_s, den);
	den /= common;
	if (__builtin_mul_overflow(num, (__int128)header->ticks_per_s / common, &num))
		return tr_fail(err, "'%.60s' is too far from the stream's origin", text);
	num = num / den + (num % den > 0);
	*out = num > INT64_MAX ? INT64_MAX : num < INT64_MIN ? INT64_MIN : (int64_t)num;
	return TR_OK;
}

static enum tr_status cut_filter_add_times(struct cut_filter *filter,
					   const struct cut_wishes *wishes,
					   const struct tr_header *header,
					   const struct tr_kind_info *kind, struct tr_error *err)
{
	int64_t after = INT64_MIN;
	int64_t before = INT64_MAX;

	if (wishes->after && parse_instant(wishes->after, header, &after, err) != TR_OK)
		return TR_ERROR;
	if (wishes->before && parse_instant(wishes->before, header, &before, err) != TR_OK)
		return TR_ERROR;
	if (!wishes->after && !wishes->before)
		return TR_OK;
	// If no tick is before the instant, the range is empty.
	if (before == INT64_MIN)
		return add_range(filter, &kind->fields[0], 1, 0);
	return add_range(filter, &kind->fields[0], after, wishes->before ? before - 1 : before);
}

// A size without a fraction; the text ends before end.
static enum tr_status parse_size(const char *text, size_t length, int64_t *out,
				 struct tr_error *err)
{
	char size[64];
	struct num_ratio value;

	if (length >= sizeof(size))
		return tr_fail(err, "'%.60s' is not a range of sizes", text);
	memcpy(size, text, length);
	size[length] = '\0';
	if (num_parse(size, NUM_SIZE, &value, err) != TR_OK)
		return TR_ERROR;
	if (value.den != 1 || value.num < 0)
		return tr_fail(err, "'%.60s' is not a whole number of bytes", size);
	*out = value.num;
	return TR_OK;
}

// "80B", "80..", "..1kB", "80..1kB".
static enum tr_status cut_filter_add_sizes(struct cut_filter *filter, const struct tr_field *field,
					   const char *text, struct tr_error *err)
{
	const char *dots = strstr(text, "..");
	int64_t min = 0;
	int64_t max = INT64_MAX;

	if (!dots) {
		if (parse_size(text, strlen(text), &min, err) != TR_OK)
			return TR_ERROR;
		return add_range(filter, field, min, min);
	}
	if (dots != text && parse_size(text, (size_t)(dots - text), &min, err) != TR_OK)
		return TR_ERROR;
	if (dots[2] && parse_size(dots + 2, strlen(dots + 2), &max, err) != TR_OK)
		return TR_ERROR;
	if (min > max)
		return tr_fail(err, "'%.60s' is an empty range", text);
	return add_range(filter, field, min, max);
}

static enum tr_status lacks(const struct tr_kind_info *kind, const char *what, struct tr_error *err)
{
	return tr_fail(err, "%s records have no %s", kind->name, what);
}

static enum tr_status add_all_sizes(struct cut_filter *filter, const struct cut_wishes *wishes,
				    const struct tr_field_context *context, struct tr_error *err)
{
	const struct tr_field *size = field_of(context->kind, TR_BYTES);
	const struct tr_field *wire = tr_field_find(context, "wire");

	if (wishes->size && !size)
		return lacks(context->kind, "size", err);
	if (wishes->wire && !wire)
		return lacks(context->kind, "wire size", err);
	if (wishes->size && cut_filter_add_sizes(filter, size, wishes->size, err) != TR_OK)
		return TR_ERROR;
	return wishes->wire ? cut_filter_add_sizes(filter, wire, wishes->wire, err) : TR_OK;
}

static enum tr_status add_code(struct cut_filter *filter, const struct tr_kind_info *kind,
			       enum tr_field_meaning meaning, const char *what, int code,
			       struct tr_error *err)
{
	const struct tr_field *field = field_of(kind, meaning);

	if (code == CUT_ANY)
		return TR_OK;
	if (!field)
		return lacks(kind, what, err);
	return add_range(filter, field, code, code);
}

static enum tr_status add_codes(struct cut_filter *filter, const struct cut_wishes *wishes,
				const struct tr_kind_info *kind, struct tr_error *err)
{
	if (add_code(filter, kind, TR_CLASS_CODE, "class", wishes->class_code, err) != TR_OK ||
	    add_code(filter, kind, TR_STATUS_CODE, "status", wishes->status, err) != TR_OK ||
	    add_code(filter, kind, TR_REASON_CODE, "reason", wishes->reason, err) != TR_OK)
		return TR_ERROR;
	return add_code(filter, kind, TR_OPERATION_CODE, "operation", wishes->operation, err);
}

static enum tr_status add_set(struct cut_filter *filter, const struct tr_field *field,
			      const struct tr_field *other, const struct opt_list *words,
			      const struct tr_kind_info *kind, const char *what,
			      struct tr_error *err)
{
	struct cut_set *set = &filter->sets[filter->set_count];

	if (!words->count)
		return TR_OK;
	if (!field)
		return lacks(kind, what, err);
	*set = (struct cut_set){
		.field = field,
		.other = other,
		.words = words,
		.kind = field->meaning == TR_LINK_ID ? TR_NAME_LINK : TR_NAME_NODE,
	};
	for (size_t i = 0; i < words->count; i++)
		set->nobody |= !strcmp(words->words[i], "other");
	filter->set_count++;
	return TR_OK;
}

static enum tr_status add_sets(struct cut_filter *filter, const struct cut_wishes *wishes,
			       const struct tr_field_context *context, struct tr_error *err)
{
	const struct tr_field *src = tr_field_find(context, "src");
	const struct tr_field *dst = tr_field_find(context, "dst");
	const struct tr_field *node = tr_field_find(context, "node");
	const struct tr_field *link = tr_field_find(context, "link");

	if (add_set(filter, src, NULL, &wishes->src, context->kind, "src", err) != TR_OK ||
	    add_set(filter, dst, NULL, &wishes->dst, context->kind, "dst", err) != TR_OK ||
	    add_set(filter, node ? node : src, dst, &wishes->node, context->kind, "node", err) !=
		    TR_OK)
		return TR_ERROR;
	return add_set(filter, link, NULL, &wishes->link, context->kind, "link", err);
}

static enum tr_status add_role(struct cut_filter *filter, const struct cut_wishes *wishes,
			       const struct tr_kind_info *kind, struct tr_error *err)
{
	filter->role = wishes->role;
	if (wishes->role == CUT_ANY)
		return TR_OK;
	for (unsigned i = 0; i < kind->field_count && filter->end_count < 2; i++)
		if (kind->fields[i].meaning == TR_NODE_ID)
			filter->ends[filter->end_count++] = &kind->fields[i];
	return filter->end_count ? TR_OK : lacks(kind, "node", err);
}

static enum tr_status add_flow(struct cut_filter *filter, const struct cut_wishes *wishes,
			       const struct tr_kind_info *kind, struct tr_error *err)
{
	uint8_t protocol;
	char words[160];

	filter->port = (unsigned)wishes->port;
	if (!wishes->protocol && !wishes->port)
		return TR_OK;
	filter->flow = field_of(kind, TR_FLOW_ID);
	if (!filter->flow)
		return lacks(kind, "flow", err);
	if (!wishes->protocol)
		return TR_OK;
	if (!tr_protocol_parse(wishes->protocol, &protocol))
		return tr_fail(err, "--protocol '%.60s': expected a number, or one of %s",
			       wishes->protocol,
			       opt_words(tr_protocol_words, words, sizeof(words)));
	filter->protocol = protocol;
	return TR_OK;
}

enum tr_status cut_filter_make(struct cut_filter *filter, const struct cut_wishes *wishes,
			       const struct tr_header *header,
			       const struct tr_field_context *context, struct tr_error *err)
{
	*filter = (struct cut_filter){
		.names = context->index->names,
		.protocol = CUT_ANY,
	};
	if (cut_filter_add_times(filter, wishes, header, context->kind, err) != TR_OK ||
	    add_all_sizes(filter, wishes, context, err) != TR_OK ||
	    add_codes(filter, wishes, context->kind, err) != TR_OK ||
	    add_sets(filter, wishes, context, err) != TR_OK ||
	    add_role(filter, wishes, context->kind, err) != TR_OK)
		return TR_ERROR;
	return add_flow(filter, wishes, context->kind, err);
}

// ---- on the stream

enum tr_status cut_filter_name(struct cut_filter *filter, const struct tr_name *name,
			       struct tr_error *err)
{
	for (size_t i = 0; i < filter->set_count; i++) {
		struct cut_set *set = &filter->sets[i];
		bool member = false;

		if (set->kind != name->kind)
			continue;
		for (size_t word = 0; word < set->words->count; word++)
			member |= strlen(set->words->words[word]) == name->text_bytes &&
				  !memcmp(set->words->words[word], name->text, name->text_bytes);
		if (tr_id_set(&set->members, name->id, member ? 1 : UINT32_MAX, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static bool is_member(const struct cut_set *set, const void *record, const struct tr_field *field)
{
	uint32_t id = (uint32_t)tr_field_get(record, field);

	return id == UINT32_MAX ? set->nobody : tr_id_get(&set->members, id) == 1;
}

static bool in_set(const struct cut_set *set, const void *record)
{
	return is_member(set, record, set->field) ||
	       (set->other && is_member(set, record, set->other));
}

static bool has_role(const struct cut_filter *filter, const void *record)
{
	for (size_t i = 0; i < filter->end_count; i++) {
		uint32_t node = (uint32_t)tr_field_get(record, filter->ends[i]);

		if (node != TR_NODE_OTHER &&
		    (int)tr_names_role(filter->names, node) == filter->role)
			return true;
	}
	return false;
}

static bool flow_passes(const struct cut_filter *filter, const void *record)
{
	uint32_t id = (uint32_t)tr_field_get(record, filter->flow);
	const struct tr_flow *flow;

	if (id >= filter->names->flow_count)
		return false;
	flow = tr_names_flow(filter->names, id);
	return (filter->protocol == CUT_ANY || flow->protocol == filter->protocol) &&
	       (!filter->port || flow->src_port == filter->port || flow->dst_port == filter->port);
}

bool cut_filter_pass(const struct cut_filter *filter, const void *record)
{
	for (size_t i = 0; i < filter->range_count; i++) {
		int64_t value = tr_field_get(record, filter->ranges[i].field);

		if (value < filter->ranges[i].min || value > filter->ranges[i].max)
			return false;
	}
	for (size_t i = 0; i < filter->set_count; i++)
		if (!in_set(&filter->sets[i], record))
			return false;
	return (filter->role == CUT_ANY || has_role(filter, record)) &&
	       (!filter->flow || flow_passes(filter, record));
}

static bool cut_filter_is_named(const struct tr_names *names, enum tr_name_kind kind,
				const char *word)
{
	const uint32_t count = kind == TR_NAME_LINK ? names->link_count : names->node_count;

	struct tr_name name;

	for (uint32_t id = 0; (id = tr_name_next(names, kind, id)) < count; id++)
		if (tr_name_of(names, kind, id, &name) && !strcmp(name.text, word))
			return true;
	return false;
}

const char *cut_filter_unknown(const struct cut_filter *filter, const char **what)
{
	for (size_t i = 0; i < filter->set_count; i++) {
		const struct cut_set *set = &filter->sets[i];

		*what = set->kind == TR_NAME_LINK ? "link" : "node";
		for (size_t word = 0; word < set->words->count; word++)
			if (strcmp(set->words->words[word], "other") &&
			    !cut_filter_is_named(filter->names, set->kind, set->words->words[word]))
				return set->words->words[word];
	}
	return NULL;
}

void cut_filter_clear(struct cut_filter *filter)
{
	for (size_t i = 0; i < filter->set_count; i++)
		tr_id_array_clear(&filter->sets[i].members);
	filter->set_count = 0;
}
