"use strict";
// Starts the page: one file shows at a time, and its pictures are made when it first does.

class Page {
  constructor() {
    this.pictures = readPictures();
    this.made = new Map(); // by section
    this.sections = [...document.querySelectorAll("section.file")];
    const list = document.querySelector(".files");
    this.files = list ? new FileList(list, (id, moves) => this.show(id, moves)) : null;
    const wanted = this.sections.find((section) => "#" + section.id === location.hash);
    const first = wanted || this.sections[0];
    if (first && this.files) this.files.show(first.id, false);
    else if (first) this.show(first.id, false);
    this.listen();
  }

  show(id, moves) {
    const section = this.sections.find((each) => each.id === id);
    for (const each of this.sections) each.classList.toggle("current", each === section);
    if (!section) return;
    if (!this.made.has(section)) this.made.set(section, this.makePictures(section));
    if (!moves) return;
    try {
      history.replaceState(null, "", "#" + id);
    } catch {
      // A page within another one has no address.
    }
    section.scrollIntoView({ block: "start" });
    const heading = section.querySelector("h2");
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }

  // Pictures of one section are versions of one plan: they share what shows, scale and height.
  makePictures(section) {
    const sheets = [...section.querySelectorAll("[data-picture]")];
    const pictures = sheets.map((sheet) => this.pictures[Number(sheet.dataset.picture)]);
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

  allMaps() {
    return [...this.made.values()].flat();
  }

  listen() {
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.allMaps().forEach((map) => map.recolour()));
    window.addEventListener("resize", () => this.allMaps().forEach((map) => map.layOut()));
    window.addEventListener("beforeprint", () => this.beforePrint());
    window.addEventListener("afterprint", () => this.afterPrint());
  }

  // On paper there is nothing to click: explanations are open, colours those of a light page.
  beforePrint() {
    document.documentElement.classList.add("print");
    this.closed = [...document.querySelectorAll("section.current details.finding:not([open])")];
    for (const details of this.closed) details.open = true;
    for (const map of this.allMaps()) map.drawForPrint(2);
  }

  afterPrint() {
    document.documentElement.classList.remove("print");
    for (const details of this.closed || []) details.open = false;
    for (const map of this.allMaps()) map.drawForPrint(1);
  }
}

document.documentElement.classList.add("scripted");
document.addEventListener("DOMContentLoaded", () => {
  window.pteproofPage = new Page();
});
