# SPDX-License-Identifier: GPL-3.0-or-later
# The files of a form workstation (arrivals, sources, destinations, lengths, one worm a line) become a trace, and each
# worm enters its source's queue at its time, goes where it is to go and has its length.
awk 'BEGIN { srand(7); for (i = 0; i < 300; i++) { t += rand() / 500; s = int(rand() * 8); d = (s + 1 + int(rand() * 7)) % 8;
	printf "%.9f\n", t >"arrivals"; print s >"sources"; print d >"destinations"; print 1 + int(rand() * 8192) >"lengths" } }'
{
	printf '!flitline-text\t1\n!kind\tpacket\n!ticks_per_s\t1000000000\n!fields\ttime_s\tsrc\tdst\tpayload_B\n'
	sort -nu sources destinations | awk '{ print "!node\t" $1 "\tunknown\t" $1 }'
	paste arrivals sources destinations lengths
	printf '!end\t%d\n' $(($(wc -l <arrivals)))
} | flitcut --from-text -w form.flt
flitsim -w out.flt form.flt >tables
flitcut -T csv -f created,src,dst,payload out.flt | tail -n +2 | sort -n >carried
paste -d , arrivals sources destinations lengths | sed 's/\([1-9]\)0*,/\1,/' | sort -n >offered
wc -l <carried
awk -F, '{ printf "%.9f,%s,%s,%s\n", $1, $2, $3, $4 }' carried >a
awk -F, '{ printf "%.9f,%s,%s,%s\n", $1, $2, $3, $4 }' offered | cmp - a && echo same
