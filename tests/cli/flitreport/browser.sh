# SPDX-License-Identifier: GPL-3.0-or-later
# In headless Chromium: no message on the console, at most eight screens before anything is unfolded, and nothing cut off or lying over something else at the width of a phone and of
# a desk. That the check can fail is checked first.
command -v gnuplot >/dev/null || { echo 'skipped: gnuplot is not installed' >&2; exit 77; }
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
	{ echo 'skipped: chromium is not installed' >&2; exit 77; }
view() {
	"$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --disable-dev-shm-usage --user-data-dir="$PWD/profile" \
		--enable-logging=stderr --window-size=1400,900 --virtual-time-budget=20000 --dump-dom "file://$PWD/$1" \
		>dom 2>log
}
check() {
	"$CASE/frames" "$1" "$CASE/check.js" 390 1280 >frames.html
	view frames.html
	sed -n '/id="result"/,/<.pre>/p' dom | sed 's/.*id="result">//; s/<.pre>//'
}
cat >bad.html <<'END'
<!DOCTYPE html><html><body><p style="width:1500px">wide</p>
<div style="height:8000px"></div>
<svg class="plot" viewBox="0 0 400 100" style="display:block;width:100%"><text x="380" y="50">beyond its picture</text>
<text x="10" y="50">one</text><text x="12" y="50">two</text></svg><script>console.error("heard")</script>
</body></html>
END
view bad.html
[ -s dom ] || { echo "skipped: $browser does not run here: $(tail -n 1 log)" >&2; exit 77; }
grep -c 'CONSOLE.*heard' log
check bad.html | grep -v '^the page is'

flitgen -n 4 -t 20s -w a.flt "$DATA/models/yates-rc1-4.model"
flitsim -q -w d.flt --links l.flt a.flt >/dev/null
flitreport -o page.html a.flt "$DATA/models/yates-rc1-4.model" d.flt l.flt
view page.html
grep CONSOLE log
grep -c '<h1>' dom
check page.html | sed 's/^texts [1-9][0-9][0-9]*$/texts/'
cp "$SRC"/tests/golden/*.flt .
flitreport -o small.html packets.flt deliveries.flt links.flt messages.flt series.flt
view small.html
grep CONSOLE log
check small.html | sed 's/^texts [1-9][0-9]*$/texts/'
