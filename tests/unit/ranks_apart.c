// SPDX-License-Identifier: GPL-3.0-or-later
#include "ranks_apart.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define APART_MOST 8u

struct apart_letter {
	struct apart_letter *next;
	size_t count;
	unsigned char bytes[];
};

// A lock for all is enough for a test.
struct apart_office {
	pthread_mutex_t lock;
	pthread_cond_t comes;
	struct apart_letter *first[APART_MOST][APART_MOST], *last[APART_MOST][APART_MOST];
};

struct apart_rank {
	struct apart_office *office;
	const struct net_engine *engine;
	struct net_setup setup;
	struct sim_ranks ranks;
	struct apart_letter *waited; // for take
	uint32_t number;
	pthread_t thread;
};

static void apart_send(void *context, uint32_t to, const void *bytes, size_t count)
{
	struct apart_rank *rank = context;
	struct apart_office *office = rank->office;
	struct apart_letter *letter = malloc(sizeof(*letter) + count);
	struct apart_letter **last = &office->last[rank->number][to];

	assert_non_null(letter);
	letter->next = NULL;
	letter->count = count;
	if (count > 0)
		memcpy(letter->bytes, bytes, count);
	pthread_mutex_lock(&office->lock);
	if (*last)
		(*last)->next = letter;
	else
		office->first[rank->number][to] = letter;
	*last = letter;
	pthread_cond_broadcast(&office->comes);
	pthread_mutex_unlock(&office->lock);
}

static size_t apart_wait(void *context, uint32_t from)
{
	struct apart_rank *rank = context;
	struct apart_office *office = rank->office;
	struct apart_letter **first = &office->first[from][rank->number];

	pthread_mutex_lock(&office->lock);
	while (!*first)
		pthread_cond_wait(&office->comes, &office->lock);
	rank->waited = *first;
	*first = rank->waited->next;
	if (!*first)
		office->last[from][rank->number] = NULL;
	pthread_mutex_unlock(&office->lock);
	return rank->waited->count;
}

static void apart_take(void *context, void *bytes)
{
	struct apart_rank *rank = context;

	if (rank->waited->count > 0)
		memcpy(bytes, rank->waited->bytes, rank->waited->count);
	free(rank->waited);
	rank->waited = NULL;
}

static void apart_settle(void *context)
{
	(void)context;
}

static void apart_open(struct apart_rank *rank, uint32_t count)
{
	const struct sim_post post = {.state = rank,
				      .rank = rank->number,
				      .count = count,
				      .send = apart_send,
				      .wait = apart_wait,
				      .take = apart_take,
				      .settle = apart_settle};

	assert_true(sim_ranks_open(&rank->ranks, &post));
	rank->setup.ranks = &rank->ranks;
}

static void *apart_follow(void *context)
{
	struct apart_rank *rank = context;
	const uint32_t links = 2 * (uint32_t)rank->setup.topology->cable_count;
	struct net_totals totals;
	struct tr_error err;

	rank->setup.traffic = (struct net_traffic){0};
	rank->setup.results = (struct net_results){
		.link_drops = calloc(links + 1, sizeof(*rank->setup.results.link_drops))};
	if (rank->engine->run(&rank->setup, &totals, &err) != TR_OK)
		sim_ranks_refuse(&rank->ranks, err.text, sizeof(err.text));
	free(rank->setup.results.link_drops);
	return NULL;
}

enum tr_status ranks_apart_run(const struct net_engine *engine, const struct net_setup *setup,
			       uint32_t count, struct net_totals *totals, struct tr_error *err)
{
	struct apart_office office = {.lock = PTHREAD_MUTEX_INITIALIZER,
				      .comes = PTHREAD_COND_INITIALIZER};
	struct apart_rank ranks[APART_MOST] = {0};
	enum tr_status status;

	for (uint32_t i = 0; i < count; i++) {
		ranks[i] = (struct apart_rank){
			.office = &office, .engine = engine, .setup = *setup, .number = i};
		apart_open(&ranks[i], count);
		if (i > 0)
			assert_int_equal(
				pthread_create(&ranks[i].thread, NULL, apart_follow, &ranks[i]), 0);
	}
	status = engine->run(&ranks[0].setup, totals, err);
	sim_ranks_end(&ranks[0].ranks, 0);
	for (uint32_t i = 1; i < count; i++)
		assert_int_equal(pthread_join(ranks[i].thread, NULL), 0);
	for (uint32_t i = 0; i < count; i++)
		sim_ranks_close(&ranks[i].ranks);
	return status;
}
