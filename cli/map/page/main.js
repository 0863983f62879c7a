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
    followWindow(() => this.allMaps());
  }

  show(id, moves) {
    const section = this.sections.find((each) => each.id === id);
    for (const each of this.sections) each.classList.toggle("current", each === section);
    if (!section) return;
    if (!this.made.has(section)) {
      const sheets = [...section.querySelectorAll("[data-picture]")];
      this.made.set(section,
        makeMaps(sheets, sheets.map((sheet) => this.pictures[Number(sheet.dataset.picture)])));
    }
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

  allMaps() {
    return [...this.made.values()].flat();
  }
}

document.documentElement.classList.add("scripted");
document.addEventListener("DOMContentLoaded", () => {
  window.pteproofPage = new Page();
});
