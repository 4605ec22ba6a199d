# SPDX-License-Identifier: GPL-3.0-or-later
flitgen --explain "$DATA/models/yates-rc1-8.model"
sed 's/^silence-from.*/silence-from burst-start/; s/^destinations.*/destinations by-role/
/^.worker/,$d' "$DATA/models/yates-rc1-8.model" | flitgen -e
# What the options ask for: nodes, time, packets, data, the data of an FFT; and as tables.
for options in '-n 4' '-t 1h' '-c 1000' '--until-bytes 1MB' '--workload rc:256' '-c 1000 --until-bytes 1MB'; do
	flitgen -e $options "$DATA/models/yates-rc1-8.model" | grep Output
done
flitgen -e --format csv "$DATA/models/on-off.model"
