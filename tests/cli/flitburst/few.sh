# SPDX-License-Identifier: GPL-3.0-or-later
# No packet, one, and two at the same time.
header='!flitline-text\t1\n!kind\tpacket\n!ticks_per_s\t1000\n!origin\t0\t0\n!fields\ttime_s\twire_B\n'
printf "$header"'!end\t0\n' | flitcut --from-text | flitburst --points
echo $?
printf "$header"'1.5\t70\n!end\t1\n' | flitcut --from-text | flitburst --points
printf "$header"'1.5\t70\n1.5\t80\n!end\t2\n' | flitcut --from-text | flitburst --points
