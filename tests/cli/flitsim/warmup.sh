# SPDX-License-Identifier: GPL-3.0-or-later
# Sources at more than the adapters take fill their queues: worms are late only after some time.
flitgen --set nodes=8 --set 'size=500 B' --load 0.9 -t 4ms -w l.flt "$DATA/models/load.model"
sim() { flitsim --fabric myrinet:when-full=drop,queue=20 --format csv "$@" l.flt; }
measured() { awk -F, 'p { print $1, $3; p = 0 } /^from_s/ { p = 1 }'; }
latency() { awk -F, '$1 == "data" { print int($5); exit }'; }
sim | latency
sim --warmup 1ms | latency
sim --warmup 1ms | measured
sim --warmup auto | latency
# What auto found is a time that may be given: the same worms but for those of one tick.
sim --warmup auto >auto
from=$(measured <auto | cut -d' ' -f1)
sim --warmup "${from}s" | cmp -s - auto && echo same
# Nothing left to measure; and a run that is too short to settle.
sim --warmup 1s | measured | cut -d' ' -f2
flitsim --warmup auto -c 50 l.flt | grep '^#.*settle'
