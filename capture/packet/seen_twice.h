// SPDX-License-Identifier: GPL-3.0-or-later
// Packets that a capture has more than once: of both directions of a mirrored port, of all ports of
// a bridge (tcpdump -i any), of both sides of a router.
//
// Two frames may hold one packet if they have the same identity (identity.h) and the same first
// bytes of payload, within a window of time. What tells a copy from a packet that its sender
// repeated, in this order:
//
//   - Another hop limit or other headers before IP's (a tag, a tunnel): a copy.
//   - Other Ethernet addresses, another interface or capture, else the same: a copy if the sender
//     tells its packets apart: by the sequence numbers of TCP or InfiniBand, by IPv4's
//     identification, or by contents that change.
//   - The same frame: a copy if IPv4's identification tells packets of this pair of hosts apart, as
//     a retransmission has another one. Without it (IPv6, or an identification that is always the
//     same) only if it comes within 50 us, where no retransmission of TCP can come yet (RFC 6298
//     wants a second, Linux waits 200 ms, and a fast one takes three acknowledgements), and if it
//     is TCP with data, SYN or FIN, or a datagram of a sender whose contents change. Bare
//     acknowledgements and InfiniBand, which resends within microseconds, are then never copies.
//
// Of equal frames of a pair of hosts, up to three copies of each packet on average are accepted: a
// sender that keeps repeating one packet does not make copies. Before its second packet, equal
// frames are not copies, or at most one is where copies are dropped.
#ifndef PACKET_SEEN_TWICE_H
#define PACKET_SEEN_TWICE_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/checked_bytes.h"
#include "packet/decode.h"
#include "packet/frame.h"

// The default window: a mirror or bridge takes microseconds, a router's queue milliseconds. IPv4's
// 65,536 identifications come round in 10 ms at 6.5 million packets a second of one sender.
#define PK_COPIES_WINDOW_NS 10000000

// Frames that are all examined; of later ones a sample is, unless copies are to be left out.
#define PK_COPIES_SURE_FRAMES 16384u
#define PK_COPIES_SAMPLE 256u // one in so many

// Memory: 64 bytes a packet of the window, of which there is room for at least 16,384 and at most
// 1,048,576, fewer if the bound is lower; half as much again while this grows; and 128 KiB.
struct pk_copies;

// first: accept one copy of a sender's first packet, although the sender may be repeating itself.
// memory_bytes: bound of what it takes, 4 KiB if less. NULL if out of memory.
struct pk_copies *pk_copies_new(int64_t window_ns, bool first, uint64_t memory_bytes);

// Whether the sample has a packet: both of two copies, or neither. content: what was captured after
// the IP header.
static inline bool pk_copies_picks(uint16_t ip_id, uint8_t protocol, const uint8_t *content,
				   size_t size_bytes)
{
	uint64_t value = (uint64_t)ip_id << 20;

	if (size_bytes >= 8)
		value ^= (uint64_t)pk_be32(content) << 32;
	if (size_bytes >= 8 && protocol == 6) // its sequence number
		value ^= pk_be32(content + 4);
	else if (size_bytes >= 24)
		value ^= (uint64_t)pk_be32(content + 16) << 16 ^ pk_be32(content + 20);
	return ((value ^ value >> 32) * 0x9e3779b97f4a7c15u) >> 56 == 0;
}

// Takes a decoded packet, in about the order of time; returns whether it is a copy of an earlier
// one.
bool pk_copies_take(struct pk_copies *copies, const struct pk_frame *frame,
		    const struct pk_packet *packet);

// Packets of the window that were forgotten to stay within the memory: their copies were not found.
uint64_t pk_copies_forgotten(const struct pk_copies *copies);

// Frees it; NULL is accepted.
void pk_copies_free(struct pk_copies *copies);

#endif
