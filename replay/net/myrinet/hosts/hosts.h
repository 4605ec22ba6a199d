// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of this folder do for one another and for the media: traffic enters, hosts carry, worms are lost and end.
#ifndef NET_MYRINET_HOSTS_HOSTS_H
#define NET_MYRINET_HOSTS_HOSTS_H

#include "net/myrinet/hosts/run.h"

// --- entry.c

// The traffic enters: each packet at its time, in the order in which it comes, into its source's
// queue. A full queue is judged by the end of the tick before.

// Takes the traffic's next packet into run->intake.
void myr_entry_read(struct myr_run *run);

// Has the packet that is held enter when its time comes.
void myr_entry_expect(struct myr_run *run);

// When the traffic is to be looked at next; SIM_NEVER: not of itself.
static inline int64_t myr_entry_next(const struct myr_run *run)
{
	const struct net_intake *intake = &run->intake;

	return myr_earlier(run->retry_ticks, intake->looks > 0 ? intake->looks_ticks[intake->looks - 1] : SIM_NEVER);
}

// The phase, where that is now.
void myr_entry(struct myr_run *run);

// --- hosts.c

// Hosts: queues in main memory, adapter memory, transfers between the two. What is given back in a
// tick, memory or a place in a queue, can be taken from the next tick on.

// Told by the medium. The head of a worm has come to the host; it waits until medium->admit.
void myr_host_asks(struct myr_run *run, uint32_t host, uint32_t worm);
// All of a worm but a GAP behind it was taken.
void myr_host_whole(struct myr_run *run, uint32_t host, uint32_t worm);
// That GAP was taken, or removed.
void myr_host_tail(struct myr_run *run, uint32_t worm);
// The last character of the worm that the host sends has started; the next worm's turn comes.
void myr_host_sent(struct myr_run *run, uint32_t host);

// Something of the host changes in this tick, before hosts receive and send.
void myr_host_wake(struct myr_run *run, uint32_t host);

// The phases, of all hosts that are awake: transfers out of adapters end, and worms are delivered;
// then worms that have room enter their queues; transfers into adapters.
void myr_hosts_receive(struct myr_run *run);
void myr_hosts_fill(struct myr_run *run);
void myr_hosts_send(struct myr_run *run);

// The worm goes to the end of its source's queue.
void myr_host_queue(struct myr_run *run, uint32_t worm);

// Whether a worm of the size has ever room.
bool myr_host_fits(const struct myr_run *run, uint32_t size_bytes);

// The memory of a worm.
void myr_host_give_back(struct myr_run *run, uint32_t host, uint32_t size_bytes);

// --- loss.c, fault.c, removal.c

// How worms are lost: by timeouts, faults, BEATs that stay out, wrong routes, damage. Whatever finds
// that a worm is lost says so; it is removed in full, once in a tick, after characters have moved
// and hosts have sent: or, what is found after that, in the next tick.

// A livelock: so many times for each host a worm was sent again and none was delivered, and no worm
// has been in the network for as long.
#define MYR_LIVELOCK_RESENDS 1000u

// The worm is to be removed. Of several reasons the one that stands last in the list counts: timeout, route,
// error, dead.
void myr_lose(struct myr_run *run, uint32_t worm, enum tr_drop_reason reason);

// Its route is wrong: it is dropped, or the run fails.
void myr_lose_misrouted(struct myr_run *run, uint32_t worm);

// The worm's age counts from now, or does not count any more.
void myr_timeout_born(struct myr_run *run, uint32_t worm);
void myr_timeout_safe(struct myr_run *run, uint32_t worm);

// A worm begins to wait, now, at the link's far end (MYR_TIMEOUT_BLOCKED) or at its near end
// (MYR_TIMEOUT_SILENT). Nothing where the timeout is not of this kind.
void myr_timeout_watch_now(struct myr_run *run, uint32_t link);

static inline void myr_timeout_watch(struct myr_run *run, uint32_t link, enum myr_timeout_from from)
{
	if (run->times.timeout_ticks > 0 && run->params->loss.timeout_from == from)
		myr_timeout_watch_now(run, link);
}

// When the age of the oldest worm is over; SIM_NEVER: none.
static inline int64_t myr_timeout_next(const struct myr_run *run)
{
	return run->oldest == NET_NO_WORM ? SIM_NEVER : run->lives[run->oldest].born_ticks + run->times.timeout_ticks;
}

// The phases. BEATs of this tick, before anything moves; then, behind hosts, the timeouts of ages, and
// of links whose timers are due; faults; removals.
enum tr_status myr_faults_open(struct myr_run *run);
static inline int64_t myr_faults_next(const struct myr_run *run)
{
	return run->next_fault < run->fault_count ? run->faults[run->next_fault].ticks : SIM_NEVER;
}
void myr_faults(struct myr_run *run);
void myr_beats(struct myr_run *run);
void myr_timeouts(struct myr_run *run);
void myr_timer(struct myr_run *run, uint32_t link);
void myr_removals(struct myr_run *run);

// The BEAT that was to go goes out at the tick.
void myr_beat_goes(struct myr_run *run, uint32_t link, int64_t ticks);

// Whether the link's near end takes its cable for lost now.
bool myr_is_lost_now(const struct myr_run *run, uint32_t link);

static inline bool myr_is_lost(const struct myr_run *run, uint32_t link)
{
	return run->times.beat_ticks > 0 && myr_is_lost_now(run, link);
}

// --- noise.c

// Bit errors: each bit of a route, final, type, data or CRC character is inverted on its way over a
// link with one probability, independently; the bits between two errors are geometric, drawn from
// the stream "bits LINK" of the seed. The bits of a link are those of all worms that begin on it, of
// each as many as it has to send there, whether it does or not.

void myr_noise_open(struct myr_run *run, uint32_t link);

// A worm begins on the link, with so many characters that can be damaged.
void myr_noise_begin(struct myr_run *run, uint32_t link, uint32_t characters);

// What is inverted of the character of that number among them, the first being 0; they may be left
// out, but are asked for in their order.
uint8_t myr_noise_flip(struct myr_run *run, uint32_t link, uint32_t number);

// The number of the next character that is damaged; UINT32_MAX: none.
uint32_t myr_noise_next(const struct myr_run *run, uint32_t link);

// By what the CRC is off where behind characters follow the damaged one, the CRC left out.
uint8_t myr_noise_residue(uint8_t flip, uint32_t behind);

// --- outcome.c

// What became of worms, as the results are told it.

// Remembers that the run is broken and why; it ends with the tick.
void myr_run_fail(struct myr_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The worm is delivered, or dropped, now; the traffic may react in this tick where its packets have
// not entered yet, else in the next one.
void myr_outcome_delivered(struct myr_run *run, uint32_t worm);
void myr_outcome_dropped(struct myr_run *run, uint32_t worm, enum tr_drop_reason reason);

// The same of a packet that never became a worm: the one that the intake holds.
void myr_outcome_refused(struct myr_run *run, enum tr_drop_reason reason);

// All that are left, in the order in which they entered, at the run's end.
void myr_outcome_in_flight(struct myr_run *run, int64_t end_ticks);

// Of two struct myr_doomed, for qsort.
int myr_by_serial(const void *a, const void *b);

// --- sampling.c

// Samples of the links: what each did in an interval, read when it is over.

void myr_sampling_start(struct myr_run *run, int64_t start_ticks);

// When the present interval is over; SIM_NEVER: no samples are wanted, or nothing can happen first.
int64_t myr_sampling_next(const struct myr_run *run);

// The phase: where that is now, the samples of the interval are given.
void myr_sampling(struct myr_run *run);

// Something happens at the tick: the silence before it is given.
void myr_sampling_wake(struct myr_run *run, int64_t ticks);

// Where the last interval of a run that ends there, or is cut, is over; INT64_MIN: the one before was the last.
int64_t myr_sampling_last(struct myr_run *run, bool was_cut, int64_t end_ticks);

// The samples of the last interval.
void myr_sampling_end(struct myr_run *run, int64_t ticks);

#endif
