// SPDX-License-Identifier: GPL-3.0-or-later
#include "captures/cases.h"
#include "captures/container.h"
#include "captures/damage.h"

#include <stdio.h>

#define NS_PER_S 1000000000
#define FIRST_S 1700000000
#define FRAMES 60

enum shape {
	PLAIN,	    // one section, one interface
	SECTIONS,   // several, of both orders and of different links
	INTERFACES, // several, of different links, units and snap lengths
	NONE,	    // no frames
	NO_INTERFACE,
	BACK,	 // stamps step back
	OFFLOAD, // lengths of 0
	MIXED,	 // every third frame without a stamp
	PAST,	 // every fifth stamp after the year 2262
};

struct test_case {
	const char *name;
	struct cm_layout layout;
	uint16_t link;
	uint32_t snap_bytes;
	enum shape shape;
	enum cm_damage damage;
	bool libpcap;
};

#define CLASSIC .format = CM_PCAP
#define NG .format = CM_PCAPNG
#define SNOOP .format = CM_SNOOP
#define ERF .format = CM_ERF

static const struct test_case cases[] = {
	{"pcap-us-le", {CLASSIC}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcap-us-be", {CLASSIC, .big_endian = true}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcap-ns-le", {CLASSIC, .magic = 0xa1b23c4d}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcap-ns-be",
	 {CLASSIC, .magic = 0xa1b23c4d, .big_endian = true},
	 1,
	 0,
	 PLAIN,
	 CM_WHOLE,
	 true},
	{"pcap-modified-le", {CLASSIC, .magic = 0xa1b2cd34}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcap-modified-be",
	 {CLASSIC, .magic = 0xa1b2cd34, .big_endian = true},
	 1,
	 0,
	 PLAIN,
	 CM_WHOLE,
	 true},
	{"pcap-ixia-hardware", {CLASSIC, .magic = 0x1c0001ac}, 1, 0, PLAIN, CM_WHOLE, false},
	{"pcap-ixia-software",
	 {CLASSIC, .magic = 0x1c0001ab, .big_endian = true},
	 1,
	 0,
	 PLAIN,
	 CM_WHOLE,
	 false},
	{"pcap-2.2", {CLASSIC, .minor = 2}, 1, 64, PLAIN, CM_WHOLE, true},
	{"pcap-2.3", {CLASSIC, .minor = 3}, 1, 64, PLAIN, CM_WHOLE, true},
	{"pcap-aix-be",
	 {CLASSIC, .minor = 2, .aix = true, .big_endian = true},
	 1,
	 64,
	 PLAIN,
	 CM_WHOLE,
	 false},
	{"pcap-aix-loopback", {CLASSIC, .minor = 2, .aix = true}, 0, 0, PLAIN, CM_WHOLE, false},
	{"pcap-2.5", {CLASSIC, .minor = 5}, 1, 64, PLAIN, CM_WHOLE, false},
	{"pcap-check-sequence", {CLASSIC, .link_high = 0x4400}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcap-offload", {CLASSIC}, 1, 0, OFFLOAD, CM_WHOLE, true},
	{"pcap-offload-snap-96", {CLASSIC}, 113, 96, OFFLOAD, CM_WHOLE, true},
	{"pcap-whole-second", {CLASSIC, .carried_s = 1}, 1, 0, PLAIN, CM_WHOLE, false},
	{"pcap-fraction-32-bits", {CLASSIC, .carried_s = 3000}, 1, 0, PLAIN, CM_WHOLE, false},
	{"pcap-ns-fraction-32-bits",
	 {CLASSIC, .magic = 0xa1b23c4d, .carried_s = 3},
	 1,
	 0,
	 PLAIN,
	 CM_WHOLE,
	 false},
	{"pcap-snap-96", {CLASSIC}, 1, 96, PLAIN, CM_WHOLE, true},
	{"pcap-snap-64", {CLASSIC}, 1, 64, PLAIN, CM_WHOLE, true},
	{"pcap-snap-40", {CLASSIC}, 1, 40, PLAIN, CM_WHOLE, true},
	{"pcap-length-none", {CLASSIC, .length = CM_LENGTH_NONE}, 1, 96, PLAIN, CM_WHOLE, true},
	{"pcap-length-captured",
	 {CLASSIC, .length = CM_LENGTH_CAPTURED},
	 1,
	 96,
	 PLAIN,
	 CM_WHOLE,
	 true},
	{"pcap-length-captured-64",
	 {CLASSIC, .length = CM_LENGTH_CAPTURED},
	 113,
	 64,
	 PLAIN,
	 CM_WHOLE,
	 true},
	{"pcap-length-short", {CLASSIC, .length = CM_LENGTH_SHORT}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcapng-length-none", {NG, .length = CM_LENGTH_NONE}, 276, 96, PLAIN, CM_WHOLE, true},
	{"pcapng-length-captured",
	 {NG, .length = CM_LENGTH_CAPTURED},
	 1,
	 96,
	 PLAIN,
	 CM_WHOLE,
	 true},
	{"pcapng-length-short", {NG, .length = CM_LENGTH_SHORT}, 1, 0, PLAIN, CM_WHOLE, true},
	{"snoop-length-none", {SNOOP, .length = CM_LENGTH_NONE}, 1, 96, PLAIN, CM_WHOLE, false},
	{"snoop-length-captured",
	 {SNOOP, .length = CM_LENGTH_CAPTURED},
	 1,
	 96,
	 PLAIN,
	 CM_WHOLE,
	 false},
	{"erf-length-captured",
	 {ERF, .length = CM_LENGTH_CAPTURED},
	 228,
	 96,
	 PLAIN,
	 CM_WHOLE,
	 false},
	{"pcap-none", {CLASSIC}, 1, 0, NONE, CM_WHOLE, true},
	{"pcap-back", {CLASSIC}, 1, 0, BACK, CM_WHOLE, true},
	{"link-sll", {CLASSIC}, 113, 0, PLAIN, CM_WHOLE, true},
	{"link-sll2", {CLASSIC}, 276, 0, PLAIN, CM_WHOLE, true},
	{"link-null", {CLASSIC}, 0, 0, PLAIN, CM_WHOLE, true},
	{"link-null-be", {CLASSIC, .big_endian = true}, 0, 0, PLAIN, CM_WHOLE, true},
	{"link-loop", {CLASSIC}, 108, 0, PLAIN, CM_WHOLE, true},
	{"link-raw", {CLASSIC}, 101, 0, PLAIN, CM_WHOLE, true},
	{"link-raw-12", {CLASSIC}, 12, 0, PLAIN, CM_WHOLE, true},
	{"link-raw-14", {CLASSIC}, 14, 0, PLAIN, CM_WHOLE, true},
	{"link-ipv4", {CLASSIC}, 228, 0, PLAIN, CM_WHOLE, true},
	{"link-ipv6", {CLASSIC}, 229, 0, PLAIN, CM_WHOLE, true},
	{"link-ppp", {CLASSIC}, 9, 0, PLAIN, CM_WHOLE, true},
	{"link-ppp-hdlc", {CLASSIC}, 50, 0, PLAIN, CM_WHOLE, true},
	{"link-pppoe", {CLASSIC}, 51, 0, PLAIN, CM_WHOLE, true},
	{"link-cisco-hdlc", {CLASSIC}, 104, 0, PLAIN, CM_WHOLE, true},
	{"link-ppp-direction", {CLASSIC}, 204, 0, PLAIN, CM_WHOLE, true},
	{"link-ppp-direction-0",
	 {CLASSIC, .length = CM_LENGTH_NONE},
	 204,
	 0,
	 PLAIN,
	 CM_WHOLE,
	 true},
	{"link-wifi", {CLASSIC}, 105, 0, PLAIN, CM_WHOLE, true},
	{"link-user", {CLASSIC}, 147, 0, PLAIN, CM_WHOLE, true},
	{"pcapng-le", {NG}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcapng-be", {NG, .big_endian = true}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcapng-options", {NG, .options = true}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcapng-ns", {NG, .resolution = 9}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcapng-ms", {NG, .resolution = 3}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcapng-1e10", {NG, .resolution = 10}, 1, 0, PLAIN, CM_WHOLE, false},
	{"pcapng-2e20",
	 {NG, .resolution = 0x80 | 20, .big_endian = true},
	 1,
	 0,
	 PLAIN,
	 CM_WHOLE,
	 false},
	{"pcapng-2e32", {NG, .resolution = 0x80 | 32}, 1, 0, PLAIN, CM_WHOLE, false},
	{"pcapng-offset", {NG, .offset_s = 1600000000}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcapng-offset-below", {NG, .offset_s = -86400}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcapng-old", {NG, .block = CM_OLD}, 1, 0, PLAIN, CM_WHOLE, true},
	{"pcapng-simple", {NG, .block = CM_SIMPLE}, 1, 80, PLAIN, CM_WHOLE, true},
	{"pcapng-simple-mixed", {NG}, 1, 0, MIXED, CM_WHOLE, false},
	{"pcapng-past", {NG}, 1, 0, PAST, CM_WHOLE, false},
	{"pcapng-sll2", {NG}, 276, 0, PLAIN, CM_WHOLE, true},
	{"pcapng-sections", {NG, .options = true}, 1, 0, SECTIONS, CM_WHOLE, false},
	{"pcapng-interfaces", {NG}, 1, 0, INTERFACES, CM_WHOLE, false},
	{"pcapng-none", {NG}, 1, 0, NONE, CM_WHOLE, true},
	{"pcapng-no-interface", {NG}, 1, 0, NO_INTERFACE, CM_WHOLE, false},
	{"snoop", {SNOOP}, 1, 0, PLAIN, CM_WHOLE, false},
	{"snoop-snap-96", {SNOOP, .drops = 7}, 1, 96, PLAIN, CM_WHOLE, false},
	{"snoop-surveyor", {SNOOP, .surveyor = true}, 1, 0, PLAIN, CM_WHOLE, false},
	{"snoop-none", {SNOOP}, 1, 0, NONE, CM_WHOLE, false},
	{"snoop-cut-record", {SNOOP}, 1, 0, PLAIN, CM_CUT_RECORD, false},
	{"snoop-cut-frame", {SNOOP}, 1, 0, PLAIN, CM_CUT_FRAME, false},
	{"snoop-bad-record", {SNOOP}, 1, 0, PLAIN, CM_LONG_FRAME, false},
	{"erf", {ERF}, 1, 0, PLAIN, CM_WHOLE, false},
	{"erf-snap-96", {ERF, .drops = 3}, 1, 96, PLAIN, CM_WHOLE, false},
	{"erf-extensions", {ERF, .options = true}, 1, 0, PLAIN, CM_WHOLE, false},
	{"erf-ppp", {ERF}, 50, 0, PLAIN, CM_WHOLE, false},
	{"erf-cisco-hdlc", {ERF}, 104, 0, PLAIN, CM_WHOLE, false},
	{"erf-ipv4", {ERF}, 228, 0, PLAIN, CM_WHOLE, false},
	{"erf-ipv6", {ERF}, 229, 0, PLAIN, CM_WHOLE, false},
	{"erf-cut-record", {ERF}, 1, 0, PLAIN, CM_CUT_RECORD, false},
	{"erf-cut-frame", {ERF}, 1, 0, PLAIN, CM_CUT_FRAME, false},
	{"erf-bad-record", {ERF}, 1, 0, PLAIN, CM_LONG_FRAME, false},
	{"cut-header", {CLASSIC}, 1, 0, PLAIN, CM_CUT_HEADER, false},
	{"cut-record", {CLASSIC}, 1, 0, PLAIN, CM_CUT_RECORD, false},
	{"cut-frame", {CLASSIC}, 1, 0, PLAIN, CM_CUT_FRAME, false},
	{"cut-block", {NG}, 1, 0, PLAIN, CM_CUT_FRAME, false},
	{"cut-block-head", {NG}, 1, 0, PLAIN, CM_CUT_RECORD, false},
	{"bad-captured", {CLASSIC}, 1, 0, PLAIN, CM_LONG_FRAME, false},
	{"bad-block-length", {NG}, 1, 0, PLAIN, CM_ODD_BLOCK, false},
	{"bad-block-end", {NG, .big_endian = true}, 1, 0, PLAIN, CM_BLOCK_END, false},
	{"bad-interface", {NG}, 1, 0, PLAIN, CM_NO_SUCH_INTERFACE, false},
	{"bad-order-magic", {NG}, 1, 0, PLAIN, CM_ORDER_MAGIC, false},
	{"bad-version", {CLASSIC, .big_endian = true}, 1, 0, PLAIN, CM_VERSION, false},
	{"bad-section-version", {NG}, 1, 0, PLAIN, CM_VERSION, false},
	{"bad-link", {CLASSIC}, 1, 0, PLAIN, CM_LINK_RESERVED, false},
	{"bad-link-be", {CLASSIC, .big_endian = true}, 1, 0, PLAIN, CM_LINK_RESERVED, false},
};

struct maker {
	struct cm_buffer *file;
	struct cm_facts *facts;
	struct tr_random random;
	struct cm_frame frame;
	int64_t time_ns;
	bool back;
};

// The frame's length on the wire as a reader knows it: by its headers, else by what the file has.
static uint32_t length_of(const struct cm_layout *layout, const struct cm_frame *frame)
{
	const uint32_t held_bytes = cm_length_held(layout, frame);

	if (frame->decodable && !layout->past)
		return (uint32_t)frame->bytes.size + frame->lost_bytes;
	return held_bytes ? held_bytes : frame->captured_bytes;
}

static void count(struct maker *maker, const struct cm_layout *layout)
{
	const struct cm_frame *frame = &maker->frame;
	struct cm_facts *facts = maker->facts;
	const int64_t time_ns = cm_time_held(layout, frame->time_ns);

	if (layout->format == CM_SNOOP)
		facts->lost = layout->drops;
	else if (layout->format == CM_ERF)
		facts->lost += layout->drops;
	facts->wire_bytes += length_of(layout, frame) - frame->pseudo_bytes;
	facts->frames++;
	if (layout->past)
		return;
	facts->decoded += frame->decodable;
	facts->payload_bytes += frame->payload_bytes;
	if (layout->block == CM_SIMPLE)
		return;
	if (!facts->first_ns || time_ns < facts->first_ns)
		facts->first_ns = time_ns;
	if (time_ns > facts->last_ns)
		facts->last_ns = time_ns;
}

static void add_frames(struct maker *maker, const struct cm_layout *layout, uint32_t interface,
		       uint16_t link, uint32_t snap_bytes, unsigned frames)
{
	for (unsigned i = 0; i < frames; i++) {
		cm_frame_make(&maker->frame, &maker->random, link, snap_bytes, 600);
		maker->time_ns += (int64_t)tr_random_below(&maker->random, 3000000);
		maker->frame.time_ns = maker->time_ns;
		if (maker->back && i % 7 == 3)
			maker->frame.time_ns -= 5000000;
		cm_add_frame(maker->file, layout, interface, &maker->frame);
		count(maker, layout);
	}
}

static void make_sections(struct maker *maker, struct cm_layout layout)
{
	static const uint16_t links[] = {1, 113, 0, 228};

	for (unsigned i = 0; i < 4; i++) {
		layout.big_endian = i % 2;
		layout.resolution = i == 2 ? 9 : 0;
		cm_begin(maker->file, &layout, links[i], 0);
		add_frames(maker, &layout, 0, links[i], 0, FRAMES / 4);
		cm_add_statistics(maker->file, &layout, 0, 5 + i);
		maker->facts->lost += 5 + i;
	}
}

static void make_interfaces(struct maker *maker, struct cm_layout layout)
{
	static const uint16_t links[] = {1, 101, 276};
	static const uint8_t resolutions[] = {0, 9, 0x80 | 30};
	static const uint32_t snaps[] = {0, 128, 256};

	cm_begin(maker->file, &layout, links[0], 0);
	for (unsigned i = 1; i < 3; i++) {
		layout.resolution = resolutions[i];
		cm_add_interface(maker->file, &layout, links[i], snaps[i]);
	}
	for (unsigned i = 0; i < FRAMES; i++) {
		layout.resolution = resolutions[i % 3];
		add_frames(maker, &layout, i % 3, links[i % 3], snaps[i % 3], 1);
	}
}

static void make_stamps(struct maker *maker, struct cm_layout layout, enum shape shape)
{
	cm_begin(maker->file, &layout, 1, 0);
	for (unsigned i = 0; i < FRAMES; i++) {
		layout.block = shape == MIXED && i % 3 == 1 ? CM_SIMPLE : CM_ENHANCED;
		layout.past = shape == PAST && i % 5 == 2;
		add_frames(maker, &layout, 0, 1, 0, 1);
	}
}

static void make_none(struct maker *maker, const struct test_case *row)
{
	cm_begin(maker->file, &row->layout, row->link, 0);
	if (row->shape == NO_INTERFACE) // all but the section header
		maker->file->size = 28;
}

size_t cm_case_count(void)
{
	return sizeof(cases) / sizeof(*cases);
}

const char *cm_case_name(size_t index)
{
	return cases[index].name;
}

bool cm_case_for_libpcap(size_t index)
{
	return cases[index].libpcap;
}

void cm_case_make(size_t index, uint64_t seed, struct cm_buffer *file, struct cm_facts *facts)
{
	const struct test_case *row = &cases[index];
	struct maker maker = {.file = file,
			      .facts = facts,
			      .back = row->shape == BACK,
			      .frame = {.offload = row->shape == OFFLOAD},
			      .time_ns = (int64_t)FIRST_S * NS_PER_S + 123456789};

	*facts = (struct cm_facts){.damaged = row->damage != CM_WHOLE};
	tr_random_open(&maker.random, seed, row->name);
	file->size = 0;
	switch (row->shape) {
	case SECTIONS: make_sections(&maker, row->layout); break;
	case INTERFACES: make_interfaces(&maker, row->layout); break;
	case MIXED:
	case PAST: make_stamps(&maker, row->layout, row->shape); break;
	case NONE:
	case NO_INTERFACE: make_none(&maker, row); break;
	case PLAIN:
	case BACK:
	case OFFLOAD:
		cm_begin(file, &row->layout, row->link, row->snap_bytes);
		add_frames(&maker, &row->layout, 0, row->link, row->snap_bytes, FRAMES);
		break;
	}
	if (row->damage != CM_WHOLE) {
		cm_damage_add(file, &row->layout, row->damage, &maker.frame);
		if (row->damage == CM_CUT_HEADER || row->damage >= CM_ORDER_MAGIC)
			*facts = (struct cm_facts){.damaged = true};
	}
	cm_clear(&maker.frame.bytes);
}
