# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(report_fuzz SOURCES report_fuzz.c LINKS report
	SEEDS ${CMAKE_CURRENT_SOURCE_DIR}/seeds/report_fuzz.hex)
flit_fuzz(svg_fuzz SOURCES svg_fuzz.c LINKS page SEEDS ${CMAKE_CURRENT_SOURCE_DIR}/seeds/svg)
flit_fuzz(printed_tables_fuzz SOURCES printed_tables_fuzz.c LINKS report)
