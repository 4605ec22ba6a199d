// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/name_entry.h"

#include <stdbool.h>
#include <string.h>

#include "trace/bytes.h"

size_t tr_name_encode(const struct tr_name *name, uint8_t *out)
{
	size_t size_bytes = TR_NAME_ENTRY_BYTES + tr_padded(name->text_bytes);

	memset(out, 0, size_bytes);
	out[0] = (uint8_t)name->kind;
	out[1] = name->kind == TR_NAME_FLOW ? name->protocol : name->role;
	tr_set_u16(out + 2, (uint16_t)name->text_bytes);
	tr_set_u32(out + 4, name->id);
	tr_set_u32(out + 8, name->src);
	tr_set_u32(out + 12, name->dst);
	tr_set_u16(out + 16, (uint16_t)name->src_port);
	tr_set_u16(out + 18, (uint16_t)name->dst_port);
	tr_set_u16(out + 20, (uint16_t)(name->src_port >> 16));
	tr_set_u16(out + 22, (uint16_t)(name->dst_port >> 16));
	tr_set_u64(out + 24, name->value);
	if (name->text_bytes)
		memcpy(out + TR_NAME_ENTRY_BYTES, name->text, name->text_bytes);
	return size_bytes;
}

enum tr_status tr_name_check(const struct tr_name *name, struct tr_error *err)
{
	bool is_note = name->kind == TR_NAME_NOTE;
	size_t limit = is_note ? TR_NOTE_TEXT_MAX : TR_NAME_TEXT_MAX;

	if (name->kind < TR_NAME_NODE || name->kind > TR_NAME_NOTE)
		return tr_fail(err, "name of unknown kind %u", (unsigned)name->kind);
	if (name->text_bytes > limit)
		return tr_fail(err, "name of %zu bytes; expected at most %zu", name->text_bytes, limit);
	for (size_t i = 0; i < name->text_bytes; i++) {
		unsigned char c = (unsigned char)name->text[i];

		if ((c < 0x20 && !(is_note && c == '\n')) || c == 0x7f)
			return tr_fail(err, "name with control character 0x%02x", c);
	}
	return TR_OK;
}

enum tr_status tr_name_decode(const uint8_t *in, size_t got_bytes, struct tr_name *name, size_t *used_bytes,
			      struct tr_error *err)
{
	if (got_bytes < TR_NAME_ENTRY_BYTES)
		return tr_fail(err, "name entry cut after %zu of %u bytes", got_bytes, TR_NAME_ENTRY_BYTES);
	*name = (struct tr_name){
		.kind = in[0],
		.text_bytes = tr_get_u16(in + 2),
		.id = tr_get_u32(in + 4),
		.src = tr_get_u32(in + 8),
		.dst = tr_get_u32(in + 12),
		.src_port = tr_get_u16(in + 16) | (uint32_t)tr_get_u16(in + 20) << 16,
		.dst_port = tr_get_u16(in + 18) | (uint32_t)tr_get_u16(in + 22) << 16,
		.value = tr_get_u64(in + 24),
		.text = (const char *)in + TR_NAME_ENTRY_BYTES,
	};
	*(name->kind == TR_NAME_FLOW ? &name->protocol : &name->role) = in[1];
	*used_bytes = TR_NAME_ENTRY_BYTES + tr_padded(name->text_bytes);
	if (*used_bytes > got_bytes)
		return tr_fail(err, "name entry of %zu bytes in the %zu that are left", *used_bytes, got_bytes);
	return tr_name_check(name, err);
}
