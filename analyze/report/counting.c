// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/stream_counts.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define AT_ONCE 65536 // fewer packets are not worth a thread

void counting_open(struct counting *counting, struct counts *counts)
{
	*counting = (struct counting){.counts = counts, .status = TR_OK};
}

static void *counting_count(void *context)
{
	struct counting *counting = context;
	struct counting_slots *slots = counting->slots;

	pthread_mutex_lock(&counting->lock);
	for (;;) {
		const size_t slot = counting->taken % COUNTING_SLOTS;
		enum tr_status status = TR_OK;
		struct tr_error err;

		while (counting->taken == counting->given && !counting->ended)
			pthread_cond_wait(&counting->moved, &counting->lock);
		if (counting->taken == counting->given)
			break;
		if (counting->status == TR_OK) {
			pthread_mutex_unlock(&counting->lock);
			status = counts_add(counting->counts, slots->packets[slot],
					    sizeof(*slots->packets[slot]), slots->used[slot], &err);
			pthread_mutex_lock(&counting->lock);
		}
		if (status != TR_OK) {
			counting->status = status;
			counting->err = err;
		}
		slots->used[slot] = 0;
		counting->taken++;
		pthread_cond_signal(&counting->moved);
	}
	pthread_mutex_unlock(&counting->lock);
	return NULL;
}

// Signals go to the calling thread.
static void begin(struct counting *counting)
{
	sigset_t all, before;

	counting->begun = true;
	counting->slots = calloc(1, sizeof(*counting->slots));
	if (!counting->slots)
		return;
	(void)pthread_mutex_init(&counting->lock, NULL);
	(void)pthread_cond_init(&counting->moved, NULL);
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&counting->thread, NULL, counting_count, counting) != 0) {
		free(counting->slots);
		counting->slots = NULL;
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// Passes the filled slot to the thread. Waits until the next one is empty.
static enum tr_status give(struct counting *counting, struct tr_error *err)
{
	enum tr_status status;

	pthread_mutex_lock(&counting->lock);
	counting->given++;
	pthread_cond_signal(&counting->moved);
	while (counting->given - counting->taken == COUNTING_SLOTS)
		pthread_cond_wait(&counting->moved, &counting->lock);
	status = counting->status;
	if (status != TR_OK)
		*err = counting->err;
	pthread_mutex_unlock(&counting->lock);
	return status;
}

enum tr_status counting_add(struct counting *counting, const void *records, size_t stride_bytes,
			    size_t count, struct tr_error *err)
{
	struct counting_slots *slots = counting->slots;
	const char *at = records;

	if (!slots) {
		counting->seen += count;
		if (counting->seen > AT_ONCE && !counting->begun)
			begin(counting);
		return counts_add(counting->counts, records, stride_bytes, count, err);
	}
	for (size_t i = 0; i < count; i++, at += stride_bytes) {
		const size_t slot = counting->given % COUNTING_SLOTS;

		memcpy(&slots->packets[slot][slots->used[slot]++], at, sizeof(**slots->packets));
		if (slots->used[slot] == COUNTING_PACKETS && give(counting, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status counting_end(struct counting *counting, struct tr_error *err)
{
	struct counting_slots *slots = counting->slots;

	if (!slots)
		return TR_OK;
	pthread_mutex_lock(&counting->lock);
	counting->given += slots->used[counting->given % COUNTING_SLOTS] > 0;
	counting->ended = true;
	pthread_cond_signal(&counting->moved);
	pthread_mutex_unlock(&counting->lock);
	(void)pthread_join(counting->thread, NULL);
	(void)pthread_mutex_destroy(&counting->lock);
	(void)pthread_cond_destroy(&counting->moved);
	free(slots);
	counting->slots = NULL;
	if (counting->status != TR_OK)
		*err = counting->err;
	return counting->status;
}
