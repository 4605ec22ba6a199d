// SPDX-License-Identifier: GPL-3.0-or-later
// What makes a packet the same packet in captures of several points: the headers that nothing on
// its way changes.
//
// Left out are the Ethernet addresses, the hop limit and the traffic class, which routers change,
// and the checksums, which an adapter may fill in after the sender's capture. IPv4's identification
// tells a packet from its retransmission; where it is 0, and with IPv6, TCP's timestamps do.
// Packets that are equal in all of this have one identity.
#ifndef PACKET_IDENTITY_H
#define PACKET_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/decode.h"

// Of the captured bytes these are used, so a capture that keeps fewer of a frame gives other
// identities: the headers of Ethernet and IP and the first 32 bytes after them.
#define PK_IDENTITY_BYTES 32u

// The identity of a decoded packet whose frame is still lent: 64 bits of XXH3, which two of 10^6
// different packets share with a probability of 3e-8.
uint64_t pk_identity(const struct pk_packet *packet);

// The end of a TCP segment in sequence numbers, with its SYN and FIN; false if it takes up none (an
// acknowledgement), or the packet is no TCP segment with a whole header.
bool pk_tcp_range(const struct pk_packet *packet, uint32_t *begin, uint32_t *end);

#endif
