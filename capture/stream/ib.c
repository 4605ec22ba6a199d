// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/ib.h"

#include <stdbool.h>

#define RDETH_BYTES 4u
#define DETH_BYTES 8u
#define XRCETH_BYTES 4u
#define CONGESTION_BYTES 16u

// Services, the upper three bits of an opcode; the lower five are the operation.
enum { RELIABLE = 0, UNRELIABLE = 1, RELIABLE_DATAGRAM = 2, DATAGRAM = 3, EXTENDED = 5 };
enum { READ_RESPONSE_FIRST = 0x0d, ATOMIC_ACKNOWLEDGE = 0x12, CONGESTION = 0x81 };

// By operation; without the header that a service adds to all requests.
static const uint8_t operation_bytes[32] = {
	[0x03] = 4,  // send, last, with immediate data
	[0x05] = 4,  // send, only, with immediate data
	[0x06] = 16, // write, first: RETH
	[0x09] = 4,  // write, last, with immediate data
	[0x0a] = 16, // write, only
	[0x0b] = 20, // write, only, with immediate data
	[0x0c] = 16, // read
	[0x0d] = 4,  // response to a read, first: AETH
	[0x0f] = 4,  // last
	[0x10] = 4,  // only
	[0x11] = 4,  // acknowledgement
	[0x12] = 12, // of an atomic operation: AETH, AtomicAckETH
	[0x13] = 28, // compare and swap: AtomicETH
	[0x14] = 28, // fetch and add
	[0x16] = 4,  // send, last, with invalidate: IETH
	[0x17] = 4,  // send, only, with invalidate
	[0x1c] = 20, // flush: FETH, RETH
	[0x1d] = 16, // atomic write
};

uint32_t tr_ib_header_bytes(uint8_t opcode, int *deth_at)
{
	const unsigned operation = opcode & 31u;
	const bool response = operation >= READ_RESPONSE_FIRST && operation <= ATOMIC_ACKNOWLEDGE;

	*deth_at = -1;
	switch (opcode >> 5) {
	case RELIABLE:
	case UNRELIABLE: return operation_bytes[operation];
	case RELIABLE_DATAGRAM:
		if (response)
			return RDETH_BYTES + operation_bytes[operation];
		*deth_at = RDETH_BYTES;
		return RDETH_BYTES + DETH_BYTES + operation_bytes[operation];
	case DATAGRAM: *deth_at = 0; return DETH_BYTES + operation_bytes[operation];
	case EXTENDED: return (response ? 0 : XRCETH_BYTES) + operation_bytes[operation];
	default: return opcode == CONGESTION ? CONGESTION_BYTES : 0;
	}
}
