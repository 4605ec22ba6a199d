# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(foreign_fuzz SOURCES foreign_fuzz.c LINKS foreign
	SEEDS ${CMAKE_CURRENT_LIST_DIR}/seeds/foreign
	${CMAKE_CURRENT_LIST_DIR}/seeds/foreign.hex)
