// SPDX-License-Identifier: GPL-3.0-or-later
#include "captures/container.h"
#include "captures/container_cards.h"

#define NS_PER_S 1000000000
#define NANO 0xa1b23c4du
#define MODIFIED 0xa1b2cd34u
#define IXIA_HARDWARE 0x1c0001acu
#define IXIA_SOFTWARE 0x1c0001abu

uint32_t cm_length_held(const struct cm_layout *layout, const struct cm_frame *frame)
{
	switch (layout->length) {
	case CM_LENGTH_NONE: return 0;
	case CM_LENGTH_CAPTURED: return frame->captured_bytes;
	case CM_LENGTH_SHORT: return frame->captured_bytes / 2;
	default: return (uint32_t)frame->bytes.size;
	}
}

// ---- classic

static bool counts_ns(const struct cm_layout *layout)
{
	return layout->magic == NANO || layout->aix;
}

// RFC 1573's number of an interface of that link type.
static uint32_t aix_type(uint16_t link)
{
	return link == 1 ? 6 : 24; // Ethernet, else loopback
}

static void pcap_begin(struct cm_buffer *file, const struct cm_layout *layout, uint16_t link,
		       uint32_t snap_bytes)
{
	const bool big = layout->big_endian;

	cm_u32(file, big, layout->magic ? layout->magic : 0xa1b2c3d4u);
	cm_u16(file, big, 2);
	cm_u16(file, big, layout->minor ? layout->minor : 4);
	cm_u64(file, big, 0);
	cm_u32(file, big, snap_bytes ? snap_bytes : 262144);
	cm_u32(file, big, layout->aix ? aix_type(link) : link | (uint32_t)layout->link_high << 16);
	if (layout->magic == IXIA_HARDWARE || layout->magic == IXIA_SOFTWARE)
		cm_u32(file, big, 0);
}

static void pcap_frame(struct cm_buffer *file, const struct cm_layout *layout,
		       const struct cm_frame *frame)
{
	const bool big = layout->big_endian;
	const int64_t unit_ns = counts_ns(layout) ? 1 : 1000;
	const uint32_t length = cm_length_held(layout, frame);
	const bool swapped = layout->minor && layout->minor < 4;
	uint32_t seconds = (uint32_t)(frame->time_ns / NS_PER_S);
	uint32_t fraction = (uint32_t)(frame->time_ns % NS_PER_S / unit_ns);

	if (fraction % 2) {
		seconds -= layout->carried_s;
		fraction += layout->carried_s * (uint32_t)(NS_PER_S / unit_ns);
	}
	cm_u32(file, big, seconds);
	cm_u32(file, big, fraction);
	cm_u32(file, big, swapped ? length : frame->captured_bytes);
	cm_u32(file, big, swapped ? frame->captured_bytes : length);
	if (layout->magic == MODIFIED)
		cm_u64(file, big, 0x0102030405060708);
	cm_bytes(file, frame->bytes.data, frame->captured_bytes);
}

// ---- pcapng

static size_t begin_block(struct cm_buffer *file, bool big, uint32_t type)
{
	const size_t begin = file->size;

	cm_u32(file, big, type);
	cm_u32(file, big, 0);
	return begin;
}

static void end_block(struct cm_buffer *file, bool big, size_t begin)
{
	const uint32_t total = (uint32_t)(file->size - begin) + 4;

	cm_patch_u32(file, begin + 4, big, total);
	cm_u32(file, big, total);
}

static void add_option(struct cm_buffer *file, bool big, uint16_t code, const void *value,
		       uint16_t size)
{
	cm_u16(file, big, code);
	cm_u16(file, big, size);
	cm_bytes(file, value, size);
	cm_fill(file, 0, -(size_t)size & 3);
}

static void add_option_u64(struct cm_buffer *file, bool big, uint16_t code, uint64_t value)
{
	cm_u16(file, big, code);
	cm_u16(file, big, 8);
	cm_u64(file, big, value);
}

static void unknown_block(struct cm_buffer *file, bool big)
{
	const size_t begin = begin_block(file, big, 0x80000bad);

	cm_fill(file, 0x5a, 20);
	end_block(file, big, begin);
}

static void section(struct cm_buffer *file, const struct cm_layout *layout)
{
	const bool big = layout->big_endian;
	const size_t begin = begin_block(file, big, 0x0a0d0d0a);

	cm_u32(file, big, 0x1a2b3c4d);
	cm_u16(file, big, 1);
	cm_u16(file, big, 0);
	cm_u64(file, big, UINT64_MAX);
	if (layout->options)
		add_option(file, big, 1, "a test", 6);
	end_block(file, big, begin);
	if (layout->options)
		unknown_block(file, big);
}

void cm_add_interface(struct cm_buffer *file, const struct cm_layout *layout, uint16_t link,
		      uint32_t snap_bytes)
{
	const bool big = layout->big_endian;
	const size_t begin = begin_block(file, big, 1);

	cm_u16(file, big, link);
	cm_u16(file, big, 0);
	cm_u32(file, big, snap_bytes);
	if (layout->options)
		add_option(file, big, 2, "eth0", 4);
	if (layout->resolution)
		add_option(file, big, 9, &layout->resolution, 1);
	if (layout->offset_s)
		add_option_u64(file, big, 14, (uint64_t)layout->offset_s);
	if (layout->options)
		add_option(file, big, 0, NULL, 0);
	end_block(file, big, begin);
}

// Units in a second; of powers of two and of ten up to 10^18.
static uint64_t units_per_s(const struct cm_layout *layout)
{
	uint64_t units = 1;

	if (layout->resolution & 0x80)
		return (uint64_t)1 << (layout->resolution & 0x7f);
	for (int i = 0; i < (layout->resolution ? layout->resolution : 6); i++)
		units *= 10;
	return units;
}

static uint64_t stamp_of(const struct cm_layout *layout, int64_t time_ns)
{
	return (uint64_t)((__int128)(time_ns - layout->offset_s * NS_PER_S) * units_per_s(layout) /
			  NS_PER_S);
}

int64_t cm_time_held(const struct cm_layout *layout, int64_t time_ns)
{
	if (layout->format == CM_ERF)
		return time_ns; // its units are shorter than a nanosecond
	if (layout->format != CM_PCAPNG)
		return counts_ns(layout) ? time_ns : time_ns / 1000 * 1000;
	return (int64_t)((__int128)stamp_of(layout, time_ns) * NS_PER_S / units_per_s(layout)) +
	       layout->offset_s * NS_PER_S;
}

static void packet_head(struct cm_buffer *file, const struct cm_layout *layout, uint32_t interface,
			const struct cm_frame *frame)
{
	const bool big = layout->big_endian;
	const uint64_t stamp = layout->past ? UINT64_MAX / 2 : stamp_of(layout, frame->time_ns);

	if (layout->block == CM_OLD) {
		cm_u16(file, big, (uint16_t)interface);
		cm_u16(file, big, UINT16_MAX); // drops: unknown
	} else {
		cm_u32(file, big, interface);
	}
	cm_u32(file, big, (uint32_t)(stamp >> 32));
	cm_u32(file, big, (uint32_t)stamp);
	cm_u32(file, big, frame->captured_bytes);
}

static void pcapng_frame(struct cm_buffer *file, const struct cm_layout *layout, uint32_t interface,
			 const struct cm_frame *frame)
{
	static const uint32_t types[] = {[CM_ENHANCED] = 6, [CM_OLD] = 2, [CM_SIMPLE] = 3};
	const bool big = layout->big_endian;
	const size_t begin = begin_block(file, big, types[layout->block]);

	if (layout->block != CM_SIMPLE)
		packet_head(file, layout, interface, frame);
	cm_u32(file, big, cm_length_held(layout, frame));
	cm_bytes(file, frame->bytes.data, frame->captured_bytes);
	cm_fill(file, 0, -(size_t)frame->captured_bytes & 3);
	if (layout->options && layout->block == CM_ENHANCED)
		add_option(file, big, 1, "comment", 7);
	end_block(file, big, begin);
}

void cm_add_statistics(struct cm_buffer *file, const struct cm_layout *layout, uint32_t interface,
		       uint64_t dropped)
{
	const bool big = layout->big_endian;
	const size_t begin = begin_block(file, big, 5);

	cm_u32(file, big, interface);
	cm_u64(file, big, 0);
	add_option_u64(file, big, 4, 1000);
	add_option_u64(file, big, 5, dropped);
	end_block(file, big, begin);
}

// ---- either

void cm_begin(struct cm_buffer *file, const struct cm_layout *layout, uint16_t link,
	      uint32_t snap_bytes)
{
	switch (layout->format) {
	case CM_PCAP: pcap_begin(file, layout, link, snap_bytes); break;
	case CM_PCAPNG:
		section(file, layout);
		cm_add_interface(file, layout, link, snap_bytes);
		break;
	case CM_SNOOP: cm_snoop_begin(file, layout, link); break;
	case CM_ERF: // it has no header
		break;
	}
}

void cm_add_frame(struct cm_buffer *file, const struct cm_layout *layout, uint32_t interface,
		  const struct cm_frame *frame)
{
	switch (layout->format) {
	case CM_PCAP: pcap_frame(file, layout, frame); break;
	case CM_PCAPNG: pcapng_frame(file, layout, interface, frame); break;
	case CM_SNOOP: cm_snoop_frame(file, layout, frame); break;
	case CM_ERF: cm_erf_frame(file, layout, frame); break;
	}
}
