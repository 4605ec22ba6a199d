# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(series_text_fuzz
	SOURCES series_text_fuzz.c ${CMAKE_SOURCE_DIR}/analyze/series/series_input.c
		${CMAKE_SOURCE_DIR}/analyze/series/series_text.c ${CMAKE_SOURCE_DIR}/analyze/series/series_bins.c
		${CMAKE_SOURCE_DIR}/analyze/series/bin_feed.c ${CMAKE_SOURCE_DIR}/analyze/series/arrival_text.c
		${CMAKE_SOURCE_DIR}/analyze/series/text_line.c
	LINKS stat trace
	SEEDS ${CMAKE_SOURCE_DIR}/datasets/data/tables)
flit_fuzz(traffic_fuzz SOURCES traffic_fuzz.c LINKS stat trace
	SEEDS ${CMAKE_CURRENT_SOURCE_DIR}/seeds/traffic_fuzz.hex)
flit_fuzz(compare_table_fuzz
	SOURCES compare_table_fuzz.c ${CMAKE_SOURCE_DIR}/analyze/flitcmp/compare_cells.c
		${CMAKE_SOURCE_DIR}/analyze/flitcmp/compare_table.c
	LINKS stat_moments trace m
	SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/compare)
