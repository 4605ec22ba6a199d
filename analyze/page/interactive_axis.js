// SPDX-License-Identifier: GPL-3.0-or-later
// A part of an axis, drawn again.

function add(parent, name, attributes, text) {
	var made = document.createElementNS(SVG, name);

	Object.keys(attributes).forEach(function (key) {
		made.setAttribute(key, attributes[key]);
	});
	if (text !== undefined)
		made.textContent = text;
	parent.appendChild(made);
	return made;
}

// About five round positions; on a logarithmic axis powers of ten, with 2 and 5 of each if these
// are few.
function positions(axis) {
	var list = [], at, step;

	[[1], [1, 2, 5]].forEach(function (within) {
		if (!axis[2] || list.length > 2)
			return;
		list = [];
		for (step = Math.pow(10, Math.floor(Math.log10(axis[0]))); step <= axis[1];
			step *= 10)
			within.forEach(function (times) { list.push(times * step); });
		list = list.filter(function (one) { return one >= axis[0] && one <= axis[1]; });
	});
	if (list.length > 1)
		return list;
	list = [];
	step = Math.pow(10, Math.floor(Math.log10((axis[1] - axis[0]) / 5)));
	step *= [1, 2, 5, 10].filter(function (times) {
		return (axis[1] - axis[0]) / (step * times) <= 6;
	})[0];
	for (at = Math.ceil(axis[0] / step) * step; at <= axis[1] * (1 + 1e-12); at += step)
		list.push(Math.abs(at) < step / 2 ? 0 : at);
	return list;
}

function drawAxis(group, plot, axis) {
	var tics = plot.t[axis].filter(function (tic) { return tic[1]; }),
		range = axis ? plot.y : plot.x;

	if (tics.length === 0 || plot.zoomed[axis])
		tics = positions(range).map(function (at) { return [at, quantity(tics, at)]; });
	tics.forEach(function (tic) {
		var at = (axis ? plot.sy : plot.sx).place(tic[0]), b = plot.b;

		if (tic[0] < Math.min(range[0], range[1]) || tic[0] > Math.max(range[0], range[1]))
			return;
		add(group, "path", { d: axis ? "M" + (b[0] - 5) + " " + at + "H" + b[0] :
			"M" + at + " " + b[3] + "v5" });
		add(group, "text", { x: axis ? b[0] - 9 : at, y: axis ? at + 4 : b[3] + 20,
			stroke: "none", fill: "currentColor",
			"text-anchor": axis ? "end" : "middle" }, tic[1]);
	});
}

function pathOf(plot, curve) {
	return curve.rows.map(function (row, i) {
		var x = plot.sx.place(row[0]), y = plot.sy.place(row[1]);

		return (i === 0 ? "M" + x + " " + y : curve.style === "steps" ?
			"H" + x + "V" + y : "L" + x + " " + y);
	}).join("");
}

function drawRow(group, plot, curve, row) {
	var x = plot.sx.place(row[0]), y = plot.sy.place(row[1]), area;

	if (curve.style === "bars" || curve.style === "ranges" || curve.style === "band") {
		area = curve.style === "bars" ?
			[x, plot.sy.place(row[2]), plot.sx.place(row[0] + row[1]), plot.sy.place(0)]
			: curve.style === "band" ?
			[x, plot.sy.place(row[3]), plot.sx.place(row[1]), plot.sy.place(row[2])]
			: [x, y - 5, plot.sx.place(row[2]), y + 5];
		add(group, "path", { d: "M" + area[0] + " " + area[1] + "H" + area[2] +
			"V" + area[3] + "H" + area[0] + "Z",
			fill: curve.colour, "fill-opacity": 0.4, stroke: "none" });
		return;
	}
	if (curve.style === "interval")
		add(group, "path", { d: "M" + x + " " + plot.sy.place(row[2]) + "V" +
			plot.sy.place(row[3]), stroke: curve.colour });
	if (curve.style === "arrows")
		add(group, "path", { d: "M" + x + " " + y + "L" + plot.sx.place(row[2]) + " " +
			plot.sy.place(row[3]), stroke: curve.colour });
	else if (curve.style === "crosses")
		add(group, "path", { d: "M" + (x - 4) + " " + (y - 4) + "l8 8m0 -8l-8 8",
			stroke: curve.colour });
	else
		add(group, "circle", { cx: x, cy: y, r: 2.5,
			fill: curve.style === "open" ? "none" : curve.colour,
			stroke: curve.colour });
}

function drawCurve(group, plot, curve) {
	if (curve.style === "line" || curve.style === "dashed" || curve.style === "steps")
		add(group, "path", { d: pathOf(plot, curve), stroke: curve.colour,
			"stroke-width": 1.4,
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
		add(clip, "path", { d: "M" + b[0] + " " + b[2] + "H" + b[1] + "V" + b[3] +
			"H" + b[0] + "Z" });
		add(group, "path", { d: "M" + b[0] + " " + b[2] + "V" + b[3] + "H" + b[1] });
		drawAxis(group, plot, 1);
		if (i === stack.length - 1) { // the lowest has the axis of all
			drawAxis(group, plot, 0);
			add(group, "text", { x: (b[0] + b[1]) / 2, y: b[3] + 40, stroke: "none",
				fill: "currentColor", "text-anchor": "middle" }, plot.l[0]);
		}
		add(group, "text", { x: b[0], y: b[2] - 5, stroke: "none", fill: "currentColor" },
			plot.l[1]);
		clip = add(group, "g", { "clip-path": "url(#" + id + ")" });
		plot.c.forEach(function (curve) { drawCurve(clip, plot, curve); });
		plot.c.filter(function (curve) {
			return curve.title;
		}).forEach(function (curve, k) {
			add(group, "text", { x: b[1] - 4, y: b[2] + 14 * (k + 1), stroke: "none",
				fill: curve.colour, "text-anchor": "end" }, curve.title);
		});
	});
}

function undraw(picture) {
	var old = picture.querySelector(".again");

	if (!old)
		return;
	old.remove();
	Array.prototype.forEach.call(picture.children, function (child) {
		child.style.display = "";
	});
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

	ends = across ? [plot.sx.value(from[0]), plot.sx.value(to[0])] :
		[plot.sy.value(from[1]), plot.sy.value(to[1])];
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
