# SPDX-License-Identifier: GPL-3.0-or-later
# A cable between SAN ports, on which nothing is converted, and a slow long one, from a file that is
# written as it was read.
cat >net <<'N'
flitline-topology 1
hosts 2
switch switch0 ports 2
cable host0 switch0.0 length 20m rate 640Mb/s
cable host1 switch0.1 conversion 0s
end
N
flitnet -o again net
echo $?
grep '^cable' again
flitsim --net net --explain 100 --format tsv | grep '^simulated'
sed 's/ conversion 0s//' net >usual
flitsim --net usual --explain 100 --format tsv | grep '^simulated'
