# SPDX-License-Identifier: GPL-3.0-or-later
# Standard input without a byte, and a file without one.
flitinfo
echo $?
: >empty.flt
flitinfo empty.flt
echo $?
