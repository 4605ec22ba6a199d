// SPDX-License-Identifier: GPL-3.0-or-later
// An interface captured by several rings: the kernel gives each flow, both of its directions, to
// one of them (PACKET_FANOUT_HASH), a thread reads each, decodes what the quick decoder can, and
// their frames come out in one order of time (fanout_merge.h).
// Memory: for each ring that of the kernel, and as much again, at most 16 MiB, for frames that wait
// for their turn.
#ifndef PACKET_FANOUT_H
#define PACKET_FANOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet/frame.h"
#include "packet/live.h"
#include "value/status.h"

struct pk_fanout;

// Opens options->rings rings. From here on the kernel fills them; the threads start with the first
// frames read. Each frame is in one ring alone: what came while they were opened is left out.
// warning receives libpcap's, or an empty text.
enum tr_status pk_fanout_open(struct pk_fanout **out, const struct pk_live_options *options,
			      struct tr_error *warning, struct tr_error *err);

// The next frames, at most max, lent until the next call. TR_END: none is ready, wait for the
// descriptor. TR_ERROR: a ring, or its thread, failed.
enum tr_status pk_fanout_read(struct pk_fanout *fanout, struct pk_frame *frames, size_t max,
			      size_t *count, struct tr_error *err);

// Readable when there may be frames, or trouble; pk_fanout_woken makes it wait again. That returns
// whether the interface is to be looked up, since a ring saw it go down or go away.
int pk_fanout_descriptor(const struct pk_fanout *fanout);
bool pk_fanout_woken(struct pk_fanout *fanout);

// The steady clock's time up to which all frames were read and given; INT64_MIN while some are not.
int64_t pk_fanout_emptied(struct pk_fanout *fanout);

// As pk_ring_look_up.
enum pk_live_state pk_fanout_look_up(const struct pk_fanout *fanout, enum pk_live_state before);

// Ends the threads; what they had read and not given is lost. The counts are final then.
void pk_fanout_stop(struct pk_fanout *fanout);

// Frames given and dropped, by ring, into counts[PK_RINGS_MAX], *rings of them; those dropped are
// up to a tenth of a second old before pk_fanout_stop. False if one is unknown.
bool pk_fanout_counts(struct pk_fanout *fanout, struct pk_ring_count *counts, unsigned *rings);

// Frames given after later ones of another ring.
uint64_t pk_fanout_late(const struct pk_fanout *fanout);

// Ends the capture and frees; NULL is accepted.
void pk_fanout_close(struct pk_fanout *fanout);

#endif
