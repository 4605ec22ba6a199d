// SPDX-License-Identifier: GPL-3.0-or-later
// Two ranks exchange 1,000 messages each way; then rank 0 sends one that nobody takes, and both
// kill themselves.
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rank, value = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 1000; i++)
		MPI_Sendrecv_replace(&value, 1, MPI_INT, 1 - rank, i, 1 - rank, i, MPI_COMM_WORLD,
				     MPI_STATUS_IGNORE);
	if (rank == 0)
		MPI_Send(&value, 1, MPI_INT, 1, 5000, MPI_COMM_WORLD);
	usleep(200000);
	raise(SIGKILL);
	return 0;
}
