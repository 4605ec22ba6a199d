# SPDX-License-Identifier: GPL-3.0-or-later
# A program ends on every kind of network, with and without MPI, by both engines at the same time, and not before it ends
# over a network that takes next to no time.
flitgen --program fft-vr:N=32,ranks=2 -w 2.goal
flitgen --program fft-vr:N=32,ranks=8 -w 8.goal
end() { flitsim -q --format csv "$@" | awk -F, '$1 == "ranks" { getline; print ($2 == $3 ? "ends" : "hangs"), $8; exit }'; }
while read -r ranks net; do
	for mpi in '' --mpi; do
		runs=$(end -n "$net" --routes updown --engine local $mpi --program "$ranks.goal")
		[ "$runs" = "$(end -n "$net" --routes updown --engine reference $mpi --program "$ranks.goal")" ] || echo "$net $mpi: the engines differ"
		least=$(end --fabric ideal:latency=1ns $mpi --program "$ranks.goal")
		echo "$net $mpi ${runs% *} $(echo "${runs#* } ${least#* }" | awk '{ print ($1 > $2 ? "later" : "sooner") }')"
	done
done <<'END'
2 direct
8 switch:8
8 line:4,hosts=2
8 ring:4,hosts=2
8 mesh:2x4
8 torus:3x3
8 hypercube:3
8 fattree:8
8 clos:2,4,2
8 random-regular:4,3,hosts=2
8 random-irregular:3,seed=2
8 triangle16
8 george96
8 yates16a
8 yates16b
8 yates16
8 yates32x6
8 yates32
END
