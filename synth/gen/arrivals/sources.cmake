# SPDX-License-Identifier: GPL-3.0-or-later
# Sessions and cascades; sources on and off fitted.
target_sources(gen PRIVATE
	gen/arrivals/m_g_infinity.c gen/arrivals/m_g_infinity_fit.c gen/arrivals/count_dispersion.c
	gen/arrivals/cascade.c gen/arrivals/cascade_fit.c gen/arrivals/replicas.c
	gen/interval_law.c gen/on_off_fit.c gen/on_off_sources.c gen/fit/on_off_family.c)
