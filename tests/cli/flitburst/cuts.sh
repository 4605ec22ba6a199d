# SPDX-License-Identifier: GPL-3.0-or-later
# However the stream is cut into blocks, the bytes are the same.
flitgen -q -n 4 -c 3000 -w a.flt "$DATA/models/yates-rc1-4.model"
flitcut -T text a.flt | flitcut --from-text -U -w b.flt
flitcat -z -w c.flt a.flt
for options in '' '--points' '--by node' '--by pair -g 5ms -p' '--width 1ms,7ms --gaps 3,5 --lags 7 --origin first'; do
	flitburst $options a.flt >a
	flitburst $options b.flt >b
	flitburst $options - <c.flt >c
	cmp a b && cmp a c && test "$(wc -l <a)" -gt 10 && echo same
done
