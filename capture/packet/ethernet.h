// SPDX-License-Identifier: GPL-3.0-or-later
// Links whose frames begin with an Ethernet header.
#ifndef PACKET_ETHERNET_H
#define PACKET_ETHERNET_H

#include "packet/link.h"

pk_link_decode pk_decode_ethernet;

#endif
