# SPDX-License-Identifier: GPL-3.0-or-later
# Five lines of each direction of a torus: a circle of five; up*/down* has none, open lines have none.
flitroute -n torus:5x5 dimension
echo $?
flitroute -n torus:5x5 updown:tie=lowest | tail -n 1
flitroute -n mesh:5x5 dimension | tail -n 1
flitroute -n ring:5 --json shortest | tr ',' '\n' | grep -c held_from
