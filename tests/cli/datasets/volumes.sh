# SPDX-License-Identifier: GPL-3.0-or-later
# Payload between the ranks is at least what equations 3.4 and 3.5 of Yates 1997 ask for that many
# transforms, and the headers and control messages of MPI add under 2 %.
for tool in zstd tcpdump; do
	command -v $tool >/dev/null || { echo "skipped: $tool is not installed" >&2; exit 77; }
done

# Bytes of one transform of $1 (rc, vr) of $2 x $2 points on $3 hosts.
volume() {
	awk -v alg="$1" -v n="$2" -v p="$3" 'BEGIN {
		stages = log(p) / log(2)
		print 8 * n * n / p * (alg == "rc" ? 3 * (p - 1) : stages * p / 2 + 2 * (p - 1))
	}'
}

for file in "$DATA"/captures/rc-*.zst "$DATA"/captures/vr-*.zst; do
	name=$(basename "$file" .pcap.zst)
	alg=${name%%-*} points=${name#*-} hosts=${name#*-p}
	transforms=$(awk -F '\t' -v f="$name.pcap.zst" '$1 == f { sub(/.* -r /, "", $8); print $8 + 0 }' \
		"$DATA/MANIFEST.tsv")
	need=$(($(volume "$alg" "${points%%-*}" "${hosts%%-*}") * transforms))
	zstd -dcq "$file" | tcpdump -r - -nn -q 'tcp portrange 20000-20999' 2>/dev/null |
		awk -v need=$need -v name="$name" '{ sum += $NF } END {
			print name, need, (sum >= need && sum < 1.02 * need) ? "ok" : "WRONG: " sum }'
done
