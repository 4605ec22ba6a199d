# SPDX-License-Identifier: GPL-3.0-or-later
# Standard input without a byte, and a file without one.
flitcat
echo $?
: >empty.flt
flitcat empty.flt
echo $?
