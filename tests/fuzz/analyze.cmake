# SPDX-License-Identifier: GPL-3.0-or-later
if(TARGET series)
	flit_fuzz(series_text_fuzz SOURCES series_text_fuzz.c LINKS series
		SEEDS ${CMAKE_SOURCE_DIR}/datasets/data/tables)
endif()
flit_fuzz(traffic_fuzz SOURCES traffic_fuzz.c LINKS stat text tool
	SEEDS ${CMAKE_CURRENT_SOURCE_DIR}/seeds/traffic_fuzz.hex)
flit_fuzz(compare_table_fuzz
	SOURCES compare_table_fuzz.c ${CMAKE_SOURCE_DIR}/analyze/flitcmp/compare_cells.c
		${CMAKE_SOURCE_DIR}/analyze/flitcmp/compare_columns.c
	LINKS stat_moments text tool m
	SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/compare)
flit_fuzz(partial_fuzz SOURCES partial_fuzz.c LINKS stat text tool
	SEEDS ${CMAKE_CURRENT_SOURCE_DIR}/seeds/partial_fuzz.hex)
