// SPDX-License-Identifier: GPL-3.0-or-later
#include "captures/damage.h"

void cm_damage_add(struct cm_buffer *file, const struct cm_layout *layout, enum cm_damage damage,
		   const struct cm_frame *frame)
{
	const bool big = layout->big_endian;
	const size_t begin = file->size;

	cm_add_frame(file, layout, damage == CM_NO_SUCH_INTERFACE ? 7 : 0, frame);
	switch (damage) {
	case CM_CUT_HEADER: file->size = 20; break;
	case CM_CUT_RECORD: file->size = begin + 9; break;
	case CM_CUT_FRAME: file->size -= 5; break;
	case CM_LONG_FRAME:
		// ERF: of type 127, as far as can be told from 32 bits of it
		cm_patch_u32(file, begin + 8, layout->format == CM_ERF || big,
			     layout->format == CM_ERF ? 0x7f040020 : 262145);
		break;
	case CM_ODD_BLOCK: cm_patch_u32(file, begin + 4, big, 42); break;
	case CM_BLOCK_END: cm_patch_u32(file, file->size - 4, big, 16); break;
	case CM_ORDER_MAGIC: cm_patch_u32(file, 8, big, 0x1a2b3c4e); break;
	case CM_VERSION:
		if (layout->format == CM_PCAP)
			file->data[big ? 5 : 4] = 1;
		else
			file->data[big ? 15 : 14] = 1;
		break;
	case CM_LINK_RESERVED: file->data[big ? 21 : 22] |= 0x30; break;
	case CM_WHOLE:
	case CM_NO_SUCH_INTERFACE: break;
	}
}
