# SPDX-License-Identifier: GPL-3.0-or-later
# Rules that are none are told.
flitgen -n 2 -c 10 -w l.flt "$DATA/models/load.model"
for o in --warmup=soon --warmup=-1s --time=-1ms --bytes=1.5 --workload=fft --workload=rc:256 --until=fast '--until=latency 0%' \
	--worms=x; do
	flitsim --net switch:3 "$o" l.flt 2>&1 >/dev/null
	echo $?
done
