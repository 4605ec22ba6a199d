# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(chain_test SOURCES chain_test.c LINKS gen)
flit_unit(m_g_infinity_test SOURCES m_g_infinity_test.c LINKS gen)
flit_unit(cascade_test SOURCES cascade_test.c LINKS gen)
