// SPDX-License-Identifier: GPL-3.0-or-later
// 50 messages there and back, 20 ms apart.
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rank, value = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 50; i++) {
		if (rank == 0)
			MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
		MPI_Recv(&value, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
		usleep(20000);
	}
	MPI_Finalize();
	return 0;
}
