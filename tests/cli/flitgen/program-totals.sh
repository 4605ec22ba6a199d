# SPDX-License-Identifier: GPL-3.0-or-later
# Messages and bytes of every program as it stands, and of a few others; a name that is not in the list is not
# forgotten here.
totals() {
	flitgen --program "$1" | awk -v name="$1" '
		$2 == "send" { messages++; bytes += $3 }
		$2 == "recv" { received++; in_bytes += $3 }
		END {
			printf "%s\t%d\t%d%s\n", name, messages, bytes,
				messages == received && bytes == in_bytes ? "" : "\tnot all is received"
		}'
}
flitgen --program list --format tsv | sed '1,/^name/d' | cut -f 1 | while read -r name; do
	totals "$name"
done
# 2 lg p rounds of halves; one round of everything; a chain.
totals allreduce:by=rabenseifner,ranks=8,bytes=1MB
totals alltoall:by=bruck,ranks=13,bytes=100B
totals broadcast:by=ring,ranks=100,bytes=1000001B,segments=10
totals halo:grid=4x4x4,cells=10x20x30,cell=4B,periodic=yes
