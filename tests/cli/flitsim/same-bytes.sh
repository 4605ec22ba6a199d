# SPDX-License-Identifier: GPL-3.0-or-later
# Two runs give the same bytes, compressed or not.
flitgen -t 2s -w g.flt "$DATA/models/yates-vr2-8.model"
for i in 1 2; do flitsim -w o$i.flt --links l$i.flt g.flt >s$i; done
cmp o1.flt o2.flt && cmp l1.flt l2.flt && cmp s1 s2 && echo same
flitsim -z -w z.flt g.flt | cmp - s1 && echo the same summary
for f in o1 z; do flitcut -T text $f.flt | grep -v '^!' >$f.text; done
cmp o1.text z.text && echo the same deliveries
