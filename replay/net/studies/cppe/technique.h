// SPDX-License-Identifier: GPL-3.0-or-later
// A routing technique of the kind cppe, and what all have in common: routes, messages to their own host, and the order of
// messages that are sent in one tick, which is that of their hosts, then that of the traffic.
#ifndef NET_CPPE_TECHNIQUE_H
#define NET_CPPE_TECHNIQUE_H

#include <stdint.h>

#include "net/studies/cppe/busy.h"
#include "net/studies/cppe/cppe_params.h"
#include "net/studies/cppe/store.h"
#include "net/drive/coming.h"
#include "net/routes/route_path.h"

// Messages that were sent in this tick, by source.
struct cppe_fresh {
	struct net_worm_list *lists; // by host
	uint64_t *hosts;	     // a bit for each whose list is not empty
	uint32_t count;
};

// One run. A processor is a switch with its hosts; its number is that of the switch, from 0.
struct cppe_run {
	struct net_drive net;
	struct net_coming coming;
	const struct cppe_technique *technique;
	const struct cppe_params *params;
	struct cppe_times times;
	struct net_path path; // of the message that is started
	struct cppe_fresh fresh;
	struct cppe_busy busy;	 // packet
	struct cppe_store store; // store, by events or in rounds
};

struct cppe_technique {
	void (*layout)(struct cppe_run *cppe); // of its state, as in sim/arena.h; NULL: none
	// After the last layout. TR_ERROR: a parameter is out of range. NULL.
	enum tr_status (*open)(struct cppe_run *cppe, struct tr_error *err);
	// Sends a message between two hosts whose path is cppe->path, or keeps it.
	void (*start)(struct cppe_run *cppe, uint32_t worm);
	// What else happens in this tick, and the next tick in which something does; INT64_MAX: none. NULL: nothing ever.
	void (*advance)(struct cppe_run *cppe);
	int64_t (*next_ticks)(const struct cppe_run *cppe);
};

extern const struct cppe_technique cppe_path;	// cppe_path.c
extern const struct cppe_technique cppe_packet; // packet.c
extern const struct cppe_technique cppe_store;	// store.c
extern const struct cppe_technique cppe_rounds; // rounds.c

// Cables between switches on the path of a message.
static inline uint32_t cppe_hops(const struct cppe_run *cppe)
{
	return cppe->path.count > 2 ? cppe->path.count - 2 : 0;
}

// The link of a hop, from 0.
static inline uint32_t cppe_link(const struct cppe_run *cppe, uint32_t hop)
{
	return cppe->path.links[hop + 1];
}

// The processor at the far end of a link between switches.
static inline uint32_t cppe_far_processor(const struct cppe_run *cppe, uint32_t link)
{
	return cppe->net.setup->topology->cables[link / 2].ends[1 - link % 2].node - cppe->net.graph.hosts;
}

// Sends a message that arrives at these times (net/drive/coming.h).
static inline void cppe_send(struct cppe_run *cppe, uint32_t worm, int64_t head_ticks, int64_t received_ticks)
{
	net_coming_send(&cppe->coming, &cppe->net, worm, head_ticks, received_ticks);
}

// The run of the engine: the technique is that of setup->params.
enum tr_status cppe_run(const struct net_setup *setup, struct net_totals *totals, struct tr_error *err);

#endif
