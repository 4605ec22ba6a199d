# SPDX-License-Identifier: GPL-3.0-or-later
# The transform programs on ranks of this machine: right results at several sizes, refusals, and a
# wrong number is found when one float of one message is changed.
[ -z "$("$DATA/packages" -n record | grep -E 'mpi|fftw|gcc|libc6')" ] || {
	echo 'skipped: Open MPI or FFTW for development is not installed' >&2
	exit 77
}
mpirun=$(command -v mpirun.openmpi || echo mpirun)
"$DATA/fft/build" .

run() {
	ranks=$1
	shift
	$mpirun --allow-run-as-root --oversubscribe -np "$ranks" --mca btl self,vader \
		--mca btl_vader_single_copy_mechanism none "$@" >out 2>err
	status=$?
	sed 's/distance .*//' out
	grep -E '^(transform|fft)' err | sed 's/distance .*//'
	[ $status -eq 0 ] || echo "status $status"
}

for program in fft-rc fft-vr fft-fftw; do
	run 2 ./$program -n 64 -r 3 -v
	run 4 ./$program -n 96 -v
done
run 8 ./fft-vr -n 48 -v
run 4 ./fft-rc -n 66 -v
run 2 ./fft-vr -n 64x
run 1 ./fft-rc -q

mpicc=$(command -v mpicc.openmpi || echo mpicc)
$mpicc -shared -fPIC -o spoil.so "$CASE/spoil.c"
run 2 -x LD_PRELOAD="$PWD/spoil.so" ./fft-rc -n 64 -v
