# SPDX-License-Identifier: GPL-3.0-or-later
# Gaps .75 .25 | 2.5 | 1.999 | .001 s: by 1 s bursts of 3, 1 and 2 packets, ON 1, 0 and .001 s, in 5.5 s. By 2 s there
# are 2, by 4 s one. Windows of 1 s from 0: 1 2 0 0 1 1 1, of which the first and the last are cut.
flitcut --from-text >hand.flt <<'END'
!flitline-text	1
!kind	packet
!ticks_per_s	1000
!origin	1000000000	0
!fields	time_s	src	dst	payload_B	wire_B	class
!node	0	unknown	a
!node	1	controller	b
0.5	a	b	100	150	data
1.25	a	b	100	150	data
1.5	b	a	0	50	overhead
4.0	a	b	200	250	data
5.999	b	a	0	50	overhead
6.0	a	b	300	350	data
!end	6
END
flitburst -g 1s --width 1s,2s --gaps 1,2 --lags 1,2 --format text hand.flt
# From the first packet on: 3 0 0 1 1 | 1.
flitburst -g 1s --width 1s --origin first hand.flt | grep -A 1 width
flitburst -g 1s --size payload --points hand.flt
