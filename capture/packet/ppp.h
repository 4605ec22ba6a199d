// SPDX-License-Identifier: GPL-3.0-or-later
// PPP (RFC 1661) in its capture forms, and Cisco HDLC.
#ifndef PACKET_PPP_H
#define PACKET_PPP_H

#include "packet/link.h"

pk_link_decode pk_decode_ppp;		// LINKTYPE_PPP, _PPP_HDLC: ff 03 before it or not, or Cisco HDLC
pk_link_decode pk_decode_pppoe_session; // LINKTYPE_PPP_ETHER: from the PPPoE header on
pk_link_decode pk_decode_cisco_hdlc;	// LINKTYPE_C_HDLC

// From the PPP protocol field on.
pk_link_decode pk_decode_ppp_protocol;

#endif
