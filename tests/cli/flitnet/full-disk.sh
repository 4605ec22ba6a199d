# SPDX-License-Identifier: GPL-3.0-or-later
flitnet torus:4x4 >/dev/full
echo $?
flitnet -o /dev/full torus:4x4
echo $?
flitnet --dot torus:4x4 >/dev/full
echo $?
flitnet --list >/dev/full
echo $?
