# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(report_number_test SOURCES report_number_test.c LINKS report_page)
flit_unit(report_text_test SOURCES report_text_test.c LINKS report_page)
flit_unit(report_svg_test SOURCES report_svg_test.c LINKS report_page)
flit_unit(report_page_test SOURCES report_page_test.c LINKS report_page)
flit_unit(report_columns_test SOURCES report_columns_test.c LINKS report)
flit_unit(report_figure_test SOURCES report_figure_test.c LINKS report)
flit_unit(report_stream_test SOURCES report_stream_test.c LINKS report)
flit_unit(report_zoom_test SOURCES report_zoom_test.c LINKS report trace)
