// SPDX-License-Identifier: GPL-3.0-or-later
// The operations that a request, or a message found by a matched probe, will end.
#include "recorder.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "rank_file.h"

enum { BUCKETS = 4096 };

struct pending {
	struct pending *next;
	uint64_t key; // the bits of a request or message: a pointer in Open MPI, an int in MPICH
	struct operation op;
	uint64_t template; // of a persistent one: what op is a copy of
	bool persistent, active;
	MPI_Comm *made; // communicator that is being made; NULL: none
	uint32_t nth;	// of its members
};

// Threads meet in a bucket only, and hold it for a few instructions.
static struct requests_bucket {
	atomic_flag held;
	struct pending *first;
} table[BUCKETS];

static struct requests_bucket *requests_enter(uint64_t key)
{
	struct requests_bucket *bucket = &table[(key * UINT64_C(0x9e3779b97f4a7c15)) >>
						52]; // Fibonacci hashing (Knuth, volume 3, 6.4)

	while (atomic_flag_test_and_set_explicit(&bucket->held, memory_order_acquire))
		;
	return bucket;
}

static void leave(struct requests_bucket *bucket)
{
	atomic_flag_clear_explicit(&bucket->held, memory_order_release);
}

// The place that holds the first pending operation of a key, or the end of the bucket's list.
static struct pending **requests_find(struct requests_bucket *bucket, uint64_t key)
{
	struct pending **place = &bucket->first;

	while (*place && (*place)->key != key)
		place = &(*place)->next;
	return place;
}

static uint64_t requests_key_of(const void *handle, size_t size)
{
	uint64_t key = 0;

	memcpy(&key, handle, size);
	return key;
}

// Without memory the operation stays in the file as one that did not end.
static void requests_add(const struct pending *pending)
{
	struct pending *p = malloc(sizeof(*p)), **end;
	struct requests_bucket *bucket;

	if (!p)
		return;
	*p = *pending;
	bucket = requests_enter(p->key);
	for (end = &bucket->first; *end; end = &(*end)->next)
		;
	*end = p;
	leave(bucket);
}

void request_add(MPI_Request request, struct operation op, const struct call *call, bool persistent)
{
	if (!op.slots || call->failed || request == MPI_REQUEST_NULL)
		return;
	requests_add(&(struct pending){.key = requests_key_of(&request, sizeof(request)),
				       .op = op,
				       .template = op.number,
				       .persistent = persistent,
				       .active = !persistent});
}

void request_communicator(MPI_Request request, MPI_Comm *made, uint32_t nth)
{
	requests_add(&(struct pending){.key = requests_key_of(&request, sizeof(request)),
				       .active = true,
				       .made = made,
				       .nth = nth});
}

// A persistent operation begins again: its slots are copied.
void request_start(MPI_Request request, const struct call *call)
{
	const uint64_t key = requests_key_of(&request, sizeof(request));
	struct requests_bucket *bucket;
	struct pending *p;

	if (!call->recorded)
		return;
	bucket = requests_enter(key);
	p = *requests_find(bucket, key);
	p = p && p->persistent ? p : NULL;
	leave(bucket);
	if (!p) // nobody frees it meanwhile: MPI forbids that
		return;
	p->op = operation_again(call, p->template, p->op.slots);
	p->active = true;
}

void request_started(MPI_Request request, const struct call *call)
{
	const uint64_t key = requests_key_of(&request, sizeof(request));
	struct requests_bucket *bucket = requests_enter(key);
	const struct pending *p = *requests_find(bucket, key);
	const struct operation op = p && p->active ? p->op : (struct operation){0};

	leave(bucket);
	operation_returned(op, call);
}

bool request_active(MPI_Request request)
{
	const uint64_t key = requests_key_of(&request, sizeof(request));
	struct requests_bucket *bucket = requests_enter(key);
	const struct pending *p = *requests_find(bucket, key);
	const bool active = p && p->active;

	leave(bucket);
	return active;
}

// Takes the operation out, unless it is persistent and not to be freed. False: there is none.
static bool requests_take(uint64_t key, bool freed, struct pending *out)
{
	struct requests_bucket *bucket = requests_enter(key);
	struct pending **place = requests_find(bucket, key), *p = *place;

	if (p) {
		*out = *p;
		p->active = false;
	}
	if (p && (!p->persistent || freed))
		*place = p->next;
	else
		p = NULL;
	leave(bucket);
	free(p);
	return p || out->op.slots || out->made;
}

void request_end(MPI_Request before, uint64_t ended_by, const MPI_Status *status)
{
	struct pending p = {0};

	if (before == MPI_REQUEST_NULL ||
	    !requests_take(requests_key_of(&before, sizeof(before)), false, &p) || !p.active)
		return;
	operation_finish(p.op, ended_by, status);
	if (p.made)
		communicator_numbered(*p.made, p.nth);
}

// A send whose request is freed goes on; a receive is not heard of again.
void request_free(MPI_Request request)
{
	struct pending p = {0};

	if (request != MPI_REQUEST_NULL &&
	    requests_take(requests_key_of(&request, sizeof(request)), true, &p) && p.active &&
	    p.op.slots && rank_file_slot(p.op.number)->kind == REC_ISEND)
		operation_finish(p.op, 0, NULL);
}

void message_add(MPI_Message message, struct operation op)
{
	if (op.slots && message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC)
		requests_add(&(struct pending){.key = requests_key_of(&message, sizeof(message)),
					       .op = op,
					       .active = true});
}

struct operation message_take(MPI_Message message)
{
	struct pending p = {0};

	requests_take(requests_key_of(&message, sizeof(message)), true, &p);
	return p.op;
}
