# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(foreign_events_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/foreign_events_test.c LINKS foreign)
flit_unit(foreign_chakra_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/foreign_chakra_test.c LINKS foreign)
flit_unit(foreign_chakra_write_test
	SOURCES ${CMAKE_CURRENT_LIST_DIR}/foreign_chakra_write_test.c LINKS foreign)
flit_unit(foreign_dumpi_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/foreign_dumpi_test.c LINKS foreign)
flit_unit(mpi_record_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/mpi_record_test.c LINKS foreign)
if(otf2_FOUND)
	flit_unit(foreign_otf2_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/foreign_otf2_test.c
		LINKS foreign PkgConfig::otf2)
endif()
