# SPDX-License-Identifier: GPL-3.0-or-later
cat >named.topo <<'T'
flitline-topology 1
host "quoted\"
host b
switch a.b ports 3 at 2,1
cable "quoted\" a.b.0
cable b a.b.2
end
T
flitnet --dot named.topo
flitnet --dot -o triangle.dot triangle16
grep -c -- -- triangle.dot
command -v dot >/dev/null || exit 0
dot -Tplain triangle.dot >/dev/null || echo "Graphviz does not read it"
