# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(report_number_test SOURCES report_number_test.c LINKS report_page)
flit_unit(report_text_test SOURCES report_text_test.c LINKS report_page)
flit_unit(report_svg_test SOURCES report_svg_test.c LINKS report_page)
flit_unit(report_page_test SOURCES report_page_test.c LINKS report_page)
