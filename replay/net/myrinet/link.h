// SPDX-License-Identifier: GPL-3.0-or-later
// One direction of a cable: characters put on it arrive a delay later, one after another, into the
// slack buffer at its far end; that buffer's STOP and GO go out on the reverse direction, ahead of
// any worm's characters.
#ifndef NET_MYRINET_LINK_H
#define NET_MYRINET_LINK_H

#include "net/myrinet/network.h"

// Puts a character on the link now; it must be free.
void myr_link_put(struct myr_network *net, struct myr_link *link, struct myr_character character);

// Whether a worm's character may go out now. If not, sees to it that a SEND event comes when it may
// (at the GO, where the link is stopped).
bool myr_link_clear(struct myr_network *net, struct myr_link *link);

// Has a SEND event come for the link at the first tick from time_ticks on at which the link is
// free. Nothing happens where one is pending.
void myr_link_send_at(struct myr_network *net, struct myr_link *link, int64_t time_ticks);

// Has a RESET, or a BEAT, go out.
void myr_link_reset(struct myr_network *net, struct myr_link *link);
void myr_link_beat(struct myr_network *net, struct myr_link *link);

// Removes the worm's characters from the link and from the buffer at its far end.
void myr_link_forget(struct myr_network *net, struct myr_link *link, uint32_t worm);

// Handlers of MYR_ARRIVE, MYR_CONTROL and MYR_SEND.
void myr_link_arrive(struct myr_network *net, struct myr_link *link);
void myr_link_control(struct myr_network *net, struct myr_link *link);
void myr_link_send(struct myr_network *net, struct myr_link *link);

// The first character in the buffer at the link's far end, which must not be empty.
static inline struct myr_character myr_slack_head(const struct myr_link *link)
{
	return link->slack.characters[link->slack.first & link->slack.mask];
}

// When it came.
static inline int64_t myr_slack_head_ticks(const struct myr_link *link)
{
	return link->slack.arrived_ticks[link->slack.first & link->slack.mask];
}

// Removes the first character.
void myr_slack_take(struct myr_network *net, struct myr_link *link);

#endif
