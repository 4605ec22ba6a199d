// SPDX-License-Identifier: GPL-3.0-or-later
// Tunnels: what carries packets or frames of others.
#ifndef PACKET_TUNNEL_H
#define PACKET_TUNNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/decode.h"

// Tunnels within tunnels that are entered; what is found there counts as it is.
#define PK_TUNNELS_MAX 16u

// UDP ports of what is carried in datagrams: VXLAN (8472: by Linux' default), its generic protocol
// extension, RoCE version 2, Geneve, MPLS.
enum {
	PK_PORT_VXLAN = 4789,
	PK_PORT_VXLAN_GPE = 4790,
	PK_PORT_ROCE = 4791,
	PK_PORT_GENEVE = 6081,
	PK_PORT_MPLS = 6635,
	PK_PORT_VXLAN_LINUX = 8472,
};

// Whether datagrams to this port may be more than a payload.
static inline bool pk_port_carries(uint16_t port)
{
	return (uint16_t)(port - PK_PORT_VXLAN) <= PK_PORT_ROCE - PK_PORT_VXLAN || port == PK_PORT_GENEVE ||
	       port == PK_PORT_MPLS || port == PK_PORT_VXLAN_LINUX;
}

// Whether one more tunnel is to be entered. What is in a fragment is not whole.
bool pk_tunnel_enters(const struct pk_rest *rest, const struct pk_packet *packet);

// The payload of packet->flow.protocol, or of a datagram to packet->flow.dst_port, which is all that
// rest holds. *packet is that of the tunnel; it stays where there is none in the payload.
uint32_t pk_decode_ip_tunnel(struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_udp_tunnel(struct pk_rest *rest, struct pk_packet *packet);

// From the first label on.
uint32_t pk_decode_mpls(struct pk_rest *rest, struct pk_packet *packet);

#endif
