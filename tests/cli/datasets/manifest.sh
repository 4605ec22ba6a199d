# SPDX-License-Identifier: GPL-3.0-or-later
# The manifest names every capture and tells the truth about its bytes.
for tool in zstd tcpdump; do
	command -v $tool >/dev/null || { echo "skipped: $tool is not installed" >&2; exit 77; }
done

grep -v '^#' "$DATA/MANIFEST.tsv" | cut -f1 >listed
ls "$DATA/captures" >present
diff present listed && echo 'every capture is listed'
ls -l "$DATA"/captures/*.zst | awk '{ sum += $5 } END { print (sum < 4e6 ? "under" : "over"), "4 MB in all" }'

tab=$(printf '\t')
grep -v '^#' "$DATA/MANIFEST.tsv" | while IFS="$tab" read -r file packets bytes first last duration sum rest; do
	echo "$sum  $DATA/captures/$file" | sha256sum --status -c || echo "$file: SHA-256 differs"
	seen=$(zstd -dcq "$DATA/captures/$file" | "$DATA/cluster/facts" - | cut -f1,3-)
	[ "$seen" = "$packets$tab$bytes$tab$first$tab$last$tab$duration" ] || echo "$file: is $seen"
	case $rest in
	*results,frames,segments,no-loss*) echo "$file" ;;
	*) echo "$file: its checks: $rest" ;;
	esac
done
