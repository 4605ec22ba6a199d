# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(conversations_test SOURCES conversations_test.c LINKS messages text tool)
flit_unit(rule_test SOURCES rule_test.c LINKS messages)
flit_unit(messages_family_test SOURCES messages_family_test.c LINKS gen text tool m)
flit_unit(iterations_test SOURCES iterations_test.c LINKS messages text tool)
