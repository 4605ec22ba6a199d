# SPDX-License-Identifier: GPL-3.0-or-later
flitroute -n line:3,hosts=2 -o net.map --form gm-map
cat net.map
flitroute -n net.map -o - --form gm
flitroute -n net.map -p host0,host4 --format csv
