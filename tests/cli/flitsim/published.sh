# SPDX-License-Identifier: GPL-3.0-or-later
# Yates 1997, figures 4-6 and 4-17 and the PCI what-ifs: worms of 8192 B between two nodes on one switch. Printed: 23.355
# (23.356 at exactly 8192 B), 33.27 and 44.32 MB/s; within 0.003, 0.02 and 0.02.
cat >model <<'M'
flitline-model 1
family pulse-train
nodes 2
duration 60 s
[worker data]
silence 1 s
pulses 1
inter-pulse 1 ms
size-mean 8192 B
size-variance 0 B^2
M
flitgen -w g.flt model
for a in sbus pci33 pci66; do
	flitsim --fabric myrinet:preset=$a --format csv g.flt | awk -F, -v a=$a '/^data/ && !seen++ { print a, $8 }'
done
flitsim --net direct --format csv g.flt | awk -F, '/^data/ && !seen++ { print "direct", $8 }'
