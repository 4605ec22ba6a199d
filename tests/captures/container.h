// SPDX-License-Identifier: GPL-3.0-or-later
// Capture files around frames: classic, pcapng, snoop and ERF.
#ifndef CAPTURES_CONTAINER_H
#define CAPTURES_CONTAINER_H

#include "captures/frame.h"

enum cm_format { CM_PCAP, CM_PCAPNG, CM_SNOOP, CM_ERF };

// What a writer puts as the frame's length on the wire: it, or, where it has lost it, 0, the
// captured length, or half of that.
enum cm_length { CM_LENGTH_KNOWN, CM_LENGTH_NONE, CM_LENGTH_CAPTURED, CM_LENGTH_SHORT };

enum cm_packet_block { CM_ENHANCED, CM_OLD, CM_SIMPLE };

// The layout of a file; zero fields are the defaults.
struct cm_layout {
	enum cm_format format;
	bool big_endian;
	uint32_t magic;	    // classic: 0 is a1b2c3d4
	uint16_t minor;	    // classic: 0 is 2.4
	uint8_t resolution; // pcapng: if_tsresol; 0: no such option
	int64_t offset_s;   // pcapng: if_tsoffset; 0: none
	enum cm_packet_block block;
	uint32_t carried_s; // classic: seconds contained in the fraction of odd stamps
	bool past;	    // pcapng: a stamp beyond 63 bits of nanoseconds
	enum cm_length length;
	bool aix;	    // classic: nanoseconds, interface types; with minor 2
	uint16_t link_high; // classic: above the link type, lengths of a check sequence
	bool options;	// pcapng: comments, statistics, blocks that nobody knows; ERF: extension
			// headers, padding and metadata between
	uint32_t drops; // snoop: so far; ERF: before each frame whose type has a place for it
	bool surveyor;	// snoop: padded as Surveyor does it
};

// Begins a file (pcapng: a section), describes a link (pcapng: as interface number n), adds a frame
// of interface n.
void cm_begin(struct cm_buffer *file, const struct cm_layout *layout, uint16_t link,
	      uint32_t snap_bytes);
void cm_add_interface(struct cm_buffer *file, const struct cm_layout *layout, uint16_t link,
		      uint32_t snap_bytes);
void cm_add_frame(struct cm_buffer *file, const struct cm_layout *layout, uint32_t interface,
		  const struct cm_frame *frame);

// pcapng: statistics of interface n, with this number of dropped frames.
void cm_add_statistics(struct cm_buffer *file, const struct cm_layout *layout, uint32_t interface,
		       uint64_t dropped);

// The frame's length on the wire as a file of this layout has it.
uint32_t cm_length_held(const struct cm_layout *layout, const struct cm_frame *frame);

// time_ns as a file of this layout can represent it.
int64_t cm_time_held(const struct cm_layout *layout, int64_t time_ns);

#endif
