// SPDX-License-Identifier: GPL-3.0-or-later
// Collective operations. The messages that a library makes of one go past the profiling interface:
// only the operation itself is seen, with what this rank gives and gets. Those of neighbours are
// recorded as the messages that they are.
#include <stdlib.h>

#include "recorder.h"

REAL(Topo_test)
REAL(Cartdim_get)
REAL(Cart_shift)
REAL(Comm_rank)
REAL(Graph_neighbors_count)
REAL(Graph_neighbors)
REAL(Dist_graph_neighbors_count)
REAL(Dist_graph_neighbors)

static int members(MPI_Comm comm)
{
	const struct members *m = members_of(comm);

	return m ? m->count : 0;
}

// Counts and types that mean something on the root only are not looked at elsewhere.
static bool is_root(int root, MPI_Comm comm)
{
	const struct members *m = members_of(comm);

	return root == MPI_ROOT || (m && !m->inter && root == m->rank);
}

static void bcast_bytes(struct operation op, int64_t bytes, int root, MPI_Comm comm)
{
	if (is_root(root, comm))
		operation_bytes(op, bytes, 0);
	else
		operation_bytes(op, 0, root == MPI_PROC_NULL ? 0 : bytes);
}

// ---- neighbours, in the order that MPI gives them (MPI 4.0, section 8.6)

static void cartesian(MPI_Comm comm, int dimensions, struct neighbours *near)
{
	for (int i = 0; i < dimensions; i++)
		real_Cart_shift(comm, i, 1, &near->rank[2 * i], &near->rank[2 * i + 1]);
	for (unsigned i = 0; i < near->in; i++)
		near->rank[near->out + i] = near->rank[i];
}

static void graph(MPI_Comm comm, int rank, struct neighbours *near)
{
	real_Graph_neighbors(comm, rank, (int)near->out, near->rank);
	for (unsigned i = 0; i < near->in; i++)
		near->rank[near->out + i] = near->rank[i];
}

static void distributed_graph(MPI_Comm comm, struct neighbours *near)
{
	int *weights = calloc((size_t)near->in + near->out + 1, sizeof(*weights));

	if (weights)
		real_Dist_graph_neighbors(comm, (int)near->in, near->rank + near->out, weights,
					  (int)near->out, near->rank, weights + near->in);
	else
		near->in = near->out = 0;
	free(weights);
}

static bool neighbours_find(MPI_Comm comm, struct neighbours *near)
{
	int kind, rank, in = 0, out, weighted;

	real_Topo_test(comm, &kind);
	real_Comm_rank(comm, &rank);
	if (kind == MPI_CART)
		real_Cartdim_get(comm, &in);
	else if (kind == MPI_GRAPH)
		real_Graph_neighbors_count(comm, rank, &in);
	out = in = kind == MPI_CART ? 2 * in : in;
	if (kind == MPI_DIST_GRAPH)
		real_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
	near->in = (unsigned)in;
	near->out = (unsigned)out;
	near->bytes = calloc((size_t)in + (size_t)out + 1,
			     sizeof(*near->bytes) + sizeof(*near->rank));
	if (!near->bytes)
		return false;
	near->rank = (int *)(near->bytes + in + out);
	if (kind == MPI_CART)
		cartesian(comm, in / 2, near);
	else if (kind == MPI_GRAPH)
		graph(comm, rank, near);
	else if (kind == MPI_DIST_GRAPH)
		distributed_graph(comm, near);
	return true;
}

// ---- the calls

#define LIST(...) __VA_ARGS__

// The blocking, nonblocking and (since MPI 4) persistent form of a call. begin makes op of call,
// comm and state.
#define BLOCKING_FORM(Name, begin, parameters, arguments) \
	COUNTED(Name, parameters) \
	{ \
		const int state = 0; \
		struct call call = call_begin(); \
		struct operation op; \
		int result; \
\
		begin; \
		operation_publish(op); \
		result = THE_REAL(Name) arguments; \
		call_return(&call, result); \
		operation_ended(op, &call, NULL); \
		return result; \
	}
#define NONBLOCKING_FORM(Name, begin, parameters, arguments) \
	COUNTED(Name, (LIST parameters, MPI_Request * request)) \
	{ \
		const int state = REC_NONBLOCKING; \
		struct call call = call_begin(); \
		struct operation op; \
		int result; \
\
		begin; \
		operation_publish(op); \
		result = THE_REAL(Name)(LIST arguments, request); \
		call_return(&call, result); \
		operation_returned(op, &call); \
		request_add(*request, op, &call, false); \
		return result; \
	}
#if MPI_VERSION >= 4
#define PERSISTENT_FORM(Name, begin, parameters, arguments) \
	COUNTED(Name, (LIST parameters, MPI_Info info, MPI_Request * request)) \
	{ \
		const int state = REC_NONBLOCKING; \
		struct call call = call_begin(); \
		struct operation op; \
		int result; \
\
		begin; \
		result = THE_REAL(Name)(LIST arguments, info, request); \
		call_return(&call, result); \
		request_add(*request, op, &call, true); \
		return result; \
	}
#else
#define PERSISTENT_FORM(Name, begin, parameters, arguments)
#endif
#define FORMS(Name, IName, NameInit, begin, parameters, arguments) \
	BLOCKING_FORM(Name, begin, parameters, arguments) \
	NONBLOCKING_FORM(IName, begin, parameters, arguments) \
	PERSISTENT_FORM(NameInit, begin, parameters, arguments)

#define COLLECTIVE_BEGIN(kind, root, numbers, describe) \
	op = operation_collective(&call, kind, state, root, comm, \
				  call.recorded ? (unsigned)(numbers) : 0); \
	if (op.slots) \
	describe
#define COLLECTIVE(Name, IName, NameInit, kind, root, numbers, describe, parameters, arguments) \
	FORMS(Name, IName, NameInit, COLLECTIVE_BEGIN(kind, root, numbers, describe), parameters, \
	      arguments)

#define NEIGHBOURS_BEGIN(given, got) \
	struct neighbours near = {0}; \
\
	if (call.recorded && neighbours_find(comm, &near)) { \
		for (unsigned i = 0; i < near.out; i++) \
			near.bytes[i] = given; \
		for (unsigned i = 0; i < near.in; i++) \
			near.bytes[near.out + i] = got; \
	} \
	op = operation_neighbours(&call, state, &near, comm)
#define NEIGHBOURS(Name, IName, NameInit, given, got, parameters, arguments) \
	FORMS(Name, IName, NameInit, NEIGHBOURS_BEGIN(given, got), parameters, arguments)

// Bytes of counts that differ by rank.
#define SUM(counts, type) collectives_sum_of(counts, sizeof(*(counts)), type, comm)
static int64_t collectives_sum_of(const void *counts, size_t each, MPI_Datatype type, MPI_Comm comm)
{
	int64_t all = 0;

	for (int i = 0; i < members(comm); i++)
		all += each == sizeof(int) ? ((const int *)counts)[i]
					   : ((const MPI_Count *)counts)[i];
	return type_bytes(all, type);
}

// Sets what is given to each rank i, and the sums of that and of what is got.
#define EACH(given, got) \
	do { \
		int64_t sent = 0; \
		int64_t received = 0; \
\
		for (int i = 0; i < members(comm); i++) { \
			operation_set(op, (unsigned)i, (uint64_t)(given)); \
			sent += given; \
			received += got; \
		} \
		operation_bytes(op, sent, received); \
	} while (0)

#define COUNT int
#define OFFSET int
#define COUNTED(Name, parameters) CALL(Name, parameters)
#define THE_REAL(Name) real_##Name
COLLECTIVE(Barrier, Ibarrier, Barrier_init, REC_BARRIER, -1, 0, (void)0, (MPI_Comm comm), (comm))
#include "collectives.def"

#if MPI_VERSION >= 4
#undef COUNT
#undef OFFSET
#undef COUNTED
#undef THE_REAL
#define COUNT MPI_Count
#define OFFSET MPI_Aint
#define COUNTED(Name, parameters) CALL(Name##_c, parameters)
#define THE_REAL(Name) real_##Name##_c
#include "collectives.def"
#endif
