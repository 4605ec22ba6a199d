# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(mpi_record_fuzz SOURCES mpi_record_fuzz.c LINKS foreign)
