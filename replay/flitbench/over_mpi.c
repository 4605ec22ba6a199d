// SPDX-License-Identifier: GPL-3.0-or-later
// MPI, as mpibench: the two processes are those of an MPI job.
#include "channel.h"

#ifdef FLIT_MPI
#include <limits.h>
#include <mpi.h>
#include <unistd.h>

#define TAG 0
#define LIMIT_S 60u // of starting and of ending MPI

// Waits as MPI_Wait does, but not beyond the deadline.
static enum tr_status over_mpi_finish(struct channel *channel, MPI_Request *request,
				      struct tr_error *err)
{
	int done = 0;

	while (MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS)
		if (done)
			return TR_OK;
		else if (channel_check(channel, err) != TR_OK)
			return TR_ERROR;
	return tr_fail(err, "mpi: a message failed");
}

static int other_rank(void)
{
	int rank;

	(void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return 1 - rank;
}

static enum tr_status over_mpi_put(struct channel *channel, size_t bytes, uint8_t mark,
				   struct tr_error *err)
{
	MPI_Request request;

	channel->out_end[-1] = mark;
	if (MPI_Isend(channel->out_end - bytes, (int)bytes, MPI_BYTE, other_rank(), TAG,
		      MPI_COMM_WORLD, &request) != MPI_SUCCESS)
		return tr_fail(err, "mpi: a message cannot be sent");
	return over_mpi_finish(channel, &request, err);
}

static enum tr_status over_mpi_take(struct channel *channel, size_t bytes, uint8_t mark,
				    struct tr_error *err)
{
	MPI_Request request;

	if (MPI_Irecv(channel->in_end - bytes, (int)bytes, MPI_BYTE, other_rank(), TAG,
		      MPI_COMM_WORLD, &request) != MPI_SUCCESS)
		return tr_fail(err, "mpi: a message cannot be received");
	if (over_mpi_finish(channel, &request, err) != TR_OK)
		return TR_ERROR;
	if (bytes > 0 && channel->in_end[-1] != mark)
		return tr_fail(err, "mpi: a message ends with %u, expected %u", channel->in_end[-1],
			       mark);
	return TR_OK;
}

static void over_mpi_leave(struct channel *channel)
{
	(void)channel;
}

static const struct transport transport_mpi = {.name = "mpi",
					       .send = over_mpi_put,
					       .await = over_mpi_take,
					       .leave = over_mpi_leave};

bool channel_has_mpi(void)
{
	return true;
}

enum tr_status channel_join_mpi(struct channel *channel, enum channel_side *side,
				struct tr_error *err)
{
	int rank, size;

	channel->transport = &transport_mpi;
	channel_set_deadline(channel);
	(void)alarm(LIMIT_S);
	if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
		return tr_fail(err, "mpi: cannot start");
	(void)alarm(0);
	if (MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
	    MPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS)
		return tr_fail(err, "mpi: no rank");
	if (size != 2)
		return tr_fail(
			err,
			"mpi: expected 2 processes, found %d (mpirun -n 2 flitbench --over mpi)",
			size);
	*side = rank == 1 ? CHANNEL_TIMES : CHANNEL_ANSWERS;
	return channel_own_buffers(channel, err);
}

void channel_end_mpi(bool well)
{
	int started, ended, size;

	if (MPI_Initialized(&started) != MPI_SUCCESS || !started ||
	    MPI_Finalized(&ended) != MPI_SUCCESS || ended)
		return;
	(void)alarm(LIMIT_S);
	if (well || MPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS || size == 1)
		(void)MPI_Finalize();
	else
		(void)MPI_Abort(MPI_COMM_WORLD, 2);
	(void)alarm(0);
}
#else
bool channel_has_mpi(void)
{
	return false;
}

enum tr_status channel_join_mpi(struct channel *channel, enum channel_side *side,
				struct tr_error *err)
{
	(void)channel;
	(void)side;
	return tr_fail(err, "--over mpi: built without MPI");
}

void channel_end_mpi(bool well)
{
	(void)well;
}
#endif
