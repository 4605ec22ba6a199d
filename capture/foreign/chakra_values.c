// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes of Chakra's messages: a name, and a value in one of many forms.
#include <string.h>

#include "foreign/chakra.h"

bool chakra_attribute_split(struct protobuf attribute, struct protobuf *name,
			    struct protobuf_field *value)
{
	struct protobuf_field field;
	enum tr_status status;

	*name = (struct protobuf){(const uint8_t *)"", 0, 0};
	*value = (struct protobuf_field){0};
	while ((status = protobuf_next(&attribute, &field)) == TR_OK) {
		if (field.number == 1 && field.wire == PROTOBUF_BYTES)
			*name = field.inside;
		else if (field.number != 2)
			*value = field;
	}
	return status == TR_END;
}

static int64_t chakra_of_double(double value)
{
	if (!(value >= 0))
		return -1;
	return value < 0x1p63 ? (int64_t)value : INT64_MAX;
}

// The forms of single values, by their fields in the value's oneof.
static const struct chakra_form {
	enum protobuf_wire wire;
	enum { FORM_NONE, FORM_REAL, FORM_SIGNED, FORM_UNSIGNED, FORM_ZIGZAG } form;
} chakra_forms[] = {
	[3] = {PROTOBUF_FIXED64, FORM_REAL},	  [5] = {PROTOBUF_FIXED32, FORM_REAL},
	[7] = {PROTOBUF_VARINT, FORM_SIGNED},	  [9] = {PROTOBUF_VARINT, FORM_SIGNED},
	[11] = {PROTOBUF_VARINT, FORM_UNSIGNED},  [13] = {PROTOBUF_VARINT, FORM_UNSIGNED},
	[15] = {PROTOBUF_VARINT, FORM_ZIGZAG},	  [17] = {PROTOBUF_VARINT, FORM_ZIGZAG},
	[19] = {PROTOBUF_FIXED32, FORM_UNSIGNED}, [21] = {PROTOBUF_FIXED64, FORM_UNSIGNED},
	[23] = {PROTOBUF_FIXED32, FORM_SIGNED},	  [25] = {PROTOBUF_FIXED64, FORM_SIGNED},
	[27] = {PROTOBUF_VARINT, FORM_UNSIGNED},
};

bool chakra_attribute_number(const struct protobuf_field *field, int64_t *out)
{
	const struct chakra_form none = {0};
	const struct chakra_form form = field->number < sizeof(chakra_forms) / sizeof(*chakra_forms)
						? chakra_forms[field->number]
						: none;
	const uint64_t value = field->value;
	const uint32_t bits = (uint32_t)value;
	double real;
	float single;

	memcpy(&real, &value, sizeof(real));
	memcpy(&single, &bits, sizeof(single));
	switch (form.form) {
	case FORM_REAL:
		*out = chakra_of_double(form.wire == PROTOBUF_FIXED64 ? real : (double)single);
		break;
	case FORM_SIGNED:
		*out = form.wire == PROTOBUF_FIXED32 ? (int32_t)bits : (int64_t)value;
		break;
	case FORM_UNSIGNED: *out = value > INT64_MAX ? INT64_MAX : (int64_t)value; break;
	case FORM_ZIGZAG: *out = (int64_t)(value >> 1 ^ (0 - (value & 1))); break;
	case FORM_NONE: return false;
	}
	return field->wire == form.wire;
}

bool chakra_leaves_out(struct protobuf list, bool *out)
{
	struct protobuf_field field;
	enum tr_status status;
	uint64_t value;

	*out = false;
	while ((status = protobuf_next(&list, &field)) == TR_OK) {
		if (field.number != 1)
			continue;
		while ((status = protobuf_number(&field, &value)) == TR_OK)
			*out |= value == 0;
		if (status == TR_ERROR)
			return false;
	}
	return status == TR_END;
}
