# SPDX-License-Identifier: GPL-3.0-or-later
# The store of several inputs is bounded, and says so; one sorted input needs no store.
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
flitcount -b 1s --max-bins 100 hand.flt >/dev/null && echo one
flitcount -b 1s --max-bins 100 hand.flt hand.flt
echo $?
flitcount -b 1ms --max-bins 100 -w out.flt hand.flt
