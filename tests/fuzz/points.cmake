# SPDX-License-Identifier: GPL-3.0-or-later
if(TARGET points)
	flit_fuzz(points_fuzz SOURCES points_fuzz.c LINKS points packet
		SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/points_fuzz.hex)
endif()
