# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(chain_fit_test SOURCES chain_fit_test.c ${CMAKE_SOURCE_DIR}/tests/unit/arrivals_bed.c LINKS gen)
target_include_directories(chain_fit_test PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
if(TARGET hurst)
	flit_unit(noise_fit_test SOURCES noise_fit_test.c LINKS gen)
endif()
flit_unit(law_fit_test SOURCES law_fit_test.c ${CMAKE_SOURCE_DIR}/tests/unit/arrivals_bed.c LINKS gen trace m)
target_include_directories(law_fit_test PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
