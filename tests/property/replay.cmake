# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(myrinet_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_test.c LINKS replay_bed)
flit_unit(myrinet_multicast_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_multicast_test.c
	LINKS replay_bed)
