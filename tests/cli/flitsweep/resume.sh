# SPDX-License-Identifier: GPL-3.0-or-later
# A file is gone on with: what is there is not run again, but for the last run.
cat >count <<'S'
#!/bin/sh
echo "$1" >>ran
printf 'x\n%s\nlater\n' "$1"
S
chmod +x count
flitsweep -j 1 -s 1..4 -o f -- ./count {seed}
cp f whole
echo $(cat ran)
# Cut within the rows of the third run.
head -n 7 f >cut && mv cut f
rm ran
flitsweep -j 1 -s 1..4 -o f -- ./count {seed}
echo $(cat ran)
cmp f whole && echo same
rm ran
flitsweep -j 1 -s 3..6 -o f -- ./count {seed}
echo $(cat ran)
cut -f 1 f | uniq | tail -n +2 | tr '\n' ' '
echo
flitsweep -s 1..4 -o f -- ./count {seed}0
echo $?
flitsweep -p n=1..4 -o f -- ./count {n} 2>&1 | sed 's/flitsweep [0-9.]*:/flitsweep VERSION:/'
printf 'something else\n' >g
flitsweep -s 1 -o g -- ./count {seed} 2>&1 | sed 's/flitsweep [0-9.]*:/flitsweep VERSION:/'
cat g
