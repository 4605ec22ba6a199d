// SPDX-License-Identifier: GPL-3.0-or-later
// One collective operation of so many bytes.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	int bytes, ranks;
	char *from, *to;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	bytes = atoi(argv[2]);
	from = calloc((size_t)ranks, (size_t)bytes);
	to = calloc((size_t)ranks, (size_t)bytes);
	if (strcmp(argv[1], "allreduce") == 0)
		MPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	else if (strcmp(argv[1], "alltoall") == 0)
		MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
	else if (strcmp(argv[1], "bcast") == 0)
		MPI_Bcast(from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
	else if (strcmp(argv[1], "allgather") == 0)
		MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
	else if (strcmp(argv[1], "gather") == 0)
		MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	free(from);
	free(to);
	return 0;
}
