// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define LOOKS 2000u // at what is to come, before a thread lets others run or sleeps

// A thread that comes too late for a round takes a number above all tasks, or a task of the next
// round, which is as good. What the threads write often stand in lines of the cache of their own.
struct sim_crew {
	_Alignas(64) atomic_uint next; // the task to take; tasks or more: none
	_Alignas(64) atomic_uint done; // tasks of this round
	_Alignas(64) atomic_uint sleepers;
	atomic_bool over;
	pthread_mutex_t lock; // for sleep and wake alone
	pthread_cond_t wake;
	sim_task *work;
	void *context;
	uint32_t tasks;
	uint32_t helpers; // threads beside the caller's
	pthread_t threads[];
};

static void crew_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

static void crew_work(struct sim_crew *crew)
{
	uint32_t task;

	while ((task = atomic_fetch_add(&crew->next, 1)) < crew->tasks) {
		crew->work(crew->context, task);
		atomic_fetch_add_explicit(&crew->done, 1, memory_order_release);
	}
}

static bool crew_has_nothing(struct sim_crew *crew)
{
	return atomic_load(&crew->next) >= crew->tasks && !atomic_load(&crew->over);
}

static void crew_sleep(struct sim_crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	atomic_fetch_add(&crew->sleepers, 1);
	while (crew_has_nothing(crew))
		pthread_cond_wait(&crew->wake, &crew->lock);
	atomic_fetch_sub(&crew->sleepers, 1);
	pthread_mutex_unlock(&crew->lock);
}

static void *crew_help(void *context)
{
	struct sim_crew *crew = context;

	while (!atomic_load(&crew->over)) {
		crew_work(crew);
		for (uint32_t i = 0; i < LOOKS && crew_has_nothing(crew); i++)
			crew_pause();
		if (crew_has_nothing(crew))
			crew_sleep(crew);
	}
	return NULL;
}

static void crew_wake(struct sim_crew *crew)
{
	if (atomic_load(&crew->sleepers) == 0)
		return;
	pthread_mutex_lock(&crew->lock);
	pthread_cond_broadcast(&crew->wake);
	pthread_mutex_unlock(&crew->lock);
}

struct sim_crew *sim_crew_open(uint32_t threads, uint32_t tasks, sim_task *work, void *context,
			       struct tr_error *err)
{
	const size_t bytes = sizeof(struct sim_crew) + threads * sizeof(pthread_t);
	struct sim_crew *crew = aligned_alloc(64, (bytes + 63) / 64 * 64);

	if (!crew) {
		tr_no_memory(err, "%u threads", threads);
		return NULL;
	}
	*crew = (struct sim_crew){.work = work, .context = context, .tasks = tasks};
	atomic_init(&crew->next, tasks);
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->wake, NULL);
	while (crew->helpers + 1 < threads &&
	       pthread_create(&crew->threads[crew->helpers], NULL, crew_help, crew) == 0)
		crew->helpers++;
	return crew;
}

void sim_crew_close(struct sim_crew *crew)
{
	if (!crew)
		return;
	atomic_store(&crew->over, true);
	crew_wake(crew);
	for (uint32_t i = 0; i < crew->helpers; i++)
		pthread_join(crew->threads[i], NULL);
	pthread_cond_destroy(&crew->wake);
	pthread_mutex_destroy(&crew->lock);
	free(crew);
}

void sim_crew_start(struct sim_crew *crew)
{
	atomic_store_explicit(&crew->done, 0, memory_order_relaxed);
	atomic_store(&crew->next, 0);
	crew_wake(crew);
}

void sim_crew_finish(struct sim_crew *crew)
{
	crew_work(crew);
	for (uint32_t i = 0; atomic_load_explicit(&crew->done, memory_order_acquire) < crew->tasks;
	     i++)
		if (i < LOOKS)
			crew_pause();
		else
			sched_yield();
}
