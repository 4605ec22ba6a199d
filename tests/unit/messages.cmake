# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(rule_test SOURCES rule_test.c LINKS messages)
