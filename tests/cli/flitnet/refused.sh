# SPDX-License-Identifier: GPL-3.0-or-later
# What is no topology is told with its line.
lines() { printf 'flitline-topology 1\n'; printf '%b\n' "$1"; }
try() {
	lines "$1" >t
	flitnet t 2>&1 && echo "taken: $1"
}
try 'hosts 0\nend'
try 'hosts 2\nhosts 1048575\nend'
try 'host\nend'
try 'host a b\nend'
try 'host host1\nend'
try 'host switch0\nend'
try "host $(printf '%0101d' 0)\nend"
try 'host a\nhost a\nswitches 1 ports 2\ncable a switch0.0\nend'
try 'hosts 1\nswitches 1 port 8\nend'
try 'hosts 1\nswitches 1 ports 1025\nend'
try 'hosts 1\nswitches 1000000 ports 1024\nend'
try 'hosts 1\nswitch a ports 8 at 1\nend'
try 'hosts 1\nswitch a ports 8 at 1,2\nswitch b ports 8\nend'
try 'switches 1 ports 8\nhosts 1\nend'
try 'hosts 1\ncable host0 switch0.0\nend'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0\nend'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0.8\nend'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0.0x\nend'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0.0 switch0.1\nend'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0.0 size 1\nend'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0.0 length -1m\nend'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0.0 length 1s\nend'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0.0 rate 0\nend'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0.0 rate 1Gb/s rate 1Gb/s\nend'
try 'hosts 2\nswitches 1 ports 8\ncable host0 switch0.0\ncable host1 switch0.0\nend'
try 'hosts 2\nswitches 1 ports 8\ncable host0 switch0.0\ncable host0 switch0.1\nend'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0.0\ncable switch0.1 switch0.1\nend'
try 'hosts 2\nswitches 1 ports 8\ncable host0 switch0.0\nend'
try 'host a.0\nswitch a ports 8\ncable a.0 a.1\nend'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0.0'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0.0\nend\n\n# a comment may\nhosts 1'
try 'hosts 1 2 3 4 5 6 7 8'
try 'hosts 1\nswitches 1 ports 8\ncable host0 switch0.0\nend now'
try 'end'
try 'links 3'
for first in '' 'flitline-topology 2' 'flitline-topology1' 'flitline-topology'; do
	printf '%s\nhosts 1\n' "$first" | flitnet 2>&1
done
flitnet -o x torus:4x4 torus:4x4 2>&1
flitnet torus:0x4 2>&1
