# SPDX-License-Identifier: GPL-3.0-or-later
# Cut before the first block, cut later, damaged: each an error with its place.
command -v zstd >/dev/null || { echo 'skipped: zstd is not installed' >&2; exit 77; }
"$BUILD/tests/make-captures" make pcap-us-le | zstd -q -c >a.zst
"$BUILD/tests/make-captures" make pcap-us-le | gzip -c >a.gz
head -c 12 a.zst >cut.zst
head -c 12 a.gz >cut.gz
head -c 200 a.gz >later.gz
{ head -c 40 a.zst; printf XXXXXXXX; tail -c +49 a.zst; } >damaged.zst
for file in cut.zst cut.gz later.gz damaged.zst; do
	flitcap -q -r $file -w $file.flt
	echo $?
	[ ! -e $file.flt ] || flitinfo $file.flt 2>&1 | grep -c clean
done
