// SPDX-License-Identifier: GPL-3.0-or-later
// Every family of models, a line each: FAMILY(poisson) is the poisson_family of poisson.c. Reports keep this order; the simplest
// process comes first. family.h and family.c define FAMILY and include this file, so it has no guard.
FAMILY(poisson)
FAMILY(pulse_train)
FAMILY(on_off)
FAMILY(bootstrap)
#ifdef FLIT_TRANSFORMS
FAMILY(noise)
#endif
FAMILY(mmpp)
FAMILY(map)
FAMILY(m_g_infinity)
FAMILY(cascade)
FAMILY(batch_poisson)
FAMILY(renewal)
#ifdef FLIT_TRANSFORMS
FAMILY(fractional_rate)
#endif
FAMILY(er_hmm)
FAMILY(map_moments)
FAMILY(load)
FAMILY(client_server)
FAMILY(traffic_matrix)
