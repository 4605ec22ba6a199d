# SPDX-License-Identifier: GPL-3.0-or-later
# A traffic matrix in the model, and from a table of flitstat's.
model() { printf 'flitline-model 1\nfamily traffic-matrix\nnodes 3\nduration 10 s\nsize 1000 B\nheader 8 B\narrivals constant\n'; printf "$@"; }
model 'pair 0 1 80 kb/s\npair 0 2 0.16 Mb/s\npair 2 0 8 kb/s\n' >m
flitgen -e m
flitgen m | flitcut -T csv -f src,dst,payload | awk -F, 'NR > 1 { if ($1 == "node0") zero++; else print } END { print zero }' | sort | uniq -c
# What comes out is what went in: the bytes of each pair of a capture, over its time.
flitcap -q -r "$DATA/captures/rc-256-p4.pcap.zst" -w trace
flitstat -q --format csv trace | sed -n '/^src,/,/^$/p' >table
{
	printf 'flitline-model 1\nfamily traffic-matrix\nover 19 s\nduration 19 s\nfactor 10\n'
	printf 'size 1000 B\n'
} >empty.model
flitgen --matrix table empty.model | flitstat -q --format csv | sed -n '/^src,/,/^$/p' >again
cut -d, -f 1-3 table | head -3
flitgen -e --matrix table empty.model | head -3
awk -F, 'NR == FNR { if (FNR > 1 && NF > 3) { all += $4 } next } FNR > 1 && NF > 3 { made += $4 } END { printf "%.2f\n", made / all / 10 }' table again
for bad in 'pair 0 3 1 b/s\n' 'pair 1 1 1 b/s\n' 'pair 0 1 1 B\n' 'pair 0 1\n' 'pair 0 1 1 b/s\npair 0 1 2 b/s\n'; do
	model "$bad" | flitgen
done
flitgen -n 4 m
printf 'a,b\n1,2\n' | flitgen --matrix - m
printf 'src,dst,bytes\nnode0,x,5\n' | flitgen --matrix - m
