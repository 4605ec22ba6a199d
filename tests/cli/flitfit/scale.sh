# SPDX-License-Identifier: GPL-3.0-or-later
m=$DATA/models
for n in 2 8 128 512; do
	flitfit --scale $n "$m/yates-rc1-2.model" "$m/yates-rc1-4.model" | grep -E '^# A.*nodes|Beyond|^nodes|^pulses|^inter' | head -6
done
