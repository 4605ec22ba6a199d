# SPDX-License-Identifier: GPL-3.0-or-later
flittest nothing.flt
