# SPDX-License-Identifier: GPL-3.0-or-later
# A run that fails is named, and those before it are written; 1 is an answer.
cat >maybe <<'S'
#!/bin/sh
printf 'x\n%s\n' "$1"
exit "$2"
S
chmod +x maybe
flitsweep -j 1 -p a=1..3 -p s=0,1 -- ./maybe {a} {s} | tail -n +2
flitsweep -p a=1,2 -p s=1 -- ./maybe {a} {s} >/dev/null
echo $?
flitsweep -j 1 -p s=0,1,2,0 -- ./maybe x {s} | tail -n +2
flitsweep --keep-going -j 1 -p s=0,2,1 -- ./maybe x {s} | tail -n +2
for bad in '-p s=1' '-p s' '-p s=' '-p s=3..1' '-p S=1' '-s 1 -p seed=2' '-j 0 -s 1..2000000' '-j 5000' '--table 0' '--table 2'; do
	flitsweep $bad -- ./maybe {s} 0
	echo $?
done 2>&1
flitsweep -s 1 -- ./missing {seed}
flitsweep -s 1 -- sh -c 'kill -9 $$ # {seed}'
flitsweep -s 1
flitsweep -s 1 -- ./maybe {seed} '|'
flitsweep -s 1 -- ./maybe {seed} {sead}
flitsweep -s 1..2 -- sh -c 'echo column{seed}'
echo $?
