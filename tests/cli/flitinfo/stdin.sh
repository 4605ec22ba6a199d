# SPDX-License-Identifier: GPL-3.0-or-later
flitinfo <"$SRC/tests/golden/messages.flt" | head -n 2
flitinfo - <"$SRC/tests/golden/messages.flt" | head -n 2
