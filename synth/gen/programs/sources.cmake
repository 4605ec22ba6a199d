# SPDX-License-Identifier: GPL-3.0-or-later
# Algorithms as programs.
target_sources(gen PRIVATE
	gen/programs/arguments.c gen/programs/blocks.c gen/programs/cannon.c gen/programs/exchange.c
	gen/programs/fft.c gen/programs/fft_1d.c gen/programs/fft_3d.c gen/programs/fft_rc.c
	gen/programs/fft_vr.c gen/programs/grid.c gen/programs/halo.c gen/programs/matmul.c
	gen/programs/multicast.c gen/programs/permutation.c gen/programs/random_pairs.c
	gen/programs/sequence.c gen/programs/sweep.c gen/programs/table.c
	gen/programs/collectives/allgather.c gen/programs/collectives/allreduce.c
	gen/programs/collectives/alltoall.c gen/programs/collectives/barrier.c
	gen/programs/collectives/broadcast.c gen/programs/collectives/collective.c
	gen/programs/collectives/cubes.c gen/programs/collectives/reduce.c
	gen/programs/collectives/reduce_scatter.c gen/programs/collectives/rings.c
	gen/programs/collectives/scatter.c gen/programs/collectives/stars.c
	gen/programs/collectives/trees.c)
