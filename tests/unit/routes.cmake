# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(routes_forms_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/routes_forms_test.c LINKS net m)
flit_unit(routes_refuse_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/routes_refuse_test.c LINKS net)
flit_unit(mapper_run_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/mapper_run_test.c LINKS mapper)
flit_unit(immunity_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/immunity_test.c LINKS net)
flit_unit(route_path_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/route_path_test.c LINKS net)
