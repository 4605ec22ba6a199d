# SPDX-License-Identifier: GPL-3.0-or-later
flitstat --window 10x </dev/null
