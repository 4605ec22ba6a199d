// SPDX-License-Identifier: GPL-3.0-or-later
// Groups the packets of a sample by the sections of a model text: by process, and by its sources.
#ifndef GEN_FIT_STREAMS_FIT_H
#define GEN_FIT_STREAMS_FIT_H

#include "gen/families/family.h"
#include "gen/streams_model.h"

// One section's packets. Sources without packets are realisations too.
struct streams_group {
	enum streams_who who;
	uint32_t node, to;
	enum tr_class class;
	struct arrival_sample times;
	const uint32_t *packets; // indices in the sample, by source, then time
	size_t count;
};

// Memory: 12 bytes a packet, 48 a source and group.
struct streams_groups {
	struct streams_group *list; // in the order of the text; also those without packets
	size_t count;
	int64_t *ticks;
	uint32_t *packets;
	struct arrival_times *each;
};

// Groups the packets of a settled sample. Packets of unknown senders, and with FIT_BY_PAIR to nodes
// that send nothing, are left out. level is that of the intervals. TR_ERROR: more groups than a
// model text has sections, or no memory. streams_groups_clear frees it.
enum tr_status streams_groups_make(const struct packet_sample *sample, enum fit_by by, double level,
				   struct streams_groups *out, struct tr_error *err);

// Frees what it holds; it is empty then.
void streams_groups_clear(struct streams_groups *groups);

#endif
