# SPDX-License-Identifier: GPL-3.0-or-later
# The same words give the same routes; another seed gives others; spreading lowers the fullest link.
flitroute -n fattree:16 -o a nca:tie=hash,seed=5
flitroute -n fattree:16 -o b nca:tie=hash,seed=5
flitroute -n fattree:16 -o c nca:tie=hash,seed=6
cmp a b && echo same
sed 's/^#.*//' a >a1
sed 's/^#.*//' c >c1
cmp -s a1 c1 || echo another
for tie in lowest hash destination source load; do
	flitroute -n fattree:64 nca:tie=$tie 2>&1 | grep -v ^flitroute: | tail -n 1 | cut -f 8-11
done
