# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(program_fold_test SOURCES program_fold_test.c LINKS gen text tool)
flit_unit(pulse_fit_test SOURCES pulse_fit_test.c LINKS gen)
if(fftw_FOUND)
	flit_unit(fit_choice_test SOURCES fit_choice_test.c known_truths.c LINKS gen text tool m
		EACH batch-poisson cascade fractional-noise fractional-rate m-g-infinity map mmpp
		on-off periodic poisson pulse-train renewal)
endif()
