# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(stat_counts_property SOURCES stat_counts_test.c LINKS stat trace)
