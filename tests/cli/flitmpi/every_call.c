// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of call that the recorder knows, on three ranks. Sizes tell the messages apart.
#include <mpi.h>

enum { MANY = 100 };

static char out[4096], in[4096];
static int rank, right, left;

static void blocking(void)
{
	static char buffer[4096];

	MPI_Buffer_attach(buffer, sizeof(buffer));
	if (rank == 0) {
		MPI_Send(out, 101, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
		MPI_Ssend(out, 102, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
		MPI_Bsend(out, 103, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
		MPI_Send(out, 26, MPI_INT, 1, 4, MPI_COMM_WORLD);
	} else if (rank == 1) {
		for (int i = 1; i <= 4; i++)
			MPI_Recv(in, 4096, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
	}
	MPI_Send(out, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
	MPI_Recv(in, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(out, 200 + rank, MPI_CHAR, right, 5, in, 4096, MPI_CHAR, left, 5,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv_replace(out, 210, MPI_CHAR, left, 6, right, 6, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void wait_one(MPI_Request *request, int with_test)
{
	int done = 0;

	while (with_test && !done)
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
	if (!with_test)
		MPI_Wait(request, MPI_STATUS_IGNORE);
}

// More requests than the recorder keeps on its stack, of one tag: equal sizes would hide an
// exchange of two.
static void many(void)
{
	MPI_Request requests[2 * MANY];
	int done = 0;

	for (int i = 0; i < MANY; i++)
		MPI_Irecv(in, 4096, MPI_CHAR, left, 7, MPI_COMM_WORLD, &requests[i]);
	for (int i = 0; i < MANY; i++)
		MPI_Isend(out, 300 + i, MPI_CHAR, right, 7, MPI_COMM_WORLD, &requests[MANY + i]);
	while (!done)
		MPI_Testall(2 * MANY, requests, &done, MPI_STATUSES_IGNORE);
}

static void nonblocking(void)
{
	MPI_Request requests[4];
	int index, done = 0, some[4], ended = 0;

	for (int i = 0; i < 2; i++) {
		MPI_Irecv(in, 4096, MPI_CHAR, left, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
		MPI_Issend(out, 220 + i, MPI_CHAR, right, 8, MPI_COMM_WORLD, &requests[1]);
		wait_one(&requests[0], i);
		wait_one(&requests[1], i);
	}
	MPI_Irecv(in, 4096, MPI_CHAR, left, 9, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(out, 230, MPI_CHAR, right, 9, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
	while (!done || index != MPI_UNDEFINED)
		MPI_Testany(2, requests, &index, &done, MPI_STATUS_IGNORE);
	for (int i = 0; i < 2; i++) {
		MPI_Irecv(in, 4096, MPI_CHAR, left, 10, MPI_COMM_WORLD, &requests[i]);
		MPI_Isend(out, 240 + i, MPI_CHAR, right, 10, MPI_COMM_WORLD, &requests[2 + i]);
	}
	while (ended != MPI_UNDEFINED) {
		MPI_Waitsome(4, requests, &ended, some, MPI_STATUSES_IGNORE);
		if (ended != MPI_UNDEFINED)
			MPI_Testsome(4, requests, &ended, some, MPI_STATUSES_IGNORE);
	}
	MPI_Irecv(in, 4096, MPI_CHAR, left, 99, MPI_COMM_WORLD, &requests[0]);
	MPI_Cancel(&requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void persistent(void)
{
	MPI_Request requests[2];
	MPI_Status statuses[2];

	MPI_Recv_init(in, 4096, MPI_CHAR, left, 11, MPI_COMM_WORLD, &requests[0]);
	MPI_Send_init(out, 250, MPI_CHAR, right, 11, MPI_COMM_WORLD, &requests[1]);
	MPI_Startall(2, requests);
	MPI_Waitall(2, requests, statuses);
	MPI_Start(&requests[1]);
	MPI_Start(&requests[0]);
	MPI_Waitall(2, requests, statuses);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

// Received in the order in which they were found, and not that of the calls that receive; found in
// the order of sending.
static void probed(void)
{
	MPI_Message first, second;
	MPI_Request request;
	int found = 0;

	if (rank == 0) {
		MPI_Send(out, 270, MPI_CHAR, 2, 15, MPI_COMM_WORLD);
		MPI_Send(out, 271, MPI_CHAR, 2, 15, MPI_COMM_WORLD);
	}
	if (rank != 2)
		return;
	MPI_Mprobe(MPI_ANY_SOURCE, 15, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
	while (!found)
		MPI_Improbe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &second, MPI_STATUS_IGNORE);
	MPI_Mrecv(in, 4096, MPI_CHAR, &second, MPI_STATUS_IGNORE);
	MPI_Imrecv(in, 4096, MPI_CHAR, &first, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// Ranks in reverse; a copy of it; one of the ranks 0 and 2 alone; two groups.
static void communicators(void)
{
	MPI_Comm reverse, copy, pair, between, solo;
	MPI_Request request;
	int mine;

	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reverse);
	MPI_Comm_dup(reverse, &copy);
	MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, rank, &pair);
	MPI_Comm_rank(reverse, &mine);
	if (mine == 0)
		MPI_Send(out, 260, MPI_CHAR, 1, 12, reverse);
	if (mine == 1)
		MPI_Recv(in, 260, MPI_CHAR, 0, 12, reverse, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	if (mine == 1)
		MPI_Send(out, 261, MPI_CHAR, 0, 12, copy);
	if (mine == 0)
		MPI_Recv(in, 261, MPI_CHAR, MPI_ANY_SOURCE, 12, copy, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		MPI_Send(out, 262, MPI_CHAR, 1, 12, pair);
	if (rank == 2)
		MPI_Recv(in, 262, MPI_CHAR, 0, 12, pair, MPI_STATUS_IGNORE);
	MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &solo);
	MPI_Intercomm_create(solo, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 13, &between);
	if (rank == 0)
		MPI_Send(out, 263, MPI_CHAR, 1, 14, between);
	if (rank == 2)
		MPI_Recv(in, 263, MPI_CHAR, 0, 14, between, MPI_STATUS_IGNORE);
	MPI_Irecv(in, 264, MPI_CHAR, MPI_ANY_SOURCE, 15, copy, &request);
	MPI_Send(out, 264, MPI_CHAR, mine, 15, copy);
	MPI_Comm_free(&between);
	MPI_Comm_free(&copy); // the receive goes on
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collective(void)
{
	MPI_Request request;
	int one = 1, sum, three[3];

	MPI_Bcast(out, 50, MPI_CHAR, 1, MPI_COMM_WORLD);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Alltoall(out, 10, MPI_CHAR, in, 10, MPI_CHAR, MPI_COMM_WORLD);
	MPI_Gather(rank == 2 ? MPI_IN_PLACE : out, 4, MPI_CHAR, in, 4, MPI_CHAR, 2, MPI_COMM_WORLD);
	MPI_Iallgather(&one, 1, MPI_INT, three, 1, MPI_INT, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// Neighbours in a row (the ends have one each) and in a ring; counts that differ; persistent
// collective operations, and counts of type MPI_Count, of which MPI has had neither before version
// 4.
static void since_3(void)
{
	int three = 3, one = 1, zero = 0, counts[3], starts[3] = {0, 1000, 2000};
	MPI_Comm row, copy;
	MPI_Request request;

	MPI_Cart_create(MPI_COMM_WORLD, 1, &three, &zero, 0, &row);
	MPI_Neighbor_alltoall(out, 280, MPI_CHAR, in, 280, MPI_CHAR, row);
	MPI_Ineighbor_allgather(out, 281, MPI_CHAR, in, 281, MPI_CHAR, row, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_idup(row, &copy, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (rank == 0)
		MPI_Send(out, 282, MPI_CHAR, 1, 16, copy);
	if (rank == 1)
		MPI_Recv(in, 282, MPI_CHAR, 0, 16, copy, MPI_STATUS_IGNORE);
	for (int i = 0; i < 3; i++)
		counts[i] = 20 + i;
	for (int i = 0; i < 3; i++)
		starts[i] = 30 * i;
	MPI_Alltoallv(out, counts, starts, MPI_CHAR, in, (int[]){20 + rank, 20 + rank, 20 + rank},
		      starts, MPI_CHAR, MPI_COMM_WORLD);
	MPI_Allgatherv(out, 20 + rank, MPI_CHAR, in, counts, starts, MPI_CHAR, MPI_COMM_WORLD);
	MPI_Reduce_scatter(out, in, (int[]){1, 2, 3}, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Scan(&one, &zero, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#if MPI_VERSION >= 4
	MPI_Allreduce_init(out, in, 5, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	for (int i = 0; i < 2; i++) {
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
	if (rank == 0)
		MPI_Send_c(out, 283, MPI_CHAR, 1, 17, MPI_COMM_WORLD);
	if (rank == 1)
		MPI_Recv_c(in, 283, MPI_CHAR, 0, 17, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Isendrecv(out, 284, MPI_CHAR, right, 18, in, 284, MPI_CHAR, left, 18, MPI_COMM_WORLD,
		      &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (rank == 0)
		MPI_Psend_init(out, 3, 95, MPI_CHAR, 1, 18, MPI_COMM_WORLD, MPI_INFO_NULL,
			       &request);
	if (rank == 1)
		MPI_Precv_init(in, 3, 95, MPI_CHAR, 0, 18, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	for (int i = 0; rank < 2 && i < 2; i++) {
		MPI_Start(&request);
		for (int part = 0; rank == 0 && part < 3; part++)
			MPI_Pready(part, request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	if (rank < 2)
		MPI_Request_free(&request);
#endif
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	right = (rank + 1) % 3;
	left = (rank + 2) % 3;
	blocking();
	many();
	nonblocking();
	persistent();
	probed();
	communicators();
	collective();
	since_3();
	MPI_Finalize();
	return 0;
}
