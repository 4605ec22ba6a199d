// SPDX-License-Identifier: GPL-3.0-or-later
// One host of a matrix; and at the end what the pointer does in each picture.

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

		row.hidden = host !== null && cells[0].textContent !== host &&
			cells[1].textContent !== host;
		left += !row.hidden;
	});
	say(table.closest(".rows").querySelector(".scroll"),
		"Of these " + rows.length + " pairs only the " + left + " of " + host + ".");
}

// Covers the cells of others.
function veil(picture, plot) {
	var path = "", b = plot.b;

	plot.c[0].rows.forEach(function (row) {
		if (named(plot.t[0], row[0]) === host || named(plot.t[1], row[1]) === host)
			return;
		// Half a pixel more, that no edge is left, except over the axes; as one path, that
		// no overlap is seen.
		path += "M" + Math.max(plot.sx.place(row[0] - 0.5) - 0.5, b[0] + 1) + " " +
			(plot.sy.place(row[1] - 0.5) - 0.5) +
			"H" + (plot.sx.place(row[0] + 0.5) + 0.5) +
			"V" + Math.min(plot.sy.place(row[1] + 0.5) + 0.5, b[3] - 1) +
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
			say(picture.closest("figure").querySelector("figcaption"),
				"Only what " + host + " sends and receives.");
			if (host !== null)
				veil(picture, plot);
		});
	});
}

function isMatrix(picture) {
	return plotsOf(picture).some(function (plot) {
		return plot.c.some(function (curve) { return curve.style === "cells"; });
	});
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

		begin = event.button === 0 && plotAt(picture, point) && !isMatrix(picture) ?
			point : null;
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
