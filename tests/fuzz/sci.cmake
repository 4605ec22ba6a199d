# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(ping_pongs_fuzz SOURCES ping_pongs_fuzz.c LINKS studies net m
	SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/ping-pongs)
