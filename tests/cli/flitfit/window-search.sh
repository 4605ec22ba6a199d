# SPDX-License-Identifier: GPL-3.0-or-later
# The window is found where bursts are far apart, and the controller by what it sends.
flitcap -q -r "$DATA/captures/rc-256-p4.pcap.zst" | flitfit -m window 2>&1 | grep -v '^#  '
# Poisson traffic has none.
printf '%s\n' 'flitline-model 1' 'family pulse-train' 'nodes 2' '[worker data]' 'silence 100 ms' 'pulses 1' \
	'inter-pulse 0 s' 'size-mean 900 B' 'size-variance 0 B^2' | flitgen -t 600 >a.flt
flitfit -m window --force a.flt | grep -E '^#.*window|^silence [0-9]'
