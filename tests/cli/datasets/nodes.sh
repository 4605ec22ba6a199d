# SPDX-License-Identifier: GPL-3.0-or-later
# Every file of nodes has one controller and as many hosts as its name says.
for file in "$DATA"/nodes/*.nodes; do
	awk -F '\t' -v name="$(basename "$file")" '
		/^#/ { next }
		NF != 3 || $1 !~ /^10\.77\.0\.[0-9]+$/ || $2 !~ /^node[0-9]+$/ { print name ": line " NR }
		{ role[$3]++ }
		END { print name, role["controller"] + 0, role["worker"] + 0 }' "$file"
done
