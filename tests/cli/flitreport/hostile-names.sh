# SPDX-License-Identifier: GPL-3.0-or-later
# Names of nodes and links, titles and file names are text, whatever they look like.
command -v gnuplot >/dev/null || { echo 'skipped: gnuplot is not installed' >&2; exit 77; }
name='<script>alert(1)</script>'
quote="'; set output 'owned'; set label '"'"`touch owned`"; system "touch owned"'
{
	printf '!flitline-text\t1\n!kind\tpacket\n!ticks_per_s\t1000000\n!origin\t0\t0\n'
	printf '!fields\ttime_s\tsrc\tdst\tpayload_B\twire_B\tclass\n'
	printf '!node\t0\tunknown\t%s\n!node\t1\tunknown\t%s\n!node\t2\tunknown\t%s\n' "$name" "$quote" '100%d %s & $(touch owned) @x'
	for i in 1 2 3 4 5 6 7 8 9; do
		printf '%s\t%s\t%s\t100\t140\tdata\n' "$i.5" "$name" "$quote"
		printf '%s\t%s\t%s\t10\t50\toverhead\n' "$i.7" "$quote" '100%d %s & $(touch owned) @x'
	done
	printf '!end\t18\n'
} | flitcut --from-text >"<b>x&'.flt"
flitreport --title '</title><script>' "<b>x&'.flt" >page.html
grep -c '<script\|<b>x' page.html
grep -c '&lt;script&gt;alert' page.html | sed 's/^[1-9][0-9]*$/written as text/'
grep -c '100%d %s &amp; ' page.html | sed 's/^[1-9][0-9]*$/percent signs as they are/'
ls owned 2>/dev/null
if command -v xmllint >/dev/null; then xmllint --noout page.html; fi
