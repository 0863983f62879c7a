"use strict";
// The pictures of one part of a page, and what the window does to all of them.

// Pictures of one part are versions of one plan: they share what shows, scale and height. Each has
// a sheet, the element that it is drawn in.
function makeMaps(sheets, pictures) {
  const banks = pictures.flatMap((picture) => picture.banks);
  for (const bank of banks) {
    const same = banks.filter((other) => other.id === bank.id);
    bank.extent = Math.max(...same.map((other) => other.extent));
    bank.levels = Math.max(...same.map((other) => other.levels));
  }
  const views = new Map();
  const maps = sheets.map((sheet, at) => new PictureMap(sheet, pictures[at], views));
  if (maps.length === 2) {
    [maps[0].partner, maps[1].partner] = [maps[1], maps[0]];
  }
  return maps;
}

// `allMaps()` gives those that there are.
function followWindow(allMaps) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", () => allMaps().forEach((map) => map.recolour()));
  window.addEventListener("resize", () => allMaps().forEach((map) => map.layOut()));
  let closed = [];
  // On paper there is nothing to click: explanations are open, colours those of a light page.
  window.addEventListener("beforeprint", () => {
    document.documentElement.classList.add("print");
    closed = [...document.querySelectorAll("section.current details.finding:not([open])")];
    for (const details of closed) details.open = true;
    for (const map of allMaps()) map.drawForPrint(2);
  });
  window.addEventListener("afterprint", () => {
    document.documentElement.classList.remove("print");
    for (const details of closed) details.open = false;
    for (const map of allMaps()) map.drawForPrint(1);
  });
}
