# SPDX-License-Identifier: GPL-3.0-or-later
command -v python3 >/dev/null || { echo "skipped: python3 is not installed" >&2; exit 77; }
# The numbers of the page are those of the programs that it stands beside.
flitgen -n 4 -t 20s -w a.flt "$DATA/models/yates-rc1-4.model"
flitsim -q --json -w d.flt a.flt >sim.json
flitreport --text a.flt d.flt >page.txt
flitstat --json a.flt >stat.json
flitcount --json a.flt >count.json
flithurst --json -b 10ms a.flt >hurst.json

python3 - <<'END'
import json, math, re
page = open("page.txt").read()
stat, count, hurst, sim = (json.load(open(name + ".json")) for name in ("stat", "count", "hurst", "sim"))
def row(*cells):
    for line in page.splitlines():
        found = re.split(r"  +", line.strip())
        if tuple(found[:len(cells)]) == cells:
            return [cell.replace(",", "") for cell in found]
    return None
def same(what, shown, value):
    digits = len(shown.replace(".", "").lstrip("0-"))
    ok = abs(float(shown) - value) <= 0.6 * 10 ** (-len(shown.split(".")[1]) if "." in shown else 0)
    print(what, "agrees" if ok else "differs: %s, %.9g" % (shown, value))
for width in count["widths"]:
    ms = width["width_s"] * 1e3
    shown = [line.split() for line in page.splitlines() if re.match(r" *%s  +[0-9,]+  " % re.escape("%.2f" % ms if ms < 1 else "%.1f" % ms if ms < 10 else "%.0f" % ms), line)]
    shown = [cell.replace(",", "") for cell in shown[0]]
    variance, bins = width["packets_variance"], width["complete_bins"]
    place = 10 ** (math.floor(math.log10(variance * math.sqrt(8 / (bins - 1)) * 1.005)) - 1) # of the second digit of its error
    if float(shown[2]) == 0 or abs(float(shown[3]) - variance) > 0.51 * place or int(shown[1]) != bins:
        print("counts differ at", ms, shown, width)
print(len(count["widths"]), "widths")
slope = [r for r in count["variance_time"] if r["of"] == "packets"][0]
same("variance-time slope", row("a.flt", str(slope["widths"]))[2], slope["slope"])
for estimate in hurst["estimates"]:
    titles = {"aggvar": "aggregated variance", "rs": "rescaled range"}
    if estimate["method"] in titles:
        best = estimate["H_corrected"] if estimate["H_corrected"] is not None else estimate["H"]
        same(estimate["method"], row("a.flt", titles[estimate["method"]])[4], best)
for kind in sim["classes"]:
    shown = [line for line in page.splitlines() if line.startswith(kind["class"] + " ")]
    same("latency, " + kind["class"], row(kind["class"], format(kind["worms"], ","))[3], kind["latency_us"])
same("throughput", row("data", format(sim["classes"][0]["worms"], ","))[5], sim["classes"][0]["worm_MBps"])
END
