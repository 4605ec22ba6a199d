# SPDX-License-Identifier: GPL-3.0-or-later
# Tables that programs print stand in a report; what is no table is refused with its line.
printf '# Means\nnetwork\tlatency_us\tnote\nring\t1.5\t-\nswitch:8\t-\t<b>\n# of 2 runs\n\n# Others\nx\n1\n' >means.tsv
flitreport -t means.tsv | sed -n '/What did the tables/,/How were/p'
flitreport means.tsv | grep -c '&lt;b&gt;'
printf '# t\na\tb\n1\n' | flitreport -o r.html
printf '# t\n' | flitreport -o r.html
printf '# t\n%s\n' "$(seq -s '	' 25)" | flitreport -o r.html
test ! -e r.html
