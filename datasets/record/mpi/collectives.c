// SPDX-License-Identifier: GPL-3.0-or-later
// Collective operations and new communicators, recorded. The messages that a library makes of a collective operation go past the
// profiling interface: only the operation itself is seen, with the bytes that this rank gives to it (0 if they are in place).
#include "recorder.h"

// Bytes of counts that differ by rank, over the members of the communicator.
static int64_t sum(const int *counts, MPI_Datatype type, MPI_Comm comm)
{
	const struct members *m = recorder_members(comm);
	int64_t all = 0;

	for (int i = 0; m && i < m->count; i++)
		all += counts[i];
	return recorder_size(all, type);
}

// Bytes of the same count for every member.
static int64_t each(int count, MPI_Datatype type, MPI_Comm comm)
{
	const struct members *m = recorder_members(comm);

	return m ? recorder_size((int64_t)count * m->count, type) : 0;
}

// Counts and types that mean something on the root only are not looked at elsewhere.
static bool is_root(int root, MPI_Comm comm)
{
	int rank;

	PMPI_Comm_rank(comm, &rank);
	return root == MPI_ROOT || root == rank;
}

// Nothing where what is given is in place: count and type mean nothing then.
static int64_t given(const void *out, int count, MPI_Datatype type)
{
	return out == MPI_IN_PLACE ? 0 : recorder_size(count, type);
}

#define LIST(...) __VA_ARGS__

// A blocking call and its nonblocking one: the word of flitcut(1), the bytes given, the root (-1: none), and the parameters and
// arguments in parentheses.
#define COLLECTIVE(Name, IName, word, bytes, root, parameters, arguments) \
	int MPI_##Name parameters \
	{ \
		struct operation op = recorder_collective(word, bytes, root, comm); \
		int result = PMPI_##Name arguments; \
\
		recorder_put(&op); \
		return result; \
	} \
\
	int MPI_##IName(LIST parameters, MPI_Request *request) \
	{ \
		struct operation op = recorder_collective(word, bytes, root, comm); \
		int result = PMPI_##IName(LIST arguments, request); \
\
		recorder_pending(*request, &op, false, false); \
		return result; \
	}

COLLECTIVE(Barrier, Ibarrier, "barrier", 0, -1, (MPI_Comm comm), (comm))
COLLECTIVE(Bcast, Ibcast, "bcast", is_root(root, comm) ? recorder_size(count, type) : 0, root,
	   (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm), (data, count, type, root, comm))
COLLECTIVE(Reduce, Ireduce, "reduce", recorder_size(count, type), root,
	   (const void *out, void *in, int count, MPI_Datatype type, MPI_Op how, int root, MPI_Comm comm),
	   (out, in, count, type, how, root, comm))
COLLECTIVE(Allreduce, Iallreduce, "allreduce", recorder_size(count, type), -1,
	   (const void *out, void *in, int count, MPI_Datatype type, MPI_Op how, MPI_Comm comm),
	   (out, in, count, type, how, comm))
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, "other", each(count, type, comm), -1,
	   (const void *out, void *in, int count, MPI_Datatype type, MPI_Op how, MPI_Comm comm),
	   (out, in, count, type, how, comm))
COLLECTIVE(Reduce_scatter, Ireduce_scatter, "other", sum(counts, type, comm), -1,
	   (const void *out, void *in, const int *counts, MPI_Datatype type, MPI_Op how, MPI_Comm comm),
	   (out, in, counts, type, how, comm))
COLLECTIVE(Scan, Iscan, "other", recorder_size(count, type), -1,
	   (const void *out, void *in, int count, MPI_Datatype type, MPI_Op how, MPI_Comm comm),
	   (out, in, count, type, how, comm))
COLLECTIVE(Exscan, Iexscan, "other", recorder_size(count, type), -1,
	   (const void *out, void *in, int count, MPI_Datatype type, MPI_Op how, MPI_Comm comm),
	   (out, in, count, type, how, comm))
COLLECTIVE(Gather, Igather, "gather", given(out, count, type), root,
	   (const void *out, int count, MPI_Datatype type, void *in, int in_count, MPI_Datatype in_type, int root,
	    MPI_Comm comm),
	   (out, count, type, in, in_count, in_type, root, comm))
COLLECTIVE(Gatherv, Igatherv, "gather", given(out, count, type), root,
	   (const void *out, int count, MPI_Datatype type, void *in, const int *in_counts, const int *starts,
	    MPI_Datatype in_type, int root, MPI_Comm comm),
	   (out, count, type, in, in_counts, starts, in_type, root, comm))
COLLECTIVE(Allgather, Iallgather, "allgather", given(out, count, type), -1,
	   (const void *out, int count, MPI_Datatype type, void *in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
	   (out, count, type, in, in_count, in_type, comm))
COLLECTIVE(Allgatherv, Iallgatherv, "allgather", given(out, count, type), -1,
	   (const void *out, int count, MPI_Datatype type, void *in, const int *in_counts, const int *starts,
	    MPI_Datatype in_type, MPI_Comm comm),
	   (out, count, type, in, in_counts, starts, in_type, comm))
COLLECTIVE(Scatter, Iscatter, "scatter", is_root(root, comm) ? each(count, type, comm) : 0, root,
	   (const void *out, int count, MPI_Datatype type, void *in, int in_count, MPI_Datatype in_type, int root,
	    MPI_Comm comm),
	   (out, count, type, in, in_count, in_type, root, comm))
COLLECTIVE(Scatterv, Iscatterv, "scatter", is_root(root, comm) ? sum(counts, type, comm) : 0, root,
	   (const void *out, const int *counts, const int *starts, MPI_Datatype type, void *in, int in_count,
	    MPI_Datatype in_type, int root, MPI_Comm comm),
	   (out, counts, starts, type, in, in_count, in_type, root, comm))
COLLECTIVE(Alltoall, Ialltoall, "alltoall", out == MPI_IN_PLACE ? 0 : each(count, type, comm), -1,
	   (const void *out, int count, MPI_Datatype type, void *in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
	   (out, count, type, in, in_count, in_type, comm))
COLLECTIVE(Alltoallv, Ialltoallv, "alltoall", out == MPI_IN_PLACE ? 0 : sum(counts, type, comm), -1,
	   (const void *out, const int *counts, const int *starts, MPI_Datatype type, void *in, const int *in_counts,
	    const int *in_starts, MPI_Datatype in_type, MPI_Comm comm),
	   (out, counts, starts, type, in, in_counts, in_starts, in_type, comm))

// A call that makes a communicator, which is its last parameter.
#define NEW_COMMUNICATOR(Name, parameters, arguments) \
	int MPI_##Name(LIST parameters, MPI_Comm *made) \
	{ \
		int result = PMPI_##Name(LIST arguments, made); \
\
		if (result == MPI_SUCCESS) \
			recorder_new(*made); \
		return result; \
	}

NEW_COMMUNICATOR(Comm_dup, (MPI_Comm comm), (comm))
NEW_COMMUNICATOR(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info), (comm, info))
NEW_COMMUNICATOR(Comm_create, (MPI_Comm comm, MPI_Group group), (comm, group))
NEW_COMMUNICATOR(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag), (comm, group, tag))
NEW_COMMUNICATOR(Comm_split, (MPI_Comm comm, int color, int key), (comm, color, key))
NEW_COMMUNICATOR(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info), (comm, type, key, info))
NEW_COMMUNICATOR(Cart_create, (MPI_Comm comm, int dimensions, const int *sides, const int *periodic, int reorder),
		 (comm, dimensions, sides, periodic, reorder))
NEW_COMMUNICATOR(Cart_sub, (MPI_Comm comm, const int *kept), (comm, kept))
NEW_COMMUNICATOR(Graph_create, (MPI_Comm comm, int nodes, const int *index, const int *edges, int reorder),
		 (comm, nodes, index, edges, reorder))
NEW_COMMUNICATOR(Dist_graph_create_adjacent,
		 (MPI_Comm comm, int in, const int *sources, const int *in_weights, int out, const int *destinations,
		  const int *out_weights, MPI_Info info, int reorder),
		 (comm, in, sources, in_weights, out, destinations, out_weights, info, reorder))
NEW_COMMUNICATOR(Intercomm_create, (MPI_Comm local, int leader, MPI_Comm peers, int remote_leader, int tag),
		 (local, leader, peers, remote_leader, tag))
NEW_COMMUNICATOR(Intercomm_merge, (MPI_Comm comm, int high), (comm, high))
