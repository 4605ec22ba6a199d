// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/pcapng_section.h"
#include "packet/pcapng_option.h"

#include <stdlib.h>
#include <string.h>

#define INTERFACES_MAX 65536u
#define MICROSECONDS 6

// Of an interface: what its statistics said, where there are any, else what its packets said.
uint64_t pk_section_lost(const struct pk_section *section)
{
	uint64_t lost = section->lost;

	for (uint32_t i = 0; i < section->interface_count; i++) {
		const struct pk_interface *interface = &section->interfaces[i];

		lost += interface->dropped ? interface->dropped : interface->dropped_before;
	}
	return lost;
}

enum tr_status pk_section_begin(struct pk_section *section, struct pk_input *in, struct pk_block *block, struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 16);
	unsigned major, minor;

	if (!head)
		return pk_block_fail(in, block, "too short for a section header", err);
	major = pk_u16(head + 4, section->big_endian);
	minor = pk_u16(head + 6, section->big_endian);
	if (major != 1 || (minor != 0 && minor != 2)) // these two are the same
		return pk_block_fail(in, block, "its version is not 1.0 or 1.2", err);
	if (!pk_options_fit(&block->body, section->big_endian))
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	section->lost = pk_section_lost(section);
	section->interface_count = 0;
	return TR_OK;
}

static bool grow(struct pk_section *section)
{
	const uint32_t capacity = section->interface_capacity ? section->interface_capacity * 2 : 4;
	struct pk_interface *larger;

	if (section->interface_count < section->interface_capacity)
		return true;
	larger = realloc(section->interfaces, capacity * sizeof(*larger));
	if (!larger)
		return false;
	section->interfaces = larger;
	section->interface_capacity = capacity;
	return true;
}

enum tr_status pk_section_interface(struct pk_section *section, struct pk_input *in, struct pk_block *block,
				    struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 8);
	struct pk_interface *interface;
	struct pk_option option;
	enum tr_status status;

	if (!head)
		return pk_block_fail(in, block, "too short for an interface description", err);
	if (section->interface_count == INTERFACES_MAX || !grow(section))
		return pk_block_fail(in, block, "more interfaces than there is room for", err);
	interface = &section->interfaces[section->interface_count];
	*interface = (struct pk_interface){
		.link = pk_link_of(pk_u16(head, section->big_endian), section->big_endian),
		.snap_bytes = pk_u32(head + 4, section->big_endian),
	};
	pk_interface_set_resolution(interface, MICROSECONDS);
	while ((status = pk_option_next(&block->body, section->big_endian, &option)) == TR_OK) {
		if (option.code == PK_IF_TSRESOL && option.size_bytes == 1)
			pk_interface_set_resolution(interface, option.value[0]);
		else if (option.code == PK_IF_TSOFFSET && option.size_bytes == 8)
			interface->offset_s = (int64_t)pk_u64(option.value, section->big_endian);
	}
	if (status == TR_ERROR)
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	section->interface_count++;
	return TR_OK;
}

enum tr_status pk_section_statistics(struct pk_section *section, struct pk_input *in, struct pk_block *block,
				     struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 12);
	uint32_t number;
	uint64_t dropped = 0;
	struct pk_option option;
	enum tr_status status;

	if (!head)
		return pk_block_fail(in, block, "too short for interface statistics", err);
	number = pk_u32(head, section->big_endian);
	if (number >= section->interface_count)
		return pk_block_fail(in, block, "it names an interface that was not described", err);
	while ((status = pk_option_next(&block->body, section->big_endian, &option)) == TR_OK) {
		if ((option.code != PK_ISB_IFDROP && option.code != PK_ISB_OSDROP) || option.size_bytes != 8)
			continue;
		dropped += pk_u64(option.value, section->big_endian);
		section->lost_known = true;
	}
	if (status == TR_ERROR)
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	section->interfaces[number].dropped = dropped;
	return TR_OK;
}

// Steps over the records of names: like options, up to one that ends them, which options follow.
static bool pass_names(struct pk_bytes *body, bool big_endian)
{
	while (body->left) {
		const uint8_t *head = pk_take(body, 4);
		unsigned size_bytes;

		if (!head)
			return false;
		if (pk_u16(head, big_endian) == 0)
			return true;
		size_bytes = pk_u16(head + 2, big_endian);
		if (!pk_take(body, size_bytes + (-size_bytes & 3u)))
			return false;
	}
	return true;
}

enum tr_status pk_section_names(struct pk_section *section, struct pk_input *in, struct pk_block *block, struct tr_error *err)
{
	if (!pass_names(&block->body, section->big_endian))
		return pk_block_fail(in, block, "a name is longer than what is left", err);
	if (!pk_options_fit(&block->body, section->big_endian))
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	return TR_OK;
}

enum tr_status pk_section_secrets(struct pk_section *section, struct pk_input *in, struct pk_block *block, struct tr_error *err)
{
	const uint8_t *head = pk_take(&block->body, 8);
	uint64_t size_bytes;

	if (!head)
		return pk_block_fail(in, block, "too short for secrets", err);
	size_bytes = pk_u32(head + 4, section->big_endian);
	if (!pk_take(&block->body, size_bytes + (-size_bytes & 3u)))
		return pk_block_fail(in, block, "its secrets are longer than what is left", err);
	if (!pk_options_fit(&block->body, section->big_endian))
		return pk_block_fail(in, block, "an option is longer than what is left", err);
	return TR_OK;
}

void pk_section_clear(struct pk_section *section)
{
	free(section->interfaces);
	memset(section, 0, sizeof(*section));
}
