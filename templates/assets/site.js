// What a page can do for those who have JavaScript: "/" goes to the search box, and the search page narrows its list.
"use strict";

document.addEventListener("DOMContentLoaded", function () {
  const box = document.getElementById("q");
  document.addEventListener("keydown", function (event) {
    const inField = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "/" && !inField && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      box.focus();
      box.select();
    }
  });

  const rows = window.handoffsiteIndex;
  const found = document.getElementById("found");
  if (!rows || !found) return;

  const everything = document.getElementById("everything");
  const LIMIT = 100;
  const ID = 0, KIND = 1, STATUS = 2, URL = 3, DAY = 4, TITLE = 5, MORE = 6;
  const live = new Set(["accepted", "active", "proven", "claimed", "waiting", "blocked", "paused", "recorded", "proposed", ""]);
  const fold = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const folded = rows.map((row) => [fold(row[ID]), fold(row[TITLE]), fold([row[KIND], row[STATUS], row[DAY], row[MORE]].join(" "))]);

  function score(index, words) {
    let sum = 0;
    const [id, title, more] = folded[index];
    for (const word of words) {
      if (id === word || id.startsWith(word + "-")) sum += 100;
      else if (title.includes(word)) sum += 10;
      else if (id.includes(word) || more.includes(word)) sum += 1;
      else return 0;
    }
    return sum + (live.has(rows[index][STATUS]) ? 0.5 : 0);
  }

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  }

  function show() {
    const words = fold(box.value).split(/\s+/).filter(Boolean).slice(0, 20);
    everything.hidden = words.length > 0;
    found.hidden = words.length === 0;
    found.replaceChildren();
    if (!words.length) return;
    const hits = [];
    for (let index = 0; index < rows.length; index += 1) {
      const points = score(index, words);
      if (points) hits.push([points, index]);
    }
    hits.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    const count = hits.length > LIMIT ? hits.length + " found, the first " + LIMIT + " are shown" : hits.length + " found";
    found.append(element("p", "m", hits.length ? count : "Nothing has all these words."));
    const list = element("ul", "index");
    for (const [, index] of hits.slice(0, LIMIT)) {
      const row = rows[index];
      const item = element("li");
      const link = element("a", "t", row[TITLE]);
      link.href = found.dataset.root + row[URL];
      link.dir = "auto";
      item.append(element("span", "id", row[ID]), " ", link, " ", element("span", "m", row[KIND] + (row[STATUS] ? " · " + row[STATUS] : "")));
      list.append(item);
    }
    found.append(list);
  }

  box.value = new URLSearchParams(location.search).get("q") || "";
  box.addEventListener("input", function () {
    show();
    history.replaceState(null, "", box.value ? "?q=" + encodeURIComponent(box.value) : location.pathname);
  });
  box.form.addEventListener("submit", (event) => event.preventDefault());
  box.addEventListener("keydown", function (event) {
    if (event.key === "Enter") {
      const first = found.querySelector("a");
      if (first) first.click();
    } else if (event.key === "ArrowDown") {
      const first = found.querySelector("a");
      if (first) {
        event.preventDefault();
        first.focus();
      }
    }
  });
  found.addEventListener("keydown", function (event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const links = [...found.querySelectorAll("a")];
    const next = links[links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
    event.preventDefault();
    (next || box).focus();
  });
  show();
});
