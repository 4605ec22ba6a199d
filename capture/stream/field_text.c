// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stream/words.h"
#include "value/num.h"
#include "value/ticks.h"

#define TICKS_AS_SECONDS_MAX UINT64_C(1000000000000000000) // 18 decimals distinguish such ticks

static bool in_seconds(const struct tr_field_context *context)
{
	return context->ticks_per_s <= TICKS_AS_SECONDS_MAX;
}

const char *tr_field_heading(const struct tr_field_context *context, const struct tr_field *field,
			     char *out, size_t out_bytes)
{
	const char *unit = "";

	if (field->meaning == TR_TIME || field->meaning == TR_SPAN)
		unit = in_seconds(context) ? "_s" : "_ticks";
	else if (field->meaning == TR_BYTES && strcmp(field->name, "bytes") != 0)
		unit = "_B";
	(void)snprintf(out, out_bytes, "%s%s", field->name, unit);
	return out;
}

const struct tr_field *tr_field_find(const struct tr_field_context *context, const char *name)
{
	char heading[32];

	for (unsigned i = 0; i < context->kind->field_count; i++) {
		const struct tr_field *field = &context->kind->fields[i];

		if (!strcmp(name, field->name) ||
		    !strcmp(name, tr_field_heading(context, field, heading, sizeof(heading))))
			return field;
	}
	return NULL;
}

bool tr_field_missing(const struct tr_field_context *context, const struct tr_field *field,
		      const void *record)
{
	return context->kind->kind == TR_DELIVERY && field->meaning == TR_TIME &&
	       field->offset_bytes && tr_field_get(record, field) == -1;
}

bool tr_field_is_number(const struct tr_field *field)
{
	return field->meaning == TR_PLAIN || field->meaning == TR_TIME ||
	       field->meaning == TR_SPAN || field->meaning == TR_BYTES ||
	       field->meaning == TR_AREA || field->meaning == TR_RANK;
}

bool tr_field_is_rare(const struct tr_field *field)
{
	return tr_field_is_reserved(field) || !strcmp(field->name, "opcode");
}

// ---- ids

// Whether the text of a name reads back as just this id.
static bool tells(const struct tr_name_index *index, const struct tr_name *name)
{
	static const char *const words[] = {"other", "-", "?"};

	if (tr_name_index_find(index, name) != name->id)
		return false;
	if (name->kind == TR_NAME_FLOW)
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(name->text, words[i]))
			return false;
	return !strchr("@#!", name->text[0]);
}

static const char *format_id(uint32_t id, char *out, size_t out_bytes)
{
	(void)snprintf(out, out_bytes, "@%" PRIu32, id);
	return out;
}

// "@5"; false where text is something else.
static bool parse_id(const char *text, uint32_t *id)
{
	uint64_t number;

	if (*text != '@' || num_parse_count(text + 1, 0, UINT32_MAX, &number, NULL) != TR_OK)
		return false;
	*id = (uint32_t)number;
	return true;
}

const char *tr_node_format(const struct tr_name_index *index, uint32_t node, char *out,
			   size_t out_bytes)
{
	struct tr_name name;

	if (node == TR_NODE_OTHER)
		(void)snprintf(out, out_bytes, "other");
	else if (tr_name_of(index->names, TR_NAME_NODE, node, &name) && tells(index, &name))
		(void)snprintf(out, out_bytes, "%s", name.text);
	else
		format_id(node, out, out_bytes);
	return out;
}

// The id of a name of this kind and text.
static bool find_text(const struct tr_name_index *index, enum tr_name_kind kind, const char *text,
		      size_t text_bytes, uint32_t *id)
{
	struct tr_name name = {.kind = kind, .text = text, .text_bytes = text_bytes};

	*id = tr_name_index_find(index, &name);
	return *id != TR_ID_NONE;
}

bool tr_node_parse(const struct tr_name_index *index, const char *text, uint32_t *node)
{
	if (!strcmp(text, "other")) {
		*node = TR_NODE_OTHER;
		return true;
	}
	return parse_id(text, node) || find_text(index, TR_NAME_NODE, text, strlen(text), node);
}

static const char *format_link(const struct tr_name_index *index, uint32_t link, char *out,
			       size_t out_bytes)
{
	struct tr_name name;

	if (!tr_name_of(index->names, TR_NAME_LINK, link, &name) || !tells(index, &name))
		return format_id(link, out, out_bytes);
	(void)snprintf(out, out_bytes, "%s", name.text);
	return out;
}

// "src>dst/tcp/34567-5001"; "@id" if that is ambiguous.
static const char *format_flow(const struct tr_name_index *index, uint32_t flow, char *out,
			       size_t out_bytes)
{
	char src[TR_NAME_TEXT_MAX + 1];
	char dst[TR_NAME_TEXT_MAX + 1];
	char protocol[8];
	struct tr_name name;

	if (flow == TR_FLOW_NONE) {
		(void)snprintf(out, out_bytes, "-");
		return out;
	}
	if (!tr_name_of(index->names, TR_NAME_FLOW, flow, &name) || !tells(index, &name))
		return format_id(flow, out, out_bytes);
	tr_node_format(index, name.src, src, sizeof(src));
	tr_node_format(index, name.dst, dst, sizeof(dst));
	if (*src == '@' || *dst == '@' || strchr(src, '>'))
		return format_id(flow, out, out_bytes);
	(void)snprintf(out, out_bytes, "%s>%s/%s/%u-%u", src, dst,
		       tr_protocol_format(name.protocol, protocol, sizeof(protocol)), name.src_port,
		       name.dst_port);
	return out;
}

// Cuts text at the last separator; returns the part after it, NULL if there is none.
static char *cut_last(char *text, char separator)
{
	char *at = strrchr(text, separator);

	if (!at)
		return NULL;
	*at = '\0';
	return at + 1;
}

static bool parse_port(const char *text, uint32_t *port)
{
	uint64_t number;

	if (!text || num_parse_count(text, 0, UINT32_MAX, &number, NULL) != TR_OK)
		return false;
	*port = (uint32_t)number;
	return true;
}

static bool parse_flow(const struct tr_name_index *index, const char *text, uint32_t *flow)
{
	struct tr_name name = {.kind = TR_NAME_FLOW};
	char parts[TR_FIELD_TEXT_BYTES];
	char *dst, *ports, *protocol;

	*flow = TR_FLOW_NONE;
	if (!strcmp(text, "-") || parse_id(text, flow))
		return true;
	if (strlen(text) >= sizeof(parts))
		return false;
	memcpy(parts, text, strlen(text) + 1);
	dst = strchr(parts, '>');
	if (!dst)
		return false;
	*dst++ = '\0';
	ports = cut_last(dst, '/');
	protocol = ports ? cut_last(dst, '/') : NULL;
	if (!protocol || !tr_protocol_parse(protocol, &name.protocol) ||
	    !parse_port(cut_last(ports, '-'), &name.dst_port) ||
	    !parse_port(ports, &name.src_port) || !tr_node_parse(index, parts, &name.src) ||
	    !tr_node_parse(index, dst, &name.dst))
		return false;
	*flow = tr_name_index_find(index, &name);
	return *flow != TR_ID_NONE;
}

// ---- fields

static const char *format_number(const struct tr_field *field, int64_t value, char *out,
				 size_t out_bytes)
{
	if (field->type == TR_U64)
		(void)snprintf(out, out_bytes, "%" PRIu64, (uint64_t)value);
	else
		(void)snprintf(out, out_bytes, "%" PRId64, value);
	return out;
}

const char *tr_field_format(const struct tr_field_context *context, const struct tr_field *field,
			    const void *record, char *out, size_t out_bytes)
{
	int64_t value = tr_field_get(record, field);
	const char *word;

	switch ((enum tr_field_meaning)field->meaning) {
	case TR_TIME:
	case TR_SPAN:
		if (tr_field_missing(context, field, record))
			(void)snprintf(out, out_bytes, "-");
		else if (in_seconds(context))
			tr_ticks_format(value, context->ticks_per_s, out, out_bytes);
		else
			format_number(field, value, out, out_bytes);
		return out;
	case TR_NODE_ID: return tr_node_format(context->index, (uint32_t)value, out, out_bytes);
	case TR_FLOW_ID: return format_flow(context->index, (uint32_t)value, out, out_bytes);
	case TR_LINK_ID: return format_link(context->index, (uint32_t)value, out, out_bytes);
	case TR_FLAG_BITS:
	case TR_MESSAGE_FLAG_BITS:
		return tr_flags_format((enum tr_field_meaning)field->meaning, (unsigned)value, out,
				       out_bytes);
	case TR_RANK:
		if (value == TR_RANK_NONE) {
			(void)snprintf(out, out_bytes, "-");
			return out;
		}
		break;
	case TR_CLASS_CODE:
	case TR_STATUS_CODE:
	case TR_REASON_CODE:
	case TR_OPERATION_CODE:
		word = tr_word((enum tr_field_meaning)field->meaning, value);
		if (word) {
			(void)snprintf(out, out_bytes, "%s", word);
			return out;
		}
		break;
	case TR_PLAIN:
	case TR_BYTES:
	case TR_AREA: break;
	}
	return format_number(field, value, out, out_bytes);
}

static enum tr_status field_text_parse_number(const struct tr_field *field, const char *text,
					      int64_t *value, struct tr_error *err)
{
	uint64_t number;

	if (field->type != TR_U64)
		return num_parse_signed(text, INT64_MIN, INT64_MAX, value, err);
	if (num_parse_count(text, 0, UINT64_MAX, &number, err) != TR_OK)
		return TR_ERROR;
	*value = (int64_t)number;
	return TR_OK;
}

static enum tr_status field_text_parse_time(const struct tr_field_context *context,
					    const struct tr_field *field, const char *text,
					    int64_t *value, struct tr_error *err)
{
	if (context->kind->kind == TR_DELIVERY && field->offset_bytes && !strcmp(text, "-")) {
		*value = -1;
		return TR_OK;
	}
	if (in_seconds(context))
		return tr_ticks_parse(text, context->ticks_per_s, value, err);
	return field_text_parse_number(field, text, value, err);
}

// Reads the text of an id; *known: whether it exists.
static bool parse_reference(const struct tr_field_context *context, const struct tr_field *field,
			    const char *text, int64_t *value, bool *known)
{
	uint32_t id = 0;

	if (field->meaning == TR_NODE_ID)
		*known = tr_node_parse(context->index, text, &id);
	else if (field->meaning == TR_FLOW_ID)
		*known = parse_flow(context->index, text, &id);
	else if (field->meaning == TR_LINK_ID)
		*known = parse_id(text, &id) ||
			 find_text(context->index, TR_NAME_LINK, text, strlen(text), &id);
	else
		return false;
	*value = id;
	return true;
}

enum tr_status tr_field_parse(const struct tr_field_context *context, const struct tr_field *field,
			      const char *text, void *record, struct tr_error *err)
{
	enum tr_field_meaning meaning = (enum tr_field_meaning)field->meaning;
	enum tr_status status = TR_OK;
	int64_t value = 0;
	unsigned flags;
	bool known;

	if (meaning == TR_TIME || meaning == TR_SPAN)
		status = field_text_parse_time(context, field, text, &value, err);
	else if (parse_reference(context, field, text, &value, &known))
		status = known ? TR_OK
			       : tr_fail(err, "'%.200s' is used before its name line", text);
	else if ((meaning == TR_FLAG_BITS || meaning == TR_MESSAGE_FLAG_BITS) &&
		 tr_flags_parse(meaning, text, &flags))
		value = flags;
	else if (meaning == TR_RANK && !strcmp(text, "-"))
		value = TR_RANK_NONE;
	else if (!tr_word_find(meaning, text, &value))
		status = field_text_parse_number(field, text, &value, err);
	if (status == TR_OK && !tr_field_set(record, field, value))
		status = tr_fail(err, "'%.200s' does not fit into %u bytes", text,
				 tr_field_size((enum tr_field_type)field->type));
	return status;
}
