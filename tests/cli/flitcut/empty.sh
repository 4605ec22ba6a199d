# SPDX-License-Identifier: GPL-3.0-or-later
# Standard input without a byte, and a file without one.
flitcut
echo $?
: >empty.flt
flitcut empty.flt
echo $?
