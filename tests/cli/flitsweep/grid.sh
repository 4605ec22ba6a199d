# SPDX-License-Identifier: GPL-3.0-or-later
# All combinations in their order, whatever is done at once and however long each takes.
cat >slow <<'S'
#!/bin/sh
# The first runs take longest.
sleep 0.$((4 - $2))
printf '# remarks\nx\ty\n%s\t%s\n# note\n%s\tsecond\n\nz\n%s\n' "$1" "$2" "$1" "$1$2"
S
chmod +x slow
for j in 1 2 9; do flitsweep -j $j -p a=p,q -s 1..3 -- ./slow {a} {seed} >out.$j; done
cat out.1
cmp out.1 out.2 && cmp out.1 out.9 && echo same
flitsweep -p a=p,q -s 3 --table 2 -- ./slow {a} {seed}
# No shell sees the words; what is no name is left alone.
flitsweep -p a='$(touch x);*' -- printf 'h\n%s\n' '{a} {} {A}'
[ ! -e x ] && echo no shell
# A pipe.
flitsweep -p a=1,2 -- printf 'h\n%s\n' {a} '|' sed 's/1/one/' '|' cat
# Without parameters, one run.
flitsweep -- printf 'h\n5\n'
