// SPDX-License-Identifier: GPL-3.0-or-later
// Run inside the page: more than eight screens before anything is unfolded, and what is cut off or
// lies over something else once all is, become lines of the element "check".
(function () {
	"use strict";
	var found = [], wide = window.innerWidth, seen = { texts: 0, pictures: 0 };

	function say(what, element) {
		found.push(what + ": " +
			(element.textContent || element.tagName).trim().slice(0, 60));
	}

	// A frame that moves its content sideways cuts nothing off.
	function movable(element) {
		return element.closest(".scroll, pre") !== null;
	}

	function overlap(a, b) {
		return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
			Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
	}

	if (document.documentElement.scrollHeight > 8 * window.innerHeight)
		found.push("more than eight screens");
	document.querySelectorAll("details").forEach(function (answer) { answer.open = true; });
	if (document.documentElement.scrollWidth > wide)
		found.push("the page is " + document.documentElement.scrollWidth + " wide");
	document.querySelectorAll("body *").forEach(function (element) {
		var box = element.getBoundingClientRect();

		if (!element.closest("svg") && !movable(element) &&
			(box.right > wide + 1 || box.left < -1))
			say("beyond the page", element);
	});
	// At a desk a table shows all its columns, at a phone that of pairs on the first screens
	// does, and one of changes the changes.
	document.querySelectorAll(".scroll").forEach(function (frame) {
		if ((wide >= 1280 || /^sourcedest/.test(frame.textContent.trim()) &&
			frame.closest("header")) && frame.scrollWidth > frame.clientWidth + 1)
			say("columns out of sight", frame);
	});
	document.querySelectorAll("header th").forEach(function (heading) {
		if (/^change/.test(heading.textContent) &&
			heading.getBoundingClientRect().right > wide)
			say("out of sight", heading);
	});
	document.querySelectorAll("svg.plot").forEach(function (picture) {
		var frame = picture.getBoundingClientRect(), boxes = [];

		seen.pictures++;
		if (frame.width < 200 || frame.height < 80)
			say("picture of " + frame.width + " by " + frame.height, picture);
		picture.querySelectorAll("text").forEach(function (text) {
			var box = text.getBoundingClientRect();

			seen.texts++;
			if (box.left < frame.left - 1 || box.right > frame.right + 1 ||
			    box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
				say("outside its picture", text);
			boxes.forEach(function (other) {
				if (overlap(box, other.box))
					say("over \"" + other.text.textContent.trim() + "\"", text);
			});
			boxes.push({ box: box, text: text });
		});
	});
	var result = document.createElement("pre");

	result.id = "check";
	result.textContent = "width " + wide + "\npictures " + seen.pictures + "\ntexts " +
		seen.texts + "\n" + found.join("\n") + "\nend of check";
	document.body.appendChild(result);
}());
