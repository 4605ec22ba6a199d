# SPDX-License-Identifier: GPL-3.0-or-later
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
flitcount -b 1s --size payload hand.flt | head -3 | cut -f 1-8,11-15
