# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(lanes_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/lanes_test.c LINKS net)
flit_unit(lanes_queues_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/lanes_queues_test.c LINKS net)
