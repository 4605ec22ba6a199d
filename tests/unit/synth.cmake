# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(draw_test SOURCES draw_test.c LINKS gen)
flit_unit(sizes_test SOURCES sizes_test.c LINKS gen)
flit_unit(pulse_train_test SOURCES pulse_train_test.c LINKS gen)
flit_unit(workload_test SOURCES workload_test.c LINKS gen)
flit_unit(model_test SOURCES model_test.c LINKS gen)
