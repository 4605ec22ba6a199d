// SPDX-License-Identifier: GPL-3.0-or-later
// Run inside the page, after its own script: what the pointer is told, what a drag shows, what a
// click on a host leaves, as lines of the element "check".
(function () {
	"use strict";
	var pictures = document.querySelectorAll("svg.plot"), tip = document.querySelector(".tip"),
		found = [];
	var result = document.createElement("pre");

	function event(picture, type, x, y) {
		var frame = picture.getBoundingClientRect();
		var made = new PointerEvent(type, { clientX: frame.left + frame.width * x,
			clientY: frame.top + frame.height * y, button: 0, bubbles: true });

		(type === "pointerup" ? window : picture).dispatchEvent(made);
	}

	function told() {
		return tip.hidden ? "nothing" : tip.textContent.split("\n").join(", ");
	}

	// The first words of a row of places at a height.
	function sweep(picture, y) {
		var x;

		for (x = 0.1; x < 1; x += 0.01) {
			event(picture, "pointermove", x, y);
			if (!tip.hidden)
				return told();
		}
		return "nothing";
	}

	// What is left of the host that was clicked on, where.
	function shown() {
		found.push("veiled: " +
			Array.from(document.querySelectorAll(".veil"), function (veil) {
			return veil.closest("figure").querySelector("b").textContent;
		}).join(" ") + " pairs: " +
			document.querySelectorAll("header tbody tr:not([hidden])").length);
		document.querySelectorAll(".only:not([hidden])").forEach(function (line) {
			found.push(line.textContent);
		});
	}

	found.push("matrix: " + sweep(pictures[0], 0.5));
	event(pictures[0], "pointermove", 0.99, 0.99);
	found.push("outside: " + told());
	found.push("counts: " + sweep(pictures[1], 0.6));
	found.push("largest: " + sweep(pictures[1], 0.08));
	event(pictures[1], "pointerdown", 0.4, 0.5);
	event(pictures[1], "pointermove", 0.5, 0.5);
	event(pictures[1], "pointerup", 0.6, 0.5);
	found.push("drawn again: " + pictures[1].querySelectorAll(".again").length +
		", of the axis " + ((pictures[1].plots[0].x[1] - pictures[1].plots[0].x[0]) /
			pictures[1].plots[0].whole[0][1]).toFixed(1));
	event(pictures[1], "dblclick", 0.5, 0.5);
	found.push("and back: " + pictures[1].querySelectorAll(".again").length);
	event(pictures[0], "click", 0.15, 0.6);
	shown();
	event(pictures[0], "click", 0.15, 0.6);
	shown();
	event(pictures[0], "click", 0.15, 0.6);
	document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
	shown();
	result.id = "check";
	result.textContent = found.join("\n");
	document.body.appendChild(result);
}());
