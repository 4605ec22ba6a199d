# SPDX-License-Identifier: GPL-3.0-or-later
# The same seed gives the same bytes, through a pipe or a file; another one does not.
flitgen -s 5 -t 20 "$DATA/models/yates-vr4-16.model" >a
flitgen -s 5 -t 20 -w b - <"$DATA/models/yates-vr4-16.model"
flitgen -s 6 -t 20 "$DATA/models/yates-vr4-16.model" >c
# Only the model's name ("-" or the file's) differs in the provenance.
for f in a b c; do flitcut -T text $f | grep -v '^!' >$f.text; done
cmp a.text b.text && echo same
cmp -s a.text c.text || echo other
flitgen -s 5 -t 20 "$DATA/models/yates-vr4-16.model" | cmp - a && echo same bytes
