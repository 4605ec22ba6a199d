# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(net_flows_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/net_flows_test.c LINKS net m)
flit_unit(net_delay_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/net_delay_test.c LINKS net m)
