// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of MPI that send and receive, recorded through its profiling interface (MPI 4.0,
// chapter 15). Not recorded: communication with windows of memory (MPI_Put).
#include "recorder.h"

#define COUNT int
#define COUNTED(Name, parameters) CALL(Name, parameters)
#define THE_REAL(Name) real_##Name
#include "point_to_point.def"

#if MPI_VERSION >= 4
#undef COUNT
#undef COUNTED
#undef THE_REAL
#define COUNT MPI_Count
#define COUNTED(Name, parameters) CALL(Name##_c, parameters)
#define THE_REAL(Name) real_##Name##_c
#include "point_to_point.def"

CALL(Psend_init, (const void *data, int partitions, MPI_Count count, MPI_Datatype type, int peer,
		  int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request))
{
	struct call call = call_begin();
	struct operation op = operation_send(&call, REC_NONBLOCKING,
					     partitions * type_bytes(count, type), peer, tag, comm);
	int result = real_Psend_init(data, partitions, count, type, peer, tag, comm, info, request);

	call_return(&call, result);
	request_add(*request, op, &call, true);
	return result;
}

CALL(Precv_init, (void *data, int partitions, MPI_Count count, MPI_Datatype type, int peer, int tag,
		  MPI_Comm comm, MPI_Info info, MPI_Request *request))
{
	struct call call = call_begin();
	struct operation op = operation_recv(&call, REC_NONBLOCKING, peer, tag, comm);
	int result = real_Precv_init(data, partitions, count, type, peer, tag, comm, info, request);

	call_return(&call, result);
	request_add(*request, op, &call, true);
	return result;
}
#endif
