# SPDX-License-Identifier: GPL-3.0-or-later
# A text written by hand: few columns, comments, empty lines, carriage returns, times in any order that is said to be
# one.
tab=$(printf '\t')
sed "s/ /$tab/g" >text <<END
!flitline-text 1
# a comment
!kind delivery
!ticks_per_s 36000000000
!origin 0 0
!unsorted

!fields time_s src status
!node 0 controller a
2.5 a delivered
0.00000000625 other 1
!fields head_s time_s
- 1.5
0.000000000166666667 0.000000000027777778
!damaged
!end 4
END
sed 's/$/\r/' text | flitcut --from-text | flitcut -T text | grep -v digest
flitcut --from-text text | flitinfo --json | grep -o '"end": "[a-z ,]*"'
