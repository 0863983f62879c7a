"use strict";
// Elements of the page. Text goes in as text: nothing here reads a string as markup.

// element("button", { class: "x", onclick: f }, "text", child, ...).
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) {
      made.addEventListener(key.slice(2), value);
    } else if (value === true) {
      made.setAttribute(key, "");
    } else if (value !== false && value !== undefined) {
      made.setAttribute(key, value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function button(text, label, act, properties = {}) {
  return element("button", { type: "button", title: label, "aria-label": label, onclick: act,
    ...properties }, text);
}

function replaceContent(parent, ...children) {
  parent.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

// The colours of canvases, from the style sheet, so that light, dark and print are stated once.
const COLOUR_NAMES = ["background", "text", "soft", "grid", "frame", "place", "part", "write",
  "live", "size", "above", "phantom", "error", "warning"];
const KIND_NAMES = ["state", "input", "output", "intermediate", "reserved"];

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue("--" + name).trim();
  const colours = {};
  for (const name of COLOUR_NAMES) colours[name] = colour(name);
  for (const kind of KIND_NAMES) {
    colours[kind] = { fill: colour(kind), line: colour(kind + "-line") };
  }
  return colours;
}
