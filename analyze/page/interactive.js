// SPDX-License-Identifier: GPL-3.0-or-later
//<![CDATA[
// What a reader may do with the figures of a page: the value under the pointer, a part of an axis drawn again after a drag (a double
// click undoes it), and the matrix and its pairs of one host after a click on its name. The page is whole without it.
(function () {
	"use strict";
	var NEAR = 24, SVG = document.querySelector("svg").namespaceURI;

	// ---- what the page holds: the axes beside each picture, the rows behind each figure's link "data"

	// The panels of a figure's data, each a list of curves, each a list of rows.
	function panelsOf(figure) {
		var link = figure.querySelector("a.data");

		return decodeURIComponent(link.href.slice(link.href.indexOf(",") + 1)).split(/^## .*$/m).slice(1).map(function (text) {
			return text.split(/\n\n\n?/).map(function (block) {
				return block.split("\n").filter(function (line) {
					return line && line[0] !== "#";
				}).map(function (line) {
					return line.split("\t").map(Number);
				});
			}).filter(function (rows) { return rows.length; });
		});
	}

	// Places of an axis in the picture, and back.
	function scale(axis, from, to) {
		var lo = axis[2] ? Math.log(axis[0]) : axis[0], hi = axis[2] ? Math.log(axis[1]) : axis[1];

		return {
			place: function (value) { return from + ((axis[2] ? Math.log(value) : value) - lo) / (hi - lo) * (to - from); },
			value: function (place) {
				var at = lo + (place - from) / (to - from) * (hi - lo);

				return axis[2] ? Math.exp(at) : at;
			}
		};
	}

	function scalesOf(plot) {
		plot.sx = scale(plot.x, plot.b[0], plot.b[1]);
		plot.sy = scale(plot.y, plot.b[3], plot.b[2]);
	}

	// The plots of a picture, with their rows.
	function plotsOf(picture) {
		var panel = picture.parentNode, figure = panel.closest("figure"), box = picture.viewBox.baseVal, rows, plots, boxes;

		if (picture.plots)
			return picture.plots;
		plots = JSON.parse(panel.querySelector(".axes").textContent);
		rows = panelsOf(figure)[Array.prototype.indexOf.call(figure.querySelectorAll(".panel"), panel)].slice();
		boxes = plots.boxes;
		plots = plots.plots;
		plots.forEach(function (plot, i) {
			// From the left, to the right, from the top, to the bottom.
			plot.b = [boxes[4 * i], boxes[4 * i + 1], box.height - boxes[4 * i + 3], box.height - boxes[4 * i + 2]];
			plot.whole = [plot.x.slice(), plot.y.slice()];
			plot.zoomed = [false, false];
			plot.c.forEach(function (curve) { curve.rows = rows.shift() || []; });
			scalesOf(plot);
		});
		picture.plots = plots;
		return plots;
	}

	function pointIn(picture, event) {
		var frame = picture.getBoundingClientRect(), box = picture.viewBox.baseVal;

		return [(event.clientX - frame.left) / frame.width * box.width, (event.clientY - frame.top) / frame.height * box.height];
	}

	function plotAt(picture, point) {
		return plotsOf(picture).filter(function (plot) {
			return point[0] >= plot.b[0] && point[0] <= plot.b[1] && point[1] >= plot.b[2] && point[1] <= plot.b[3];
		})[0];
	}

	// ---- the value under the pointer

	var tip = document.createElement("div");

	tip.className = "tip";
	tip.hidden = true;
	document.body.appendChild(tip);

	function number(value) {
		return String(Number(value.toPrecision(5)));
	}

	// In the unit that the axis's own names have: "10 ms" at .01, "1 kB" at 1000.
	function quantity(tics, value) {
		var unit = tics.map(function (tic) { return /\d (n|µ|m)?s$/.test(tic[1]) ? "s" : /\d [kMGT]?B$/.test(tic[1]) ? "B" : ""; })
			.filter(Boolean)[0];
		var steps = unit === "s" ? [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [0, "ns"]] : [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [0, "B"]];
		var step = steps.filter(function (one) { return Math.abs(value) >= one[0] * (1 - 1e-9); })[0];

		if (!unit || value === 0)
			return number(value);
		return number(value / (step[0] || (unit === "s" ? 1e-9 : 1))) + " " + step[1];
	}

	// A named position's name, else the number.
	function named(tics, value) {
		var tic = tics.filter(function (one) { return one[0] === value; })[0];

		return tic ? tic[1] : quantity(tics, value);
	}

	function distance(plot, point, x, y) {
		return Math.hypot(plot.sx.place(x) - point[0], plot.sy.place(y) - point[1]);
	}

	// How far a place is from a range.
	function outside(place, from, to) {
		return Math.max(0, from - place, place - to);
	}

	// What a column of bins says: its value, or of several bins that are joined in it the range and the mean, which is a row of steps.
	function readBand(plot, row) {
		var mean, own = plot.c.some(function (curve) {
			return curve.style === "steps" && curve.rows.some(function (one) {
				mean = one[1];
				return one[0] === row[0];
			});
		});

		if (own && mean === row[3])
			return [plot.l[0] + ": " + quantity(plot.t[0], row[0]), plot.l[1] + ": " + number(mean)];
		return [plot.l[0] + ": " + quantity(plot.t[0], row[0]) + " to " + quantity(plot.t[0], row[1]), plot.l[1] + ": " + number(row[2]) +
			" to " + number(row[3]) + (own ? ", mean " + number(mean) : "") + " (joined bins)"];
	}

	// How far the pointer is from a row, and what the row says there.
	function readRow(plot, curve, row, point) {
		var x = plot.sx.value(point[0]), y = plot.sy.value(point[1]), at;

		switch (curve.style) {
		case "cells":
			at = Math.abs(x - row[0]) <= 0.5 && Math.abs(y - row[1]) <= 0.5 ? 0 : NEAR;
			return [at, named(plot.t[1], row[1]) + " → " + named(plot.t[0], row[0]), plot.heat + ": " + number(row[2])];
		case "bars":
			at = x >= row[0] && x <= row[0] + row[1] ? 0 : NEAR;
			return [at, plot.l[0] + ": " + quantity(plot.t[0], row[0]) + " to " + quantity(plot.t[0], row[0] + row[1]), plot.l[1] + ": " + number(row[2])];
		case "band":
			return [Math.hypot(outside(point[0], plot.sx.place(row[0]), plot.sx.place(row[1])),
				outside(point[1], plot.sy.place(row[3]), plot.sy.place(row[2])))].concat(readBand(plot, row));
		case "ranges":
			at = Math.abs(y - row[1]) <= 0.3 && x >= row[0] && x <= row[2] ? 0 : NEAR;
			return [at, named(plot.t[1], row[1]), plot.l[0] + ": " + quantity(plot.t[0], row[0]) + " to " + quantity(plot.t[0], row[2])];
		default:
			return [distance(plot, point, row[0], row[1]), plot.l[0] + ": " + quantity(plot.t[0], row[0]),
				plot.l[1] + ": " + named(plot.t[1], row[1]) +
				(curve.style === "interval" ? " (" + number(row[2]) + " to " + number(row[3]) + ")" : "")];
		}
	}

	function read(plot, point) {
		var best = [NEAR];

		plot.c.forEach(function (curve) {
			curve.rows.forEach(function (row) {
				var made = readRow(plot, curve, row, point);

				if (made[0] < best[0])
					best = made.concat(curve.title ? [curve.title] : []);
			});
		});
		return best[0] < NEAR ? best.slice(1) : null;
	}

	function showTip(picture, event) {
		var point = pointIn(picture, event), plot = plotAt(picture, point), words = plot && read(plot, point);

		tip.hidden = !words;
		if (!words)
			return;
		tip.textContent = words.reverse().join("\n");
		tip.style.left = Math.min(event.pageX + 14, document.documentElement.clientWidth - tip.offsetWidth - 8) + "px";
		tip.style.top = event.pageY + 14 + "px";
	}

	// ---- a part of an axis

	function add(parent, name, attributes, text) {
		var made = document.createElementNS(SVG, name);

		Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
		if (text !== undefined)
			made.textContent = text;
		parent.appendChild(made);
		return made;
	}

	// About five round positions; on a logarithmic axis powers of ten, with 2 and 5 of each if these are few.
	function positions(axis) {
		var list = [], at, step;

		[[1], [1, 2, 5]].forEach(function (within) {
			if (!axis[2] || list.length > 2)
				return;
			list = [];
			for (step = Math.pow(10, Math.floor(Math.log10(axis[0]))); step <= axis[1]; step *= 10)
				within.forEach(function (times) { list.push(times * step); });
			list = list.filter(function (one) { return one >= axis[0] && one <= axis[1]; });
		});
		if (list.length > 1)
			return list;
		list = [];
		step = Math.pow(10, Math.floor(Math.log10((axis[1] - axis[0]) / 5)));
		step *= [1, 2, 5, 10].filter(function (times) { return (axis[1] - axis[0]) / (step * times) <= 6; })[0];
		for (at = Math.ceil(axis[0] / step) * step; at <= axis[1] * (1 + 1e-12); at += step)
			list.push(Math.abs(at) < step / 2 ? 0 : at);
		return list;
	}

	function drawAxis(group, plot, axis) {
		var tics = plot.t[axis].filter(function (tic) { return tic[1]; }), range = axis ? plot.y : plot.x;

		if (tics.length === 0 || plot.zoomed[axis])
			tics = positions(range).map(function (at) { return [at, quantity(tics, at)]; });
		tics.forEach(function (tic) {
			var at = (axis ? plot.sy : plot.sx).place(tic[0]), b = plot.b;

			if (tic[0] < Math.min(range[0], range[1]) || tic[0] > Math.max(range[0], range[1]))
				return;
			add(group, "path", { d: axis ? "M" + (b[0] - 5) + " " + at + "H" + b[0] : "M" + at + " " + b[3] + "v5" });
			add(group, "text", { x: axis ? b[0] - 9 : at, y: axis ? at + 4 : b[3] + 20, stroke: "none", fill: "currentColor",
				"text-anchor": axis ? "end" : "middle" }, tic[1]);
		});
	}

	function pathOf(plot, curve) {
		return curve.rows.map(function (row, i) {
			var x = plot.sx.place(row[0]), y = plot.sy.place(row[1]);

			return (i === 0 ? "M" + x + " " + y : curve.style === "steps" ? "H" + x + "V" + y : "L" + x + " " + y);
		}).join("");
	}

	function drawRow(group, plot, curve, row) {
		var x = plot.sx.place(row[0]), y = plot.sy.place(row[1]), area;

		if (curve.style === "bars" || curve.style === "ranges" || curve.style === "band") {
			area = curve.style === "bars" ? [x, plot.sy.place(row[2]), plot.sx.place(row[0] + row[1]), plot.sy.place(0)]
				: curve.style === "band" ? [x, plot.sy.place(row[3]), plot.sx.place(row[1]), plot.sy.place(row[2])]
				: [x, y - 5, plot.sx.place(row[2]), y + 5];
			add(group, "path", { d: "M" + area[0] + " " + area[1] + "H" + area[2] + "V" + area[3] + "H" + area[0] + "Z",
				fill: curve.colour, "fill-opacity": 0.4, stroke: "none" });
			return;
		}
		if (curve.style === "interval")
			add(group, "path", { d: "M" + x + " " + plot.sy.place(row[2]) + "V" + plot.sy.place(row[3]), stroke: curve.colour });
		if (curve.style === "arrows")
			add(group, "path", { d: "M" + x + " " + y + "L" + plot.sx.place(row[2]) + " " + plot.sy.place(row[3]), stroke: curve.colour });
		else if (curve.style === "crosses")
			add(group, "path", { d: "M" + (x - 4) + " " + (y - 4) + "l8 8m0 -8l-8 8", stroke: curve.colour });
		else
			add(group, "circle", { cx: x, cy: y, r: 2.5, fill: curve.style === "open" ? "none" : curve.colour, stroke: curve.colour });
	}

	function drawCurve(group, plot, curve) {
		if (curve.style === "line" || curve.style === "dashed" || curve.style === "steps")
			add(group, "path", { d: pathOf(plot, curve), stroke: curve.colour, "stroke-width": 1.4,
				"stroke-dasharray": curve.style === "dashed" ? "5 3" : "none" });
		else
			curve.rows.forEach(function (row) { drawRow(group, plot, curve, row); });
	}

	// Draws all plots of the picture as they are now, over the first drawing, which is hidden.
	function draw(picture) {
		var old = picture.querySelector(".again"), group, clip;

		if (old)
			old.remove();
		Array.prototype.forEach.call(picture.children, function (child) {
			if (child.tagName !== "title" && child.tagName !== "desc")
				child.style.display = "none";
		});
		group = add(picture, "g", { "class": "again" });
		plotsOf(picture).forEach(function (plot, i, stack) {
			var b = plot.b, id = picture.parentNode.querySelector("title").id + i;

			clip = add(group, "clipPath", { id: id });
			add(clip, "path", { d: "M" + b[0] + " " + b[2] + "H" + b[1] + "V" + b[3] + "H" + b[0] + "Z" });
			add(group, "path", { d: "M" + b[0] + " " + b[2] + "V" + b[3] + "H" + b[1] });
			drawAxis(group, plot, 1);
			if (i === stack.length - 1) { // the lowest has the axis of all
				drawAxis(group, plot, 0);
				add(group, "text", { x: (b[0] + b[1]) / 2, y: b[3] + 40, stroke: "none", fill: "currentColor",
					"text-anchor": "middle" }, plot.l[0]);
			}
			add(group, "text", { x: b[0], y: b[2] - 5, stroke: "none", fill: "currentColor" }, plot.l[1]);
			clip = add(group, "g", { "clip-path": "url(#" + id + ")" });
			plot.c.forEach(function (curve) { drawCurve(clip, plot, curve); });
			plot.c.filter(function (curve) { return curve.title; }).forEach(function (curve, k) {
				add(group, "text", { x: b[1] - 4, y: b[2] + 14 * (k + 1), stroke: "none", fill: curve.colour, "text-anchor": "end" },
					curve.title);
			});
		});
	}

	function undraw(picture) {
		var old = picture.querySelector(".again");

		if (!old)
			return;
		old.remove();
		Array.prototype.forEach.call(picture.children, function (child) { child.style.display = ""; });
		picture.plots.forEach(function (plot) {
			plot.x = plot.whole[0].slice();
			plot.y = plot.whole[1].slice();
			plot.zoomed = [false, false];
			scalesOf(plot);
		});
	}

	// Along the axis on which the drag is longer; plots of a stack share their horizontal axis.
	function zoom(picture, plot, from, to) {
		var across = Math.abs(to[0] - from[0]) >= Math.abs(to[1] - from[1]), ends;

		ends = across ? [plot.sx.value(from[0]), plot.sx.value(to[0])] : [plot.sy.value(from[1]), plot.sy.value(to[1])];
		ends.sort(function (a, b) { return a - b; });
		plotsOf(picture).forEach(function (other) {
			var axis = across ? other.x : other.y;

			if (!across && other !== plot)
				return;
			axis[0] = ends[0];
			axis[1] = ends[1];
			other.zoomed[across ? 0 : 1] = true;
			scalesOf(other);
		});
		draw(picture);
	}

	// ---- one host

	var host = null;

	function has(tics) {
		return tics.some(function (tic) { return tic[1] === host; });
	}

	// Says before an element what is shown of it, and how to undo that.
	function say(before, words) {
		var line = before.parentNode.querySelector(".only") || document.createElement("p");

		line.className = "only";
		line.setAttribute("role", "status");
		line.hidden = host === null;
		line.textContent = words + " Click the name again or press Escape to show all.";
		before.parentNode.insertBefore(line, before);
	}

	function filterRows(table) {
		var rows = table.querySelectorAll("tbody tr"), left = 0;

		rows.forEach(function (row) {
			var cells = row.querySelectorAll("td");

			row.hidden = host !== null && cells[0].textContent !== host && cells[1].textContent !== host;
			left += !row.hidden;
		});
		say(table.closest(".rows").querySelector(".scroll"), "Of these " + rows.length + " pairs only the " + left + " of " + host + ".");
	}

	// Covers the cells of others.
	function veil(picture, plot) {
		var path = "", b = plot.b;

		plot.c[0].rows.forEach(function (row) {
			if (named(plot.t[0], row[0]) === host || named(plot.t[1], row[1]) === host)
				return;
			// Half a pixel more, that no edge is left, except over the axes; as one path, that no overlap is seen.
			path += "M" + Math.max(plot.sx.place(row[0] - 0.5) - 0.5, b[0] + 1) + " " + (plot.sy.place(row[1] - 0.5) - 0.5) +
				"H" + (plot.sx.place(row[0] + 0.5) + 0.5) + "V" + Math.min(plot.sy.place(row[1] + 0.5) + 0.5, b[3] - 1) +
				"H" + Math.max(plot.sx.place(row[0] - 0.5) - 0.5, b[0] + 1) + "Z";
		});
		add(picture, "path", { d: path, stroke: "none", "class": "veil" });
	}

	function showHost(name) {
		host = host === name ? null : name;
		document.querySelectorAll(".beside table, .beside + .rows table").forEach(filterRows);
		document.querySelectorAll("svg.plot").forEach(function (picture) {
			var old = picture.querySelector(".veil");

			if (old)
				old.remove();
			if (!picture.parentNode.querySelector(".axes") || !isMatrix(picture))
				return;
			plotsOf(picture).forEach(function (plot) {
				if (host !== null && !has(plot.t[0]) && !has(plot.t[1]))
					return;
				say(picture.closest("figure").querySelector("figcaption"), "Only what " + host + " sends and receives.");
				if (host !== null)
					veil(picture, plot);
			});
		});
	}

	function isMatrix(picture) {
		return plotsOf(picture).some(function (plot) { return plot.c.some(function (curve) { return curve.style === "cells"; }); });
	}

	// The host whose name is at the point: beside the rows, or below the columns.
	function hostAt(picture, point) {
		var plot = plotsOf(picture)[0], b = plot.b, tics, at;

		if (point[0] < b[0] && point[1] >= b[2] && point[1] <= b[3]) {
			tics = plot.t[1];
			at = Math.round(plot.sy.value(point[1]));
		} else if (point[1] > b[3] && point[0] >= b[0] && point[0] <= b[1]) {
			tics = plot.t[0];
			at = Math.round(plot.sx.value(point[0]));
		} else {
			return null;
		}
		return tics.some(function (tic) { return tic[0] === at; }) ? named(tics, at) : null;
	}

	document.addEventListener("keydown", function (event) {
		if (event.key === "Escape" && host !== null)
			showHost(host);
	});

	// ---- the pointer

	document.querySelectorAll("svg.plot").forEach(function (picture) {
		var begin = null, rubber = null;

		if (!picture.parentNode.querySelector(".axes"))
			return;
		picture.addEventListener("pointermove", function (event) {
			var point = pointIn(picture, event);

			showTip(picture, event);
			if (!begin)
				return;
			rubber = rubber || add(picture, "rect", { "class": "rubber" });
			["x", "y"].forEach(function (name, i) {
				rubber.setAttribute(name, Math.min(begin[i], point[i]));
				rubber.setAttribute(i ? "height" : "width", Math.abs(point[i] - begin[i]));
			});
		});
		picture.addEventListener("pointerleave", function () { tip.hidden = true; });
		picture.addEventListener("pointerdown", function (event) {
			var point = pointIn(picture, event);

			begin = event.button === 0 && plotAt(picture, point) && !isMatrix(picture) ? point : null;
			if (begin)
				event.preventDefault();
		});
		window.addEventListener("pointerup", function (event) {
			var from = begin, point = pointIn(picture, event);

			begin = null;
			if (rubber)
				rubber.remove();
			rubber = null;
			if (from && Math.hypot(point[0] - from[0], point[1] - from[1]) > 8)
				zoom(picture, plotAt(picture, from), from, point);
		});
		picture.addEventListener("dblclick", function () { undraw(picture); });
		picture.addEventListener("click", function (event) {
			var name = isMatrix(picture) && hostAt(picture, pointIn(picture, event));

			if (name)
				showHost(name);
		});
	});
}());
//]]>
