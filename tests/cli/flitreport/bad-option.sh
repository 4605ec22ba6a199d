# SPDX-License-Identifier: GPL-3.0-or-later
flitreport --no-such-option
