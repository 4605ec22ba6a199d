# SPDX-License-Identifier: GPL-3.0-or-later
try() { "$@" >out 2>err; echo "$? $(wc -c <out): $(cat err)"; }
try flitgen --program sort
try flitgen --program matmul:N=8,rows=2
try flitgen --program matmul:N=0
try flitgen --program matmul:byte=1B
try flitgen --program fft-rc:N=100
try flitgen --program matmul "$DATA/models/yates-rc1-4.model"
try flitgen --program matmul:multiply-add=4e9s,N=65536,message=1us
flitsim --program out
flitgen --program matmul >/dev/full
echo $?
(flitgen --program fft-rc:N=1024,ranks=512; echo $? >status) | head -c 10 | wc -c
cat status
