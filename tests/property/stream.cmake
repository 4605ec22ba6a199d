# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(stream_pipe_test SOURCES stream_pipe_test.c LINKS text tool Threads::Threads)
flit_unit(stream_text_test SOURCES stream_text_test.c LINKS text tool)
flit_unit(stream_merge_test SOURCES stream_merge_test.c LINKS text tool)
