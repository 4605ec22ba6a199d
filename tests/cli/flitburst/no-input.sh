# SPDX-License-Identifier: GPL-3.0-or-later
# Standard input is empty, and there is no operand.
flitburst
