// SPDX-License-Identifier: GPL-3.0-or-later
// The regions of a run that several processes share, its ranks (net/drive/regions_ranks.c); each
// does nothing where there is one process.
#ifndef NET_REGIONS_RANKS_H
#define NET_REGIONS_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/drive.h"

struct net_ranks_numbers;

// Whether another rank leads the run.
static inline bool net_ranks_follows(const struct net_drive *drive)
{
	return drive->setup->ranks && drive->setup->ranks->post.rank > 0;
}

// ---- regions_ranks_open.c: there are ranks

// How many regions there are; to ranks above 0 rank 0 says so, and when the first packet comes.
// TR_ERROR where the run needs the network as a whole, or is not allowed to be cut.
enum tr_status net_ranks_count(struct net_drive *drive, bool allowed, uint32_t *count);

// The regions of nodes as rank 0 has cut them.
enum tr_status net_ranks_take_cut(struct net_drive *drive);

// Tells the others, shares the regions out among the ranks, and keeps of the graph what lies at
// those of this one. TR_ERROR where there are none.
enum tr_status net_ranks_part(struct net_drive *drive);

// The network is made: waits until all ranks have done so. TR_ERROR where one could not.
enum tr_status net_ranks_ready(struct net_drive *drive);

// ---- regions_ranks.c

// Rank 0 begins a window, and all end it: what crosses, and to rank 0 what is reported.
void net_ranks_start(struct net_drive *drive);
void net_ranks_end(struct net_drive *drive);

// A packet may have no room, for which the network would have to be united: fails a run of ranks.
void net_ranks_over(struct net_drive *drive);

// Ranks above 0 do so until the run is over.
void net_ranks_serve(struct net_drive *drive);

// ---- regions_ranks_numbers.c

// The numbers of a rank above 0. TR_ERROR if out of memory.
enum tr_status net_ranks_numbers_open(struct net_drive *drive);
void net_ranks_numbers_close(struct net_ranks_numbers *numbers);

// The number here of a packet, by rank 0's, and the other way.
uint32_t net_ranks_here(struct net_drive *drive, uint32_t number);
uint32_t net_ranks_there(const struct net_drive *drive, uint32_t worm);

// Rank 0 may give a number to another packet, as it tells the others when the next window begins.
void net_ranks_reuse(struct net_drive *drive, uint32_t worm);
void net_ranks_put_ended(struct net_drive *drive);
void net_ranks_take_ended(struct net_drive *drive);

// ---- regions_ranks_results.c

// Rank 0 takes the samples of all links; the sample of one whose region, of, another rank moves.
void net_ranks_take_samples(struct net_drive *drive, int64_t ticks);
bool net_ranks_sample(struct net_drive *drive, uint32_t of, uint32_t link, struct tr_link *out);

// The answer to that order.
void net_ranks_give_samples(struct net_drive *drive);

// A packet, as it stands in letters: what the network has of it, and, where it goes on in the other
// rank, the kind.
void net_ranks_put_worm(struct net_drive *drive, uint32_t to, uint32_t worm, bool goes_on);
bool net_ranks_get_worm(struct net_drive *drive, uint32_t from, bool goes_on);

// ---- regions_ranks_end.c

// No event is due before the run is cut, or ever. Returns whether it is cut; of a kind whose
// regions are united.
bool net_ranks_rest(struct net_drive *drive);

// The rule close, of what this process moves.
void net_ranks_close(struct net_drive *drive, bool was_cut);

// Rank 0, whose now_ticks is known, gathers what others have at the end.
void net_ranks_finish(struct net_drive *drive, bool was_cut);

// The answers to these orders.
void net_ranks_give_rest(struct net_drive *drive);
void net_ranks_give_end(struct net_drive *drive);

#endif
