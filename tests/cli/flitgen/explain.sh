# SPDX-License-Identifier: GPL-3.0-or-later
flitgen --explain "$DATA/models/yates-rc1-8.model"
sed 's/^silence-from.*/silence-from burst-start/; s/^destinations.*/destinations by-role/
/^.worker/,$d' "$DATA/models/yates-rc1-8.model" | flitgen -e
# What the options ask for: nodes, time, packets, data, the data of an FFT; and as tables.
for options in '-n 4' '-t 1h' '-c 1000' '--until-bytes 1MB' '--workload rc:256' '-c 1000 --until-bytes 1MB'; do
	flitgen -e $options "$DATA/models/yates-rc1-8.model" | grep Output
done
flitgen -e --format csv "$DATA/models/on-off.model"
# Bins have their mean and variance where the text does not say them; numbers of packets are whole.
printf '%s\n' 'flitline-model 1' 'family pulse-train' 'nodes 4' 'duration 5 s' '[worker data]' 'silence 1 s' 'pulses 3' \
	'inter-pulse 1 ms' 'sizes empirical' 'bin 1 x 100 B' 'bin 1 x 200 B .. 300 B' >bins
flitgen -e bins | grep -e Sizes -e Output
# Independent segments: what is known of many of them.
flitgen -e "$DATA/models/cascade.model" | grep Burst
flitgen -e "$DATA/models/m-g-infinity.model" | grep Burst
