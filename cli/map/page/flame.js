"use strict";
// The point of a bank's peak by the lines of the model: each line lies below the one that called it,
// as wide as its bytes.

// `lines`: [depth, bytes, text], each behind the line above it.
function flameOf(lines) {
  const flame = element("div", { class: "flame", role: "img",
    "aria-label": "Bytes at the peak by the lines of the model; the table below has them too" });
  const open = [flame];
  for (const [depth, bytes, text] of lines) {
    const below = element("div", { class: "below" });
    const box = element("div", { class: "box" },
      element("div", { class: "bar", title: bytesText(bytes) + "  " + text }, text), below);
    box.style.flexGrow = bytes;
    open.length = depth + 1;
    open[depth].append(box);
    open.push(below);
  }
  return flame;
}
