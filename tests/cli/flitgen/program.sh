# SPDX-License-Identifier: GPL-3.0-or-later
# Algorithms as programs: the text, and the bytes of a transform beside the published formula.
flitgen --program matmul:N=3,ranks=2,element=2B,multiply-add=1/3us,message=1.5us,byte=0.25ns
for ranks in 2 16 128; do
	for kind in rc vr; do
		flitgen --program fft-$kind:N=256,ranks=$ranks | awk '/send/ { sum += $3 } END { print sum }'
	done
done
flitgen --program fft-vr:N=4,ranks=4 -w v.goal
flitsim --fabric ideal:latency=1us --program v.goal --format csv | sed -n 2p
