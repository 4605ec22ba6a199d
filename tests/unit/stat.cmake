# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(stat_moments_test SOURCES stat_moments_test.c LINKS stat_moments trace)
if(gsl_FOUND)
	flit_unit(stat_student_test SOURCES stat_student_test.c LINKS stat_moments PkgConfig::gsl)
endif()
flit_unit(stat_line_test SOURCES stat_line_test.c LINKS stat)
flit_unit(stat_compare_test SOURCES stat_compare_test.c LINKS stat_moments m)
flit_unit(stat_poisson_test SOURCES stat_poisson_test.c LINKS stat trace m)
