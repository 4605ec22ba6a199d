// SPDX-License-Identifier: GPL-3.0-or-later
// A handle of libpcap for a link type as a file has it, to compile filters and to write frames
// with. (One that is opened for no file would want libpcap's own number, and tests loopback frames
// for one system's address families only.)
#ifndef PACKET_HANDLE_H
#define PACKET_HANDLE_H

#include <pcap/pcap.h>

#include "packet/link.h"
#include "trace/status.h"

// The caller closes it with pcap_close. NULL with err on failure.
pcap_t *pk_handle_open(const struct pk_link *link, uint32_t snap_bytes, struct tr_error *err);

#endif
