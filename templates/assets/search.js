// The search page: what is typed is looked for in the whole text of every record, without a request to anywhere.
// Text goes into the page as text; nothing here writes markup.
"use strict";

document.addEventListener("DOMContentLoaded", function () {
  const box = document.getElementById("q");
  const found = document.getElementById("found");
  const status = document.getElementById("found-status");
  const everything = document.getElementById("everything");
  if (!box || !found || !status || !everything || !globalThis.handoffsiteIndex) return;

  const LIMIT = 50;
  const PATIENCE = 700; // ms without a key before a count is read out
  let index = null;
  let announcing = 0;

  const { shown, readable } = globalThis.handoffsiteVisible;

  // ---- the page

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  }

  function marked({ signs, marks }) {
    const line = element("p", "why");
    line.dir = "auto";
    const visible = shown(signs);
    let at = 0;
    for (const [start, end] of marks) {
      line.append(visible.slice(at, start).join(""), element("mark", "", visible.slice(start, end).join("")));
      at = end;
    }
    line.append(visible.slice(at).join(""));
    return line;
  }

  function row(question, hit) {
    const it = hit.document;
    const item = element("li");
    const link = element("a", "t", readable(index.text(it.title)) || readable(it.id));
    link.href = found.dataset.root + it.url;
    link.dir = "auto";
    const about = element("span", "m", `${it.kind} · ${it.status} · ${it.date.slice(0, 10)}`);
    item.append(element("span", "id", readable(it.id)), " ", link, " ", about);
    const snippet = index.snippet(question, it);
    if (snippet.signs.length) item.append(marked(snippet));
    return item;
  }

  // What changed is read out once the typing has stopped; the sighted see it at once.
  function say(text) {
    status.textContent = text;
    status.hidden = false;
  }

  function answer() {
    if (!index) index = new globalThis.handoffsiteSearch.Index(globalThis.handoffsiteIndex);
    const { question, hits } = index.search(box.value);
    const some = hits.slice(0, LIMIT);
    const list = element("ol", "index hits");
    list.setAttribute("role", "list");
    list.append(...some.map((hit) => row(question, hit)));
    found.replaceChildren(list);
    const incomplete = hits.length && !hits.some((hit) => hit.named || hit.matches.every(Boolean));
    const count = hits.length > LIMIT ? `${hits.length} found, the first ${LIMIT} are shown.` : `${hits.length} found.`;
    return hits.length ? (incomplete ? `Nothing has all these words. ${count}` : count) : "Nothing has any of these words.";
  }

  function show() {
    const asks = box.value.trim() !== "";
    everything.hidden = asks;
    found.hidden = status.hidden = !asks;
    found.replaceChildren();
    clearTimeout(announcing);
    if (!asks) return;
    let text;
    try {
      text = answer();
    } catch (error) {
      if (!(error instanceof globalThis.handoffsiteSearch.QueryError)) throw error;
      text = readable(error.message);
    }
    status.setAttribute("aria-live", "off");
    say(text);
    announcing = setTimeout(function () {
      status.setAttribute("aria-live", "polite");
      status.textContent = "";
      say(text);
    }, PATIENCE);
  }

  function remember() {
    const query = box.value ? "?q=" + encodeURIComponent(box.value) : location.pathname;
    try {
      history.replaceState(null, "", query);
    } catch {
      // a browser that lets no page from disk change its address: the search works all the same
    }
  }

  // Filters may stand in the address by themselves, as a form or a link of another page writes them.
  function asked() {
    const given = new URLSearchParams(location.search);
    const filters = ["kind", "status", "topic", "since"].filter((name) => given.get(name));
    const words = filters.map((name) => `${name}:${JSON.stringify(given.get(name).replace(/"/g, ""))}`.replace(/:"([\w.-]+)"$/, ":$1"));
    return [given.get("q") || "", ...words].join(" ").trim();
  }

  box.value = asked();
  box.setAttribute("aria-controls", "found");
  box.addEventListener("input", function () {
    show();
    remember();
  });
  box.form.addEventListener("submit", (event) => event.preventDefault());
  box.addEventListener("keydown", function (event) {
    if (event.isComposing) return;
    const first = found.querySelector("a");
    if (event.key === "Enter" && first) {
      event.preventDefault();
      first.click();
    } else if (event.key === "ArrowDown" && first) {
      event.preventDefault();
      first.focus();
    } else if (event.key === "Escape" && box.value) {
      event.preventDefault();
      box.value = "";
      show();
      remember();
    }
  });
  found.addEventListener("keydown", function (event) {
    const links = [...found.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 };
    if (event.key === "Escape") box.focus();
    else if (event.key in steps) {
      event.preventDefault();
      (links[steps[event.key]] || (event.key === "ArrowUp" ? box : links[at])).focus();
    }
  });
  show();
  // Who comes here will ask: what has to be done once is done before the first key.
  if (!index) setTimeout(() => (index = index || new globalThis.handoffsiteSearch.Index(globalThis.handoffsiteIndex)), 0);
});
