# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(routings_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/routings_test.c LINKS net)
flit_unit(mapper_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/mapper_test.c LINKS mapper)
flit_unit(choices_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/choices_test.c LINKS net)
