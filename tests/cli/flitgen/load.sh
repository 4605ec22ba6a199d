# SPDX-License-Identifier: GPL-3.0-or-later
# Synthetic load: the rate that was asked for comes out, however it is said.
cp "$DATA/models/load.model" m
model=m
flitgen -e "$model"
rate() { flitcut -T csv -f time,payload | awk -F, 'NR > 1 { b += $2 } END { printf "%.1f Mb/s\n", b * 8 / 10e-3 / 64 / 1e6 }'; }
flitgen --set arrivals=constant "$model" | rate
flitgen --set arrivals=constant --load 0.3 "$model" | rate
flitgen --set arrivals=constant --load 160Mb/s "$model" | rate
flitgen --set arrivals=saturated "$model" | rate
flitgen --set arrivals=constant --set 'size=100 B .. 200 B' --set nodes=64 "$model" | rate | cut -c 1-2
for bad in load=fast arrivals=early size=0 destinations=home nodes=1 nonsense rate=3 sise=3; do
	flitgen --set "$bad" "$model" 2>&1 >/dev/null
	echo $?
done
flitgen --link-rate 1Gb/s - 2>&1 <"$DATA/models/yates-rc1-4.model" >/dev/null
