# SPDX-License-Identifier: GPL-3.0-or-later
# Texts that are refused, each with its line.
tab=$(printf '\t')
refuse() {
	sed "s/ /$tab/g" >text
	flitcut --from-text text >/dev/null
	echo $?
}
: | refuse
echo 'hello' | refuse
echo '!flitline-text 2' | refuse
head='!flitline-text 1
!kind packet
!ticks_per_s 1000
!origin 0 0
!node 0 unknown a
!fields time_s id src'
refuse <<END
!flitline-text 1
!ticks_per_s 1000
!end 0
END
for line in '1.0 1 b' '1.0 1' '1.0 1 a a' '1.0x 1 a' '1.0 -1 a' '1.0 18446744073709551616 a' '!nonsense' \
	'!kind packet' '!node 1 king c' '!node x unknown c' '!node 1 unknown' '!flow 0 a b tcp 1 2' \
	'!flow 0 a a tcp 1 9999999999' '!flow 0 a a none 1 2' '!fields time_s tag' '!lost many' '!end 7' \
	'1.00000 1 @3' '!node 99999999 unknown c' '!end 0
1.0 1 a'; do
	refuse <<END
$head
$line
!end 1
END
done
refuse <<END
$head
1.0 1 a
END
