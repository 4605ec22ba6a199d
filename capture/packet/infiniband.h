// SPDX-License-Identifier: GPL-3.0-or-later
// InfiniBand's headers (InfiniBand Architecture Specification, volume 1, chapters 5, 7 to 9), on its
// own links and over Ethernet: RoCE version 1 (annex A16) and 2 (annex A17).
#ifndef PACKET_INFINIBAND_H
#define PACKET_INFINIBAND_H

#include "packet/decode.h"

// LINKTYPE_INFINIBAND: from the local route header on.
pk_link_decode pk_decode_infiniband;

// From the global route header on: RoCE version 1.
pk_link_decode pk_decode_roce_global;

// The payload of a datagram that may be RoCE version 2, which rest holds whole; *packet stays that of
// the datagram where it is not.
uint32_t pk_decode_roce(struct pk_rest *rest, struct pk_packet *packet);

#endif
