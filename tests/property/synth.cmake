# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(pulse_fit_test SOURCES pulse_fit_test.c LINKS gen)
flit_unit(fit_choice_test SOURCES fit_choice_test.c LINKS gen trace m)
