# SPDX-License-Identifier: GPL-3.0-or-later
# What MPI adds to programs. The shares of overhead of an FFT are in the ranges that Yates (1997) found, 67 to 81 % of the
# packets and 2 to 4.4 % of the bytes, and grow from 2 to 4 nodes, without any having been put in.
for kind in rc vr; do
	for ranks in 2 4; do
		flitgen --program fft-$kind:N=256,ranks=$ranks -w p.goal
		flitsim --mpi --program p.goal --format tsv |
			awk -F'\t' '$1 == "overhead" && NF == 5 { print $4, $5 }'
	done
done | tee shares | awk '{ print ($1 > 67 && $1 < 81 ? "packets in range" : $1), ($2 > 1.97 && $2 < 4.4 ? "bytes in range" : $2) }'
paste -d ' ' - - <shares | awk '{ print ($3 > $1 && $4 > $2 ? "both grow" : $0) }'
# Each packet is in the streams: the shares of the stream are those of the table.
flitgen --program fft-rc:N=64,ranks=4 -w p.goal
for like in yates openmpi; do
	flitsim --mpi --mpi-like $like -n switch:4 --program p.goal --format tsv -w w.flt >table
	sed -n '/^# What MPI/,/^$/p' table
	flitcut -T csv -f wire,class w.flt | awk -F, '$2 == "overhead" { n++; s += $1 } END { print n, s }'
done
# What is said wins; the engines agree.
set -- --mpi --mpi-like openmpi --mpi-acks 3 --mpi-ack-delay 1ms --mpi-envelope 20B --mpi-window 1B --mpi-connect first
flitsim "$@" --engine local -n switch:4 --program p.goal -w a.flt >/dev/null
flitsim "$@" --engine reference -n switch:4 --program p.goal -w b.flt >/dev/null
flitinfo a.flt | grep body >a
flitinfo b.flt | grep body | cmp - a && echo same
for wrong in --mpi-acks=0 --mpi-acks=64 --mpi-header=8192B --mpi-header=0B --mpi-envelope=0.5B --mpi-window=0B --mpi-ack-delay=1/7ns; do
	flitsim --mpi $wrong --program p.goal
	echo $?
done
