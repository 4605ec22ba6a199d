# SPDX-License-Identifier: GPL-3.0-or-later
# Names of one's own, lengths and rates; the exact text comes back.
cat >office <<'T'
flitline-topology 1
hosts 1
host 10.0.0.7
hosts 2
switch attic.3 ports 8
switches 2 ports 4
cable host0 attic.3.0
cable 10.0.0.7 attic.3.1 length 10.5m
cable host2 switch1.0
cable host3 switch2.0
cable attic.3.6 switch1.3 length 35ft rate 80MB/s
cable attic.3.7 switch2.3 length 0m rate 1Gb/s
cable switch1.1 switch1.2
end
T
flitnet -o - office | grep -v '^#' >again
diff office again
flitnet office
