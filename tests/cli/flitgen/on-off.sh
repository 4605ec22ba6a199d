# SPDX-License-Identifier: GPL-3.0-or-later
# Sources on and off: the sum has the H that the tail's shape says; with exponential times it has none. A node's packets are the
# same whatever other nodes there are.
cp "$DATA/models/on-off.model" on-off.model
flitgen --explain on-off.model
flitgen -w a.flt on-off.model
flitgen on-off.model | cmp - a.flt && echo same
flitgen -n 20 on-off.model | flitcut --src node3 -T csv -f time,payload >b
flitcut --src node3 -T csv -f time,payload a.flt | cmp - b && echo same node
flithurst -b 100ms -m haar -m dfa2 a.flt | awk -F '\t' 'NF > 10 && $2 != "method" { print $2, ($5 < .8 + .04 && $6 > .8 - .04 ? "holds .8" : $0) }'
sed /on-shape/d on-off.model >exponential.model
flitgen exponential.model | flithurst -b 1s -m dfa2 | awk -F '\t' 'NF > 10 && $2 != "method" { print $2, ($5 < .5 && $6 > .5 ? "holds .5" : $0) }'
flitgen --set on-shape=1 on-off.model
flitgen -n 1000000 on-off.model
