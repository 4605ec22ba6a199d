// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader may do with the figures of a page: the value under the pointer, a part of an axis
// drawn again after a drag (a double click undoes it), and the matrix and its pairs of one host
// after a click on its name. The page is whole without it.
// CMake joins the files interactive*.js, in the order of their names, as one function.
var NEAR = 24, SVG = document.querySelector("svg").namespaceURI;

// ---- what the page holds: the axes beside each picture, the rows behind each figure's link "data"

// The panels of a figure's data, each a list of curves, each a list of rows.
function panelsOf(figure) {
	var link = figure.querySelector("a.data");

	return decodeURIComponent(link.href.slice(link.href.indexOf(",") + 1))
		.split(/^## .*$/m).slice(1).map(function (text) {
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
		place: function (value) {
			return from + ((axis[2] ? Math.log(value) : value) - lo) / (hi - lo) *
				(to - from);
		},
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
	var panel = picture.parentNode, figure = panel.closest("figure"),
		box = picture.viewBox.baseVal, rows, plots, boxes;

	if (picture.plots)
		return picture.plots;
	plots = JSON.parse(panel.querySelector(".axes").textContent);
	rows = panelsOf(figure)[Array.prototype.indexOf
		.call(figure.querySelectorAll(".panel"), panel)].slice();
	boxes = plots.boxes;
	plots = plots.plots;
	plots.forEach(function (plot, i) {
		// From the left, to the right, from the top, to the bottom.
		plot.b = [boxes[4 * i], boxes[4 * i + 1],
			box.height - boxes[4 * i + 3], box.height - boxes[4 * i + 2]];
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

	return [(event.clientX - frame.left) / frame.width * box.width,
		(event.clientY - frame.top) / frame.height * box.height];
}

function plotAt(picture, point) {
	return plotsOf(picture).filter(function (plot) {
		return point[0] >= plot.b[0] && point[0] <= plot.b[1] &&
			point[1] >= plot.b[2] && point[1] <= plot.b[3];
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
	var unit = tics.map(function (tic) {
		return /\d (n|µ|m)?s$/.test(tic[1]) ? "s" : /\d [kMGT]?B$/.test(tic[1]) ? "B" : "";
	}).filter(Boolean)[0];
	var steps = unit === "s" ? [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [0, "ns"]] :
		[[1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [0, "B"]];
	var step = steps.filter(function (one) {
		return Math.abs(value) >= one[0] * (1 - 1e-9);
	})[0];

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

// What a column of bins says: its value, or of several bins that are joined in it the range and
// the mean, which is a row of steps.
function readBand(plot, row) {
	var mean, own = plot.c.some(function (curve) {
		return curve.style === "steps" && curve.rows.some(function (one) {
			mean = one[1];
			return one[0] === row[0];
		});
	});

	if (own && mean === row[3])
		return [plot.l[0] + ": " + quantity(plot.t[0], row[0]),
			plot.l[1] + ": " + number(mean)];
	return [plot.l[0] + ": " + quantity(plot.t[0], row[0]) + " to " +
		quantity(plot.t[0], row[1]), plot.l[1] + ": " + number(row[2]) + " to " +
		number(row[3]) + (own ? ", mean " + number(mean) : "") + " (joined bins)"];
}

// How far the pointer is from a row, and what the row says there.
function readRow(plot, curve, row, point) {
	var x = plot.sx.value(point[0]), y = plot.sy.value(point[1]), at;

	switch (curve.style) {
	case "cells":
		at = Math.abs(x - row[0]) <= 0.5 && Math.abs(y - row[1]) <= 0.5 ? 0 : NEAR;
		return [at, named(plot.t[1], row[1]) + " → " + named(plot.t[0], row[0]),
			plot.heat + ": " + number(row[2])];
	case "bars":
		at = x >= row[0] && x <= row[0] + row[1] ? 0 : NEAR;
		return [at, plot.l[0] + ": " + quantity(plot.t[0], row[0]) + " to " +
			quantity(plot.t[0], row[0] + row[1]), plot.l[1] + ": " + number(row[2])];
	case "band":
		return [Math.hypot(outside(point[0], plot.sx.place(row[0]), plot.sx.place(row[1])),
			outside(point[1], plot.sy.place(row[3]), plot.sy.place(row[2])))]
			.concat(readBand(plot, row));
	case "ranges":
		at = Math.abs(y - row[1]) <= 0.3 && x >= row[0] && x <= row[2] ? 0 : NEAR;
		return [at, named(plot.t[1], row[1]), plot.l[0] + ": " +
			quantity(plot.t[0], row[0]) + " to " + quantity(plot.t[0], row[2])];
	default:
		return [distance(plot, point, row[0], row[1]),
			plot.l[0] + ": " + quantity(plot.t[0], row[0]),
			plot.l[1] + ": " + named(plot.t[1], row[1]) + (curve.style === "interval" ?
				" (" + number(row[2]) + " to " + number(row[3]) + ")" : "")];
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
	var point = pointIn(picture, event), plot = plotAt(picture, point),
		words = plot && read(plot, point);

	tip.hidden = !words;
	if (!words)
		return;
	tip.textContent = words.reverse().join("\n");
	tip.style.left = Math.min(event.pageX + 14,
		document.documentElement.clientWidth - tip.offsetWidth - 8) + "px";
	tip.style.top = event.pageY + 14 + "px";
}
