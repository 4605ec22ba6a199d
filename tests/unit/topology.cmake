# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(net_generators_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/net_generators_test.c
	${CMAKE_CURRENT_LIST_DIR}/topology_bed.c LINKS net m)
flit_unit(net_shapes_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/net_shapes_test.c
	${CMAKE_CURRENT_LIST_DIR}/topology_bed.c LINKS net)
flit_unit(net_draw_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/net_draw_test.c LINKS studies net_tool m)
flit_unit(net_designs_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/net_designs_test.c LINKS studies net m)
flit_unit(cppe_links_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/cppe_links_test.c LINKS net)
