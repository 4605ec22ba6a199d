# SPDX-License-Identifier: GPL-3.0-or-later
# What cannot be done is said in one line, with status 2.
cp "$DATA/models/yates-rc1-4.model" m
model=m
try() { "$@" >out 2>err; echo "$?: $(sed 's/offset [1-9][0-9]*: .*/offset .../' err)"; }
: >empty
printf 'text\n' >text
printf 'flitline-model 2\n' >newer
head -c 300 "$model" >cut
flitgen -c 10 -w trace.flt "$model"
try flitgen </dev/null
try flitgen empty
try flitgen text
try flitgen newer
try flitgen cut
try flitgen trace.flt
try flitgen missing.model
try flitgen "$model" "$model"
try flitgen --nodes 1 "$model"
try flitgen --nodes 3x "$model"
try flitgen --time 10parsec "$model"
try flitgen --time 0 "$model"
try flitgen --time=-1s "$model"
try flitgen --workload rc:256 --nodes 3 "$model"
try flitgen --workload fft "$model"
try flitgen --no-such-option
try flitgen --ticks 0 "$model"
try flitgen --replay text
try flitgen --replay "$model"
try flitgen --replay trace.flt --seed 4
try flitgen --replay trace.flt "$model"
try flitgen --replay trace.flt --stretch 0
try flitgen --replay trace.flt --map 0-1
try flitgen --replay trace.flt --map 0=3
try flitgen --replay trace.flt --loops 2 --period 1us
try flitgen --replay - --loops 2
head -c 800 trace.flt >cut.flt
try flitgen --replay cut.flt
# What is wrong in a model is told with its line, and nothing else is said of the model.
printf '%s\n' 'flitline-model 1' 'family mmpp' 'nodes 2' '[node data]' 'state 5 packets/s for 1 s' \
	'state 9 packets/s for 1 s' 'jump 1 to 2 50 %' 'size 3 B' >jumps
try flitgen --explain jumps
printf '%s\n' 'flitline-model 1' 'family load' 'nodes 10' 'load 30 %' 'size 64 B' 'destinations transpose' >square
try flitgen --explain square
cat out
