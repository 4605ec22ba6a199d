# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(routes_fuzz SOURCES routes_fuzz.c LINKS network_input
	SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/routes)
