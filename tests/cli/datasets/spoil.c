// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded: adds 1 to the first float of every message received by MPI_Recv.
#include <mpi.h>

int MPI_Recv(void *data, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
	     MPI_Status *status)
{
	int result = PMPI_Recv(data, count, type, source, tag, comm, status);

	*(float *)data += 1;
	return result;
}
