! Sends and receives of Fortran programs, of the module or by the old header: two ranks.
program calls
  use mpi
  implicit none
  integer :: error, rank, peer, requests(2), indices(2), done, made
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
  logical :: flag
  real(8) :: out(100), in(200), total
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  peer = 1 - rank
  if (rank == 0) then
    call MPI_Send(out, 11, MPI_DOUBLE_PRECISION, peer, 1, MPI_COMM_WORLD, error)
    call MPI_Ssend(out, 12, MPI_DOUBLE_PRECISION, peer, 2, MPI_COMM_WORLD, error)
  else
    call MPI_Recv(in, 200, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
    call MPI_Recv(in, 200, MPI_DOUBLE_PRECISION, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end if
  call MPI_Irecv(in, 200, MPI_DOUBLE_PRECISION, peer, 3, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(out, 13, MPI_DOUBLE_PRECISION, peer, 3, MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  call MPI_Irecv(in, 200, MPI_DOUBLE_PRECISION, peer, 4, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(out, 14, MPI_DOUBLE_PRECISION, peer, 4, MPI_COMM_WORLD, requests(2), error)
  done = 0
  do while (done /= MPI_UNDEFINED)
    call MPI_Waitsome(2, requests, done, indices, statuses, error)
  end do
  call MPI_Irecv(in, 200, MPI_DOUBLE_PRECISION, peer, 5, MPI_COMM_WORLD, requests(1), error)
  call MPI_Send(out, 15, MPI_DOUBLE_PRECISION, peer, 5, MPI_COMM_WORLD, error)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(requests(1), flag, status, error)
  end do
  call MPI_Sendrecv(out, 16, MPI_DOUBLE_PRECISION, peer, 6, in, 200, MPI_DOUBLE_PRECISION, peer, 6, MPI_COMM_WORLD, status, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, made, error)
  if (rank == 1) call MPI_Send(out, 17, MPI_DOUBLE_PRECISION, peer, 7, made, error)
  if (rank == 0) call MPI_Recv(in, 200, MPI_DOUBLE_PRECISION, peer, 7, made, status, error)
  call MPI_Bcast(out, 18, MPI_DOUBLE_PRECISION, 1, MPI_COMM_WORLD, error)
  total = rank
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  if (total /= 1) call MPI_Abort(MPI_COMM_WORLD, 3, error)
  call MPI_Alltoall(out, 19, MPI_DOUBLE_PRECISION, in, 19, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end program
