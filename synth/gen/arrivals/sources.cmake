# SPDX-License-Identifier: GPL-3.0-or-later
# Sessions and cascades; sources on and off fitted.
target_sources(gen PRIVATE
	  gen/arrivals/count_dispersion.c
	  gen/arrivals/replicas.c
	gen/interval_law.c   )
