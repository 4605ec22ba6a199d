# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(chain_test SOURCES chain_test.c arrivals_bed.c LINKS gen)
