# SPDX-License-Identifier: GPL-3.0-or-later
: >empty
flitroute empty
echo $?
flitroute - <empty
echo $?
flitroute -n empty
echo $?
