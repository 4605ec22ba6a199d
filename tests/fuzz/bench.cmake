# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(bench_fuzz SOURCES bench_fuzz.c LINKS bench
	SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/bench)
