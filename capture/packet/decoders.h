// SPDX-License-Identifier: GPL-3.0-or-later
// The decoders of link types, Ethernet types and tunnels, each from the start of its header.
#ifndef PACKET_DECODERS_H
#define PACKET_DECODERS_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/decode.h"
#include "packet/frame.h"

// ---- tunnels

// Depth of nested tunnels that are decoded; deeper ones count as they are.
#define PK_TUNNELS_MAX 16u

// UDP ports of tunnels and RoCE: VXLAN (8472: Linux' default), its generic protocol extension, RoCE
// version 2, Geneve, MPLS, L2TP, GTP-U.
enum {
	PK_PORT_L2TP = 1701,
	PK_PORT_GTP = 2152,
	PK_PORT_VXLAN = 4789,
	PK_PORT_VXLAN_GPE = 4790,
	PK_PORT_ROCE = 4791,
	PK_PORT_GENEVE = 6081,
	PK_PORT_MPLS = 6635,
	PK_PORT_VXLAN_LINUX = 8472,
};

// Whether datagrams to this port may carry one of these.
static inline bool pk_port_carries(uint16_t port)
{
	return (uint16_t)(port - PK_PORT_VXLAN) <= PK_PORT_ROCE - PK_PORT_VXLAN ||
	       port == PK_PORT_GENEVE || port == PK_PORT_MPLS || port == PK_PORT_VXLAN_LINUX ||
	       port == PK_PORT_GTP || port == PK_PORT_L2TP;
}

// Whether to decode one more tunnel. Never in a fragment, whose content is incomplete.
bool pk_tunnel_enters(const struct pk_rest *rest, const struct pk_packet *packet);

// Decodes rest, the payload of packet->flow.protocol, or of a datagram to packet->flow.dst_port.
// *packet is the tunnel's own packet, and stays it if the payload holds none.
uint32_t pk_decode_ip_tunnel(struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_udp_tunnel(struct pk_rest *rest, struct pk_packet *packet);

// GTP-U, and L2TP in a datagram: as pk_decode_udp_tunnel. L2TP version 3 over IP, as
// pk_decode_ip_tunnel.
uint32_t pk_decode_gtp(struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_l2tp(struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_l2tp_session(struct pk_rest *rest, struct pk_packet *packet);

// From a service header (NSH) on; from what WCCP puts into GRE on.
uint32_t pk_decode_nsh(struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_wccp(struct pk_rest *rest, struct pk_packet *packet);

// Whether the two bytes are a common Ethernet type.
bool pk_is_usual_type(const uint8_t *at);

// From the first label on.
uint32_t pk_decode_mpls(struct pk_rest *rest, struct pk_packet *packet);

// From the opcode of MAC control on.
uint32_t pk_decode_control(struct pk_rest *rest, struct pk_packet *packet);

// ---- links whose frames begin with an Ethernet header

pk_link_decode pk_decode_ethernet;

// ---- links without a header, for which the capture makes one up

pk_link_decode pk_decode_sll;	   // Linux cooked v1
pk_link_decode pk_decode_sll2;	   // Linux cooked v2
pk_link_decode pk_decode_null;	   // BSD loopback, address family in the writer's order
pk_link_decode pk_decode_loop;	   // OpenBSD loopback, address family in network order
pk_link_decode pk_decode_enc;	   // OpenBSD encapsulated IP
pk_link_decode pk_decode_ieee1394; // Apple's IP over IEEE 1394
pk_link_decode pk_decode_ipoib;	   // IP over InfiniBand, as adapters' interfaces show it
pk_link_decode pk_decode_ppi;	   // a header of notes, then a frame of the link type that it names

// ---- PPP (RFC 1661) in its capture forms, and Cisco HDLC

pk_link_decode pk_decode_ppp; // LINKTYPE_PPP, _PPP_HDLC: ff 03 before it or not, or Cisco HDLC
pk_link_decode pk_decode_pppoe_session; // LINKTYPE_PPP_ETHER: from the PPPoE header on
pk_link_decode pk_decode_cisco_hdlc;	// LINKTYPE_C_HDLC

// From the PPP protocol field on.
pk_link_decode pk_decode_ppp_protocol;

// ---- InfiniBand's headers (InfiniBand Architecture Specification, volume 1, chapters 5, 7 to 9),
// on its own links and over Ethernet: RoCE version 1 (annex A16) and 2 (annex A17)

// LINKTYPE_INFINIBAND: from the local route header on.
pk_link_decode pk_decode_infiniband;

// From the global route header on: RoCE version 1.
pk_link_decode pk_decode_roce_global;

// Decodes rest, the whole payload of a datagram that may be RoCE version 2; if it is not, *packet
// stays the datagram's.
uint32_t pk_decode_roce(struct pk_rest *rest, struct pk_packet *packet);

#endif
