# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(stat_counts_property SOURCES property/stat_counts.c LINKS stat trace)
