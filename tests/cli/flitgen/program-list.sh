# SPDX-License-Identifier: GPL-3.0-or-later
# The programs that there are; what is listed as usual is what holds where nothing is said, and stands in the manual.
flitgen --program list --format tsv | sed '1,/^name/d' | cut -f 2 >list
cut -d: -f 1 list
while read -r program; do
	usual=$(printf '%s' "$program" | sed 's/|[^,]*//g')
	flitgen --program "${program%%:*}" >short
	flitgen --program "$usual" | cmp - short
	[ "$(sed -n 's|^// ||p' short)" = "$usual" ] || echo "$usual is written as $(head -n 1 short)"
	mandoc -T ascii -O width=400 "$SRC/man/flitline-programs.7" | sed 's/.\x08//g' |
		grep -qF "$program" || echo "$program is not in flitline-programs(7)"
done <list
