# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(faults_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/faults_test.c
	${CMAKE_CURRENT_LIST_DIR}/faults_case.c LINKS net)
