# SPDX-License-Identifier: GPL-3.0-or-later
# Without an operand: up*/down*, on one switch.
flitroute
