# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(topology_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/topology_test.c LINKS net)
flit_unit(host_ports_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/host_ports_test.c LINKS net)
