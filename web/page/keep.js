"use strict";
// What the reader takes along: downloads, copies, and links to what shows.

function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Whether it was copied.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

// A state as the fragment of the address: "file=1f0c...,2048&policy=private&tab=plan&...".
function writeLink(state) {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) {
    if (value !== "" && value !== null && value !== undefined) words.set(key, value);
  }
  return words.toString().replace(/%2C/g, ",");
}

function readLink() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

function showLink(state) {
  try {
    history.replaceState(null, "", "#" + writeLink(state));
  } catch {
    // A page within another one has no address.
  }
}

// What shows of a map: its windows, and what is selected.
function stateOfMap(map) {
  const digits = (number) => String(Number(number.toFixed(5)));
  const views = [...map.viewOfBank].filter(([, view]) => !view.isWhole).map(([bank, view]) =>
    [bank, view.x0, view.x1, view.y0, view.y1].map(digits).join(","));
  return {
    method: map.method < 0 ? "" : map.picture.methods[map.method].name,
    view: views.join(";"),
    selected: map.selected === null ? "" : map.picture.storages.indexOf(map.selected),
    finding: map.finding < 0 ? "" : map.finding,
  };
}

function restoreMap(map, state) {
  const method = map.picture.methods.findIndex((axis) => axis.name === state.method);
  if (method >= 0) map.chooseMethod(method);
  const storage = map.picture.storages[Number(state.selected)];
  if (state.selected && storage) map.select(storage, false);
  if (state.finding && map.picture.findings[Number(state.finding)]) {
    map.selectFinding(Number(state.finding));
  }
  for (const one of (state.view || "").split(";").filter((text) => text !== "")) {
    const [bank, x0, x1, y0, y1] = one.split(",").map(Number);
    const view = map.viewOfBank.get(bank);
    if (view && [x0, x1, y0, y1].every(Number.isFinite) && x0 < x1 && y0 < y1) {
      Object.assign(view, { x0, x1, y0, y1 });
    }
  }
  map.requestAll();
}
