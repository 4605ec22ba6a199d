// SPDX-License-Identifier: GPL-3.0-or-later
// Capture files of other vendors: snoop (RFC 1761) and ERF.
#ifndef CAPTURES_CONTAINER_CARDS_H
#define CAPTURES_CONTAINER_CARDS_H

#include "captures/container.h"

void cm_snoop_begin(struct cm_buffer *file, const struct cm_layout *layout, uint16_t link);
void cm_snoop_frame(struct cm_buffer *file, const struct cm_layout *layout,
		    const struct cm_frame *frame);

// Its frames are of Ethernet, PPP and Cisco HDLC, and IP.
void cm_erf_frame(struct cm_buffer *file, const struct cm_layout *layout,
		  const struct cm_frame *frame);

#endif
