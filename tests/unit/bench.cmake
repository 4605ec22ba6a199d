# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(bench_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/bench_test.c LINKS bench)
