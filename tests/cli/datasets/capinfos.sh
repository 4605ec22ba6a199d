# SPDX-License-Identifier: GPL-3.0-or-later
# Wireshark's capinfos, which shares no code with what wrote the manifest, finds the same facts.
for tool in zstd capinfos; do
	command -v $tool >/dev/null || { echo "skipped: $tool is not installed" >&2; exit 77; }
done

grep -v '^#' "$DATA/MANIFEST.tsv" | cut -f1-6 | while read -r file packets bytes first last duration; do
	zstd -dcq "$DATA/captures/$file" >capture.pcap
	seen=$(capinfos -T -r -S -c -d -u -a -e capture.pcap | cut -f2-)
	expected=$(printf '%s\t%s\t%s\t%s\t%s' "$packets" "$bytes" "$duration" "$first" "$last")
	[ "$seen" = "$expected" ] && echo "$file" || printf '%s: %s\n not %s\n' "$file" "$seen" "$expected"
done
