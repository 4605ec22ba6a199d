# SPDX-License-Identifier: GPL-3.0-or-later
# Nothing at all is not a trace; a trace of no packets is one.
: >nothing
flitsim nothing
echo $?
flitgen -t 1ns -w none.flt "$DATA/models/yates-rc1-4.model"
flitsim --format csv none.flt
