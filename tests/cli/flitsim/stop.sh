# SPDX-License-Identifier: GPL-3.0-or-later
# Each way to end a run: a time, worms, bytes, the work of an FFT, a mean that is known; the books balance in all.
flitgen --set nodes=8 --set 'size=500 B' --load 0.2 -t 200ms -w l.flt "$DATA/models/load.model"
flitgen -t 60s -w fft.flt "$DATA/models/yates-rc1-8.model"
run() {
	flitsim --format csv "$@" | awk -F, '
		p == 1 { worms = $2; bytes = $3; p = 0 }
		p == 2 { balance = $1 - $2 - $3 - $4; delivered = $2; p = 0 }
		p == 3 { end = $4; to = $2; p = 0 }
		/^class,worms/ { p = 1 }
		/^offered/ { p = 2 }
		/^from_s/ { p = 3 }
		END { print end, worms, bytes, delivered, balance, to }'
}
run -t 5ms l.flt | awk '{ print $1, $5, $6 }'
run -c 3000 l.flt | awk '{ print $1, $2, $4, $5 }'
run --bytes 1MB l.flt | awk '{ print $1, $3, $5 }'
run --workload rc:256 fft.flt | awk '{ print $1, ($3 >= 1376256 && $3 < 1376256 + 8192), $5 }'
run --until 'latency 2%' l.flt | awk '{ print $1, ($2 >= 1000), $5 }'
run --until 'carried 2%' --warmup auto l.flt | awk '{ print $1, ($4 >= 1000), $5 }'
run -c 3000 -t 5ms l.flt | awk '{ print $1, $5, $6 }'
run -t 10s l.flt | awk '{ print $1, $5 }'
# A mean that the trace is too short for is told.
flitsim --until 'latency 0.01%' -c 2000 l.flt | grep '^#.*known'
# What is in flight at the cut is told of, at its time.
flitsim -t 5ms -w out.flt l.flt >tables
flitcut -T csv -f time,status out.flt | awk -F, '$2 == "in_flight" { print $1 }' | uniq
