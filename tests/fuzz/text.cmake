# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(text_fuzz SOURCES text_fuzz.c LINKS text tool
	SEEDS ${CMAKE_CURRENT_SOURCE_DIR}/seeds/text)
flit_fuzz(columns_fuzz SOURCES columns_fuzz.c LINKS text tool
	SEEDS ${CMAKE_CURRENT_SOURCE_DIR}/seeds/columns)
