# SPDX-License-Identifier: GPL-3.0-or-later
# gzip and zstd, as one piece and as several, with something to pass over in front: the same packets.
command -v zstd >/dev/null || { echo 'skipped: zstd is not installed' >&2; exit 77; }
"$BUILD/tests/make-captures" make pcap-us-le >a.pcap
head -c 5000 a.pcap >front
tail -c +5001 a.pcap >back
gzip -c a.pcap >one.gz
{ gzip -c front; gzip -c back; } >two.gz
zstd -q -c a.pcap >one.zst
{ printf '\120\052\115\030\003\000\000\000abc'; zstd -q -c front; zstd -q -c back; } >two.zst
flitcap -q -r a.pcap | flitcut -T csv >plain
for packed in one.gz two.gz one.zst two.zst; do
	flitcap -q -r $packed | flitcut -T csv | cmp - plain && echo same
done
