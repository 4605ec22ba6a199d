// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of InfiniBand's transport, as in a packet's opcode (InfiniBand Architecture
// Specification, volume 1, release 1.6, tables 38 and 39).
#ifndef STREAM_IB_H
#define STREAM_IB_H

#include <stdint.h>

#define TR_IB_HEADER_BYTES_MAX 40u

// A congestion notification packet of RoCE version 2 (annex A17), to the queue pair whose packet
// was marked.
#define TR_IB_CNP 0x81u

// Bytes of the extended headers between the base transport header and the payload; 0 for opcodes
// that are manufacturer-specific or reserved. *deth_at is the offset in them of the datagram
// extended header (8 bytes), -1 if there is none.
uint32_t tr_ib_header_bytes(uint8_t opcode, int *deth_at);

#endif
