# SPDX-License-Identifier: GPL-3.0-or-later
# The tables and the routes.
flitroute >/dev/full
echo $?
flitroute -o /dev/full
echo $?
