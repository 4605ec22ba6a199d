// SPDX-License-Identifier: GPL-3.0-or-later
// Ways in which a capture file can be wrong.
#ifndef CAPTURES_DAMAGE_H
#define CAPTURES_DAMAGE_H

#include "captures/container.h"

enum cm_damage {
	CM_WHOLE,
	CM_CUT_HEADER,	      // the file ends inside its header
	CM_CUT_RECORD,	      // one more frame, cut inside its record header
	CM_CUT_FRAME,	      // one more frame, cut inside its bytes
	CM_LONG_FRAME,	      // one more frame, longer than any valid one
	CM_ODD_BLOCK,	      // one more block whose length is no multiple of four
	CM_BLOCK_END,	      // one more frame whose block ends with another length
	CM_NO_SUCH_INTERFACE, // one more frame, of an undescribed interface
	CM_ORDER_MAGIC,	      // the section's byte order is undefined
	CM_VERSION,	      // of an unknown format: 1.x, pcapng 1.1
	CM_LINK_RESERVED,     // reserved bits above the link type are not 0
};

// Damages a file of this layout; additions are copies of frame.
void cm_damage_add(struct cm_buffer *file, const struct cm_layout *layout, enum cm_damage damage,
		   const struct cm_frame *frame);

#endif
