// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of tests/cli/flitread/calls.tsv, in its order, blocking and nonblocking (argument:
// nonblocking), with the arguments that tests/cli/flitread/calls names; then a message on a
// communicator of each constructor.
#include <mpi.h>
#include <stddef.h>

enum { RANKS = 4, ROOT = 1 };

static int out[64], in[64], rank;
static double wide_out[64], wide_in[64];
static int by_rank[RANKS] = {1, 2, 3, 4}, starts[RANKS] = {0, 1, 3, 6};
static int to[RANKS], at[RANKS], bytes_at[RANKS];
static MPI_Datatype types[RANKS];
static int nonblocking;

#define WORLD MPI_COMM_WORLD
#define BOTH(Name, name, ...) \
	do { \
		if (nonblocking) { \
			MPI_Request request; \
\
			MPI_I##name(__VA_ARGS__, &request); \
			MPI_Wait(&request, MPI_STATUS_IGNORE); \
		} else { \
			MPI_##Name(__VA_ARGS__); \
		} \
	} while (0)

// What a rank gives as its own data: MPI_IN_PLACE without a count and a type, where it may.
#define GIVE(place, count) \
	(place) ? MPI_IN_PLACE : (void *)out, (place) ? 0 : (count), \
		(place) ? MPI_DATATYPE_NULL : MPI_INT
#define GET(place, count) \
	(place) ? MPI_IN_PLACE : (void *)in, (place) ? 0 : (count), \
		(place) ? MPI_DATATYPE_NULL : MPI_INT

static void reductions(int in_place)
{
	const void *own = in_place ? MPI_IN_PLACE : (void *)out;

	BOTH(Reduce, reduce, in_place && rank != ROOT ? out : own, in, 5, MPI_INT, MPI_SUM, ROOT,
	     WORLD);
}

static void all_reductions(int call, int in_place)
{
	const void *own = in_place ? MPI_IN_PLACE : (void *)out;

	switch (call) {
	case 0: BOTH(Allreduce, allreduce, own, in, 5, MPI_INT, MPI_SUM, WORLD); break;
	case 1: BOTH(Scan, scan, own, in, 5, MPI_INT, MPI_SUM, WORLD); break;
	case 2: BOTH(Exscan, exscan, own, in, 5, MPI_INT, MPI_SUM, WORLD); break;
	default: BOTH(Reduce_scatter, reduce_scatter, own, in, by_rank, MPI_INT, MPI_SUM, WORLD);
	}
}

static void rooted(int call, int place)
{
	switch (call) {
	case 0:
		BOTH(Gather, gather, GIVE(place, 3), in, rank == ROOT ? 3 : 0, MPI_INT, ROOT,
		     WORLD);
		break;
	case 1:
		BOTH(Gatherv, gatherv, GIVE(place, by_rank[rank]), in, by_rank, starts, MPI_INT,
		     ROOT, WORLD);
		break;
	case 2:
		BOTH(Scatter, scatter, out, rank == ROOT ? 3 : 0, MPI_INT, GET(place, 3), ROOT,
		     WORLD);
		break;
	default:
		BOTH(Scatterv, scatterv, out, by_rank, starts, MPI_INT, GET(place, by_rank[rank]),
		     ROOT, WORLD);
	}
}

static void unrooted(int call, int place)
{
	const void *own = place ? MPI_IN_PLACE : (void *)wide_out;

	switch (call) {
	case 0: BOTH(Allgather, allgather, GIVE(place, 3), in, 3, MPI_INT, WORLD); break;
	case 1:
		BOTH(Allgatherv, allgatherv, GIVE(place, by_rank[rank]), in, by_rank, starts,
		     MPI_INT, WORLD);
		break;
	case 2: BOTH(Alltoall, alltoall, GIVE(place, 3), in, 3, MPI_INT, WORLD); break;
	case 3:
		BOTH(Alltoallv, alltoallv, own, place ? NULL : to, place ? NULL : at,
		     place ? MPI_DATATYPE_NULL : MPI_INT, wide_in, to, at, MPI_INT, WORLD);
		break;
	default:
		BOTH(Alltoallw, alltoallw, own, place ? NULL : to, place ? NULL : bytes_at,
		     place ? NULL : types, wide_in, to, bytes_at, types, WORLD);
	}
}

static void collectives(void)
{
	for (int i = 0; i < RANKS; i++) {
		to[i] = 1 + rank + i;
		at[i] = i ? at[i - 1] + to[i - 1] : 0;
		bytes_at[i] = 64 * i;
		types[i] = (rank + i) % 2 ? MPI_DOUBLE : MPI_INT;
	}
	BOTH(Barrier, barrier, WORLD);
	BOTH(Bcast, bcast, out, 5, MPI_INT, ROOT, WORLD);
	for (int place = 0; place < 2; place++)
		reductions(place);
	for (int call = 0; call < 4; call++)
		for (int place = 0; place < 2; place++)
			all_reductions(call, place);
	for (int call = 0; call < 4; call++)
		for (int place = 0; place < 2; place++)
			rooted(call, place && rank == ROOT);
	for (int call = 0; call < 5; call++)
		for (int place = 0; place < 2; place++)
			unrooted(call, place);
}

// ---- communicators

// From the first to the second place, of so many bytes.
static void say(MPI_Comm comm, int bytes)
{
	int own;

	if (comm == MPI_COMM_NULL)
		return;
	MPI_Comm_rank(comm, &own);
	if (own == 0)
		MPI_Send(wide_out, bytes, MPI_CHAR, 1, 0, comm);
	if (own == 1)
		MPI_Recv(wide_in, bytes, MPI_CHAR, 0, 0, comm, MPI_STATUS_IGNORE);
}

static void of_group(MPI_Comm parent, MPI_Group group, int bytes)
{
	MPI_Comm made;

	MPI_Comm_create(parent, group, &made);
	say(made, bytes);
	MPI_Group_free(&group);
}

static void groups(void)
{
	MPI_Group world, odd, even, made;
	int reverse[RANKS] = {3, 2, 1, 0}, odds[2] = {3, 1}, range[1][3] = {{3, 0, -2}},
	    two[2][3] = {{2, 3, 1}, {0, 1, 1}};

	MPI_Comm_group(WORLD, &world);
	MPI_Group_incl(world, RANKS, reverse, &made);
	of_group(WORLD, made, 101); // 3 to 2
	MPI_Group_range_incl(world, 1, range, &made);
	of_group(WORLD, made, 102); // 3 to 1
	MPI_Group_range_incl(world, 2, two, &made);
	of_group(WORLD, made, 103); // 2 to 3
	MPI_Group_incl(world, 2, odds, &odd);
	MPI_Group_excl(world, 2, odds, &even);
	MPI_Group_union(odd, even, &made); // 3 1 0 2
	of_group(WORLD, made, 104);	   // 3 to 1
	MPI_Group_difference(world, odd, &made);
	of_group(WORLD, made, 105); // 0 to 2
	MPI_Group_incl(world, RANKS, reverse, &made);
	MPI_Group_intersection(made, odd, &made);
	of_group(WORLD, made, 106); // 3 to 1
	MPI_Group_range_excl(world, 1, range, &made);
	of_group(WORLD, made, 107);		     // 0 to 2
	of_group(WORLD, rank % 2 ? odd : even, 108); // two at once: 3 to 1, 0 to 2
}

static void others(void)
{
	MPI_Comm made, half, grid, row, copy;
	MPI_Group group;
	int sides[2] = {2, 2}, flat[2] = {0, 0}, kept[2] = {1, 0}, turned[2] = {1, 0};
	int index[RANKS] = {1, 2, 3, 4}, edges[RANKS] = {1, 2, 3, 0};

	MPI_Comm_dup(WORLD, &copy);
	say(copy, 111); // 0 to 1
	MPI_Comm_split(copy, rank / 2, -rank, &half);
	say(half, 112); // 1 to 0, 3 to 2
	MPI_Comm_group(half, &group);
	MPI_Group_incl(group, 2, turned, &group);
	of_group(half, group, 113); // 0 to 1, 2 to 3
	MPI_Cart_create(copy, 2, sides, flat, 0, &grid);
	say(grid, 114); // 0 to 1
	MPI_Cart_sub(grid, kept, &row);
	say(row, 115); // 0 to 2, 1 to 3
	MPI_Graph_create(WORLD, RANKS, index, edges, 0, &made);
	say(made, 116); // 0 to 1
}

// From one group to the other; places in these.
static void say_over(MPI_Comm between, int bytes, int from, int from_place, int to, int to_place)
{
	if (rank == from)
		MPI_Send(wide_out, bytes, MPI_CHAR, to_place, 0, between);
	if (rank == to)
		MPI_Recv(wide_in, bytes, MPI_CHAR, from_place, 0, between, MPI_STATUS_IGNORE);
}

// Between the even ranks, which 2 leads, and the odd ones, which 1 leads; the same as in
// flitread/dumpi-calls.awk.
static void two_groups(void)
{
	MPI_Comm half, between, copy, merged, again;
	MPI_Group own, remote, both;
	int odd = rank % 2, here[RANKS] = {0, 1, 2, 3}, there[RANKS] = {2, 3, 0, 1};

	MPI_Comm_split(WORLD, odd, -rank, &half); // 2 0, 3 1
	MPI_Intercomm_create(half, odd, WORLD, odd ? 2 : 1, 7, &between);
	say_over(between, 121, 0, 1, 3, 0);
	MPI_Comm_dup(between, &copy);
	say_over(copy, 122, 3, 0, 0, 1);
	MPI_Intercomm_merge(between, !odd, &merged); // 3 1 2 0
	say(merged, 123);			     // 3 to 1
	MPI_Comm_remote_group(between, &remote);
	MPI_Comm_group(between, &own);
	MPI_Group_union(remote, own, &both);
	MPI_Group_incl(both, RANKS, odd ? here : there, &both); // 2 0 3 1
	of_group(merged, both, 124);				// 2 to 0
	MPI_Comm_split(merged, odd, 0, &half);
	for (int i = 0; i < 2; i++)
		MPI_Intercomm_create(half, 1, WORLD, odd ? 0 : 1, 7, i ? &again : &between);
	say_over(between, 125, 0, 1, 1, 1);
	say_over(again, 126, 0, 1, 3, 0);
}

// Communicators that DUMPI has no calls for.
static void newer(void)
{
	MPI_Comm made;
	MPI_Group world, turned;
	int reverse[RANKS] = {3, 2, 1, 0}, next[1] = {(rank + 1) % RANKS},
	    before[1] = {(rank + RANKS - 1) % RANKS};
	int self[1] = {rank}, one[1] = {1};

	MPI_Dist_graph_create(WORLD, 1, self, one, next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
	say(made, 131); // 0 to 1
	MPI_Dist_graph_create_adjacent(WORLD, 1, before, MPI_UNWEIGHTED, 1, next, MPI_UNWEIGHTED,
				       MPI_INFO_NULL, 0, &made);
	say(made, 132); // 0 to 1
	MPI_Comm_group(WORLD, &world);
	MPI_Group_incl(world, 2, reverse, &turned);
	if (rank > 1) {
		MPI_Comm_create_group(WORLD, turned, 5, &made);
		say(made, 133); // 3 to 2
	}
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	nonblocking = argc > 1;
	collectives();
	groups();
	others();
	two_groups();
	newer();
	MPI_Finalize();
	return 0;
}
