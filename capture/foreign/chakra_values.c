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

// By the fields of the value's oneof.
bool chakra_attribute_number(const struct protobuf_field *field, int64_t *out)
{
	enum protobuf_wire wire = PROTOBUF_VARINT;
	const uint64_t value = field->value;
	const uint32_t bits = (uint32_t)value;
	double real;
	float single;

	memcpy(&real, &value, sizeof(real));
	memcpy(&single, &bits, sizeof(single));
	if (field->number == 5 || field->number == 19 || field->number == 23)
		wire = PROTOBUF_FIXED32;
	else if (field->number == 3 || field->number == 21 || field->number == 25)
		wire = PROTOBUF_FIXED64;
	switch (field->number) {
	case 3: *out = chakra_of_double(real); break;
	case 5: *out = chakra_of_double((double)single); break;
	case 7:
	case 9:
	case 25: *out = (int64_t)value; break;
	case 15:
	case 17: *out = (int64_t)(value >> 1 ^ (0 - (value & 1))); break;
	case 23: *out = (int32_t)bits; break;
	case 11:
	case 13:
	case 19:
	case 21:
	case 27: *out = value > INT64_MAX ? INT64_MAX : (int64_t)value; break;
	default: return false;
	}
	return field->wire == wire;
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
