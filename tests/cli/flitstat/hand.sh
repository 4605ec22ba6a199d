# SPDX-License-Identifier: GPL-3.0-or-later
# Two senders. Window 1 s: a sends at .5 1.25 | 4.0 (then 2 s) | 6.0, b at 1.5 | 5.999: bursts 2 1 1 and 1 1.
flitcut --from-text >hand.flt <<'END'
!flitline-text	1
!kind	packet
!ticks_per_s	1000
!origin	1000000000	0
!fields	time_s	src	dst	payload_B	wire_B	class
!node	0	unknown	a
!node	1	unknown	b
0.5	a	b	100	150	data
1.25	a	b	100	150	data
1.5	b	a	0	50	overhead
4.0	a	b	200	250	data
5.999	b	a	0	50	overhead
6.0	a	b	300	350	data
!end	6
END
flitstat --window 1s --format text hand.flt
