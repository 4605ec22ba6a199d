# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(stat_moments_test SOURCES unit/stat_moments.c LINKS stat_moments trace)
if(gsl_FOUND)
	flit_unit(stat_student_test SOURCES unit/stat_student.c LINKS stat_moments PkgConfig::gsl)
endif()
flit_unit(stat_line_test SOURCES unit/stat_line.c LINKS stat)
