// SPDX-License-Identifier: GPL-3.0-or-later
// Links without a header of their own, for which the capture makes one up.
#ifndef PACKET_COOKED_H
#define PACKET_COOKED_H

#include "packet/link.h"

pk_link_decode pk_decode_sll;	   // Linux cooked v1
pk_link_decode pk_decode_sll2;	   // Linux cooked v2
pk_link_decode pk_decode_null;	   // BSD loopback, address family in the writer's order
pk_link_decode pk_decode_loop;	   // OpenBSD loopback, address family in network order
pk_link_decode pk_decode_enc;	   // OpenBSD encapsulated IP
pk_link_decode pk_decode_ieee1394; // Apple's IP over IEEE 1394

#endif
