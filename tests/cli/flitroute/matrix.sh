# SPDX-License-Identifier: GPL-3.0-or-later
# A table as flitstat prints it, with others around it; a hot spot fills its host's link first.
cat >traffic <<'EOF'
# sizes
class	mean
data	12

# traffic matrix
src	dst	packets	bytes	bytes_percent
node0	node3	1	1000	25
host1	node3	1	1000	25
node2	node3	1	1500	37.5
node3	node0	1	500	12.5

# more
src	dst	bytes
node0	node1	999
EOF
flitroute --loads -n switch:4 --matrix traffic
printf 'src,dst,bytes\n10.0.0.1,10.0.0.2,7\n10.0.0.2,10.0.0.9,3\n' >traffic.csv
printf '10.0.0.1 0\n10.0.0.2 3\n' >map
flitroute --format csv -n switch:4 --matrix traffic.csv --map map
echo $?
flitroute --format csv -n switch:4 --matrix traffic.csv --map map --ignore-unmapped
flitroute -n switch:4 --matrix map
echo $?
printf 'src,dst,bytes\nnode0,node1,-7\n' | flitroute -n switch:4 --matrix -
echo $?
# Hosts by their names alone.
printf 'src,dst,bytes\nhost0,host3,7\n' | flitroute --format csv -n switch:4 --matrix - --map names
printf 'src,dst,bytes\nnode0,host3,7\n' | flitroute --format csv -n switch:4 --matrix - --map names
echo $?
