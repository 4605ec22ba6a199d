// SPDX-License-Identifier: GPL-3.0-or-later
// The packets that a trace tells of, in order of time: those of a trace of packets as they stand, those of
// deliveries at the times when they were created, whatever became of them.
#ifndef GEN_SENT_PACKETS_H
#define GEN_SENT_PACKETS_H

#include "trace/reader.h"

struct sent_packets;

// in is lent; it holds packets in order of time, or deliveries in any. Deliveries are all read at the first
// sent_packets_next, and sorted in 64 MiB of memory and, beyond those, a temporary file. TR_ERROR without
// memory.
enum tr_status sent_packets_open(struct sent_packets **out, struct tr_reader *in, struct tr_error *err);

// The next packet, lent until the next call. TR_END: there are no more; in tells itself whether that was
// its clean end. TR_ERROR: deliveries could not be sorted.
enum tr_status sent_packets_next(struct sent_packets *packets, const struct tr_packet **packet, struct tr_error *err);

// NULL is accepted.
void sent_packets_close(struct sent_packets *packets);

#endif
