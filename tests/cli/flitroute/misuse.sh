# SPDX-License-Identifier: GPL-3.0-or-later
flitroute -n torus:4x4 updown:root=16
echo $?
flitroute -n torus:4x4 updown:root=middle
echo $?
flitroute -n torus:4x4 updown:tie=best
echo $?
flitroute -n torus:4x4 dimension:tie=hash
echo $?
flitroute -n torus:4x4 shortest:seed=x
echo $?
flitroute -n yates32 dimension
echo $?
flitroute -n torus:4x4 nca
echo $?
flitroute -n torus:4x4 zigzag
echo $?
flitroute -p host0,host99
echo $?
flitroute -p host0
echo $?
flitroute -n torus:4x4 -o other shortest:tie=lowest
flitroute -n mesh:4x4 other
echo $?
