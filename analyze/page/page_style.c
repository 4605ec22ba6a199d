// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/page_style.h"

#include "page/palette.h"

static const char light[] = "--paper:#ffffff;--ink:#1b1f24;--soft:#59616b;--rule:#d5dae0;--wash:#f4f6f8;"
			    "--link:#0b5cad;";
static const char dark[] = "--paper:#15181c;--ink:#e6e8eb;--soft:#a4acb6;--rule:#363c44;--wash:#1e2227;"
			   "--link:#7fbcff;";

static const char rules[] =
	"*{box-sizing:border-box}\n"
	"html{-webkit-text-size-adjust:100%;text-size-adjust:100%}\n"
	"body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"
	"\"Segoe UI\",Roboto,\"Helvetica Neue\",\"Noto Sans\",Arial,sans-serif}\n"
	"header,main,footer{max-width:86rem;margin:0 auto;padding:0 1.25rem}\n"
	"header{padding-top:1.25rem}\n"
	"footer{margin-top:1.5rem;padding-bottom:2.5rem;color:var(--soft);font-size:.85rem;"
	"overflow-wrap:anywhere}\n"
	"footer p{border-top:1px solid var(--rule);padding-top:.75rem;max-width:none}\n"
	"h1{font-size:clamp(1.2rem,1rem + 1vw,1.6rem);line-height:1.2;margin:0 0 .6rem;"
	"letter-spacing:-.01em;overflow-wrap:anywhere;text-wrap:balance}\n"
	"h2{font-size:1.05rem;line-height:1.4;font-weight:600;margin:0;display:inline}\n"
	"details{border-top:1px solid var(--rule)}details:last-of-type{border-bottom:1px solid var(--rule)}\n"
	"summary{padding:.5rem 0;cursor:pointer}summary:hover h2{text-decoration:underline}\n"
	"details>div{max-width:70rem;padding:.5rem 0 1.5rem}\n"
	"a.data{font-size:.85em;white-space:nowrap}\n"
	"p{margin:0 0 1rem;max-width:46rem;overflow-wrap:break-word}\n"
	"header p{max-width:none;margin:0 0 .5rem}p.answer{font-size:1.2rem;font-weight:600;line-height:1.4;margin:0 0 .1rem}\n"
	"header figure{margin:.5rem 0 1rem}header dl.facts{margin:.75rem 0}header .facts div{padding:.35rem .9rem}\n"
	"a{color:var(--link)}\n"
	"dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(9.5rem,45%),1fr));"
	"gap:1px;margin:1.5rem 0;padding:1px}\n"
	".facts div{box-shadow:0 0 0 1px var(--rule);padding:.7rem .9rem;display:flex;"
	"flex-direction:column-reverse;justify-content:flex-end}\n"
	".facts dt{font-size:.8rem;color:var(--soft);line-height:1.35}\n"
	".facts dd{margin:0;font-size:1.2rem;font-weight:600;font-variant-numeric:tabular-nums;"
	"overflow-wrap:anywhere;line-height:1.3}\n"
	"figure{margin:1.75rem 0 2.25rem}\n"
	"figcaption{font-size:.88rem;line-height:1.5;color:var(--soft);max-width:52rem;"
	"overflow-wrap:break-word}\n"
	"figcaption b{color:var(--ink)}\n"
	".panels{display:grid;gap:1.1rem 1.75rem;margin-bottom:.8rem}\n"
	".across1{max-width:36rem}\n"
	".across2{grid-template-columns:repeat(auto-fill,minmax(min(100%,25rem),1fr))}\n"
	".across3{grid-template-columns:repeat(auto-fill,minmax(min(100%,18.5rem),1fr))}\n"
	".across4+figcaption{max-width:none}.across4{grid-template-columns:repeat(auto-fill,minmax(min(100%,18.5rem),1fr));gap:.5rem 1rem}\n"
	"svg.plot polygon{shape-rendering:crispEdges}\n"
	".panel h3{font-size:.88rem;font-weight:600;margin:0 0 .1rem;line-height:1.35}\n"
	"svg.plot{display:block;width:100%;height:auto;font-size:12px;font-variant-numeric:tabular-nums}\n"
	".rows figcaption{margin-bottom:.45rem}\n"
	".scroll{overflow-x:auto;max-width:100%}\n"
	"table{border-collapse:collapse;font-size:.88rem;line-height:1.4;font-variant-numeric:tabular-nums;"
	"border-top:1.5px solid var(--ink);border-bottom:1.5px solid var(--ink)}\n"
	"th,td{padding:.28rem .8rem;text-align:right;white-space:nowrap;vertical-align:top}\n"
	"th{font-weight:600;white-space:normal;vertical-align:bottom;border-bottom:1px solid var(--ink)}\n"
	"td{border-top:1px solid var(--rule)}\n"
	"tbody tr:first-child td{border-top:0}\n"
	"th.w,td.w{text-align:left}\n"
	"td.w{white-space:normal;min-width:8.5rem;max-width:24rem;overflow-wrap:anywhere}\n"
	"th:first-child,td:first-child{padding-left:.2rem}\n"
	"th:last-child,td:last-child{padding-right:.2rem}\n"
	".wide{font-size:.8rem}.wide th,.wide td{padding:.28rem .4rem}"
	".wide td.w{min-width:0;overflow-wrap:break-word}\n"
	".note{font-size:.85rem;color:var(--soft);margin:.5rem 0 0;max-width:52rem}\n"
	"pre{margin:0 0 1.25rem;padding:.8rem 1rem;background:var(--wash);border:1px solid var(--rule);"
	"white-space:pre-wrap;overflow-wrap:anywhere;font:.8rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\","
	"monospace}\n"
	"@media(max-width:40rem){header{padding-top:.75rem}th,td{padding:.28rem .55rem}"
	"header,main,footer{padding-left:1rem;padding-right:1rem}}\n"
	"@media print{body{font-size:10pt}details::details-content{content-visibility:visible;display:block;height:auto;block-size:auto;opacity:1}"
	"details>*{display:block!important}a.data{display:none}details{border-top:1.5px solid #000}summary{list-style:none;break-after:avoid}"
	".panel,figcaption,dl,tr{break-inside:avoid}" // figures break between panels: else a sheet before them stays empty
	"h2{break-after:avoid;font-size:13pt}header,main,footer{max-width:none;padding:0}"
	".across2,.across4{grid-template-columns:1fr 1fr}.across3{grid-template-columns:1fr 1fr 1fr}"
	".scroll{overflow:visible}table{font-size:8pt}th,td{padding:.15rem .4rem}"
	"a{color:inherit}}\n";

void page_style_write(FILE *out)
{
	(void)fprintf(out, ":root{color-scheme:light dark;%s", light);
	palette_write_variables(out, 0);
	(void)fprintf(out, "}\n@media screen and (prefers-color-scheme:dark){:root{%s", dark);
	palette_write_variables(out, 1);
	(void)fputs("}}\n", out);
	(void)fputs(rules, out);
}
