// SPDX-License-Identifier: GPL-3.0-or-later
// What a library in this folder gives flitsim, which loads it.
#ifndef MPI_POST_MPI_H
#define MPI_POST_MPI_H

#include <stdbool.h>

#include "sim/letters.h"

#define POST_MPI_OPEN "flitsim_post_open" // a post_mpi_open

// Joins the other ranks. False: it cannot.
typedef bool post_mpi_open(struct sim_post *post);

__attribute__((visibility("default"))) post_mpi_open flitsim_post_open;

#endif
