# SPDX-License-Identifier: GPL-3.0-or-later
# Figures C-1 to C-3: the worked routes 5,7,10; 6,6,2,10; 6,2,10; 10 and 1 alone, and the table of figure C-1.
for network in triangle16 yates16a yates16b; do
	flitroute -n $network -o table --form yates updown:tie=lowest
	flitroute -n $network -p host0,host10 table | tail -n 1
done
flitroute -n direct -o table --form yates
cat table
flitroute -n direct -p host0,host1 table | tail -n 1
flitroute -n triangle16 -o - --form yates shortest:tie=source
# Mean switches on a route: 1.708, 2.417, 3.750, 4.385, 5.703.
for network in yates16 yates32 yates64 yates128; do
	flitroute -n $network nca | tail -n 1 | cut -f 1-7
done
flitroute -n triangle16 shortest | tail -n 1 | cut -f 1-7
