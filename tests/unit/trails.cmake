# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(trails_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/trails_test.c LINKS studies)
