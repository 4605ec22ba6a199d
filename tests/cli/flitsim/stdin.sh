# SPDX-License-Identifier: GPL-3.0-or-later
# A pipe, a file and a dash give the same, whatever the pieces in which the pipe comes.
flitgen -t 3s -w g.flt "$DATA/models/yates-rc1-4.model"
flitsim -w file.flt g.flt >file
flitsim -w pipe.flt <g.flt >pipe
dd if=g.flt bs=37 2>/dev/null | flitsim -w dribble.flt - >dribble
cmp file pipe && cmp pipe dribble && cmp pipe.flt dribble.flt && echo same
for f in file pipe; do flitcut -T text $f.flt | grep -v '^!' >$f.text; done
cmp file.text pipe.text && wc -l <file.text
