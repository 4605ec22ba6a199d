# SPDX-License-Identifier: GPL-3.0-or-later
flitcount -b 1ms,10x </dev/null
