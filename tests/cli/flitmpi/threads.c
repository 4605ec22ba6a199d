// SPDX-License-Identifier: GPL-3.0-or-later
// threads N: four threads of each of two ranks exchange N messages each way at once, a tag each.
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
enum { THREADS = 4 };
static int rank;
static long each;
static void *exchange(void *number)
{
	const int tag = (int)(long)number;
	int in, out = tag;
	MPI_Request requests[2];

	for (int i = 0; i < each; i++) {
		MPI_Irecv(&in, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(&out, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int provided;

	each = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided != MPI_THREAD_MULTIPLE)
		return 77;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, exchange, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	MPI_Finalize();
	return 0;
}
