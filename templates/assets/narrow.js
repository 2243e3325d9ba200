// A list, or what is new on the overview: what the address asks for, `?status=superseded&topic=tiles&since=2026-11-01`, is shown, and
// nothing else. The index is fetched only where something is asked; it knows the rows that stand on other pages, too.
"use strict";

(function () {
  const { root, scripts } = document.currentScript.dataset;
  const LIMIT = 100;
  const KINDS = {
    constraint: "constraints",
    decision: "decisions",
    thread: "threads",
    completed: "completed",
    dependency: "dependency changes",
    session: "sessions",
    handoff: "handoffs",
    artefact: "artefacts",
    mail: "messages",
  };

  // The scripts of the search page, one after the other: each stands on the one before.
  function load(addresses, then, fail) {
    if (globalThis.handoffsiteVisible) return then();
    const script = document.createElement("script");
    script.src = root + addresses[0];
    script.addEventListener("load", () => load(addresses.slice(1), then, fail));
    script.addEventListener("error", fail);
    return document.head.append(script);
  }

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  }

  function row(index, it) {
    const { readable } = globalThis.handoffsiteVisible;
    const item = element("li");
    const link = element("a", "t", readable(index.text(it.title)) || readable(it.id));
    link.href = root + it.url;
    link.dir = "auto";
    item.append(link, " ", element("span", "m", `${it.kind} · ${it.status} · ${it.date.slice(0, 10)}`));
    return item;
  }

  function counted(found) {
    const counts = {};
    for (const { kind } of found) counts[kind] = (counts[kind] || 0) + 1;
    const order = Object.keys(KINDS);
    return Object.keys(counts)
      .sort((one, other) => order.indexOf(one) - order.indexOf(other))
      .map((kind) => `${counts[kind]} ${counts[kind] === 1 ? kind : KINDS[kind] || kind}`)
      .join(", ");
  }

  function told({ kind, status, topic, since }) {
    const said = [kind, status, topic && `on ${topic}`, since && `since ${since}`].filter(Boolean).join(", ");
    return globalThis.handoffsiteVisible.readable(said.charAt(0).toUpperCase() + said.slice(1));
  }

  document.addEventListener("DOMContentLoaded", function () {
    const form = document.getElementById("narrow");
    const list = document.getElementById("list");
    const status = document.getElementById("narrow-status");
    if (!form || !list || !status) return;

    const given = new URLSearchParams(location.search);
    const asked = {};
    for (const name of ["kind", "status", "topic", "since"]) {
      const text = (given.get(name) || "").trim();
      if (text) asked[name] = text;
      if (text && form.elements[name]) form.elements[name].value = text;
    }

    function say(text, ...links) {
      status.replaceChildren(text, ...links);
      status.hidden = false;
    }

    function link(address, text) {
      const made = element("a", "", text);
      made.href = address;
      return made;
    }

    // What of the list has none of its rows on this page: all that is found, less what is.
    function keep(found) {
      const wanted = new Map(found.map((it) => [it.id, it]));
      const rows = [...list.querySelectorAll("[id]")];
      for (const one of rows) one.hidden = !wanted.delete(one.id);
      for (const group of list.querySelectorAll(".group")) group.hidden = !group.querySelector("[id]:not([hidden])");
      list.hidden = rows.every((one) => one.hidden);
      return [...wanted.values()];
    }

    let made = null;
    const indexed = () => (made = made || new globalThis.handoffsiteSearch.Index(globalThis.handoffsiteIndex));

    function show() {
      const index = indexed();
      const { kind, status: state } = { ...form.dataset, ...asked };
      const listed = (text) => (text ? text.split(",") : []);
      const one = (text) => (text ? [text] : []);
      const found = index.listed({ kind: listed(kind), status: listed(state), topic: one(asked.topic), since: one(asked.since) });
      const { total, goesOn } = form.dataset;
      const beyond = keep(found);
      const here = goesOn === undefined ? found.length - beyond.length : found.length;
      if (goesOn !== undefined && beyond.length) {
        const more = element("ol", "index");
        more.id = "beyond";
        more.setAttribute("role", "list");
        more.append(...beyond.slice(0, LIMIT).map((it) => row(index, it)));
        list.after(more);
      }
      for (const pager of document.querySelectorAll(".pager")) pager.hidden = true;
      const count = total === undefined ? counted(found) || "nothing" : here ? `${here} of ${total}` : `none of ${total}`;
      const links = [link(form.action, "Show all")];
      if (goesOn !== undefined && beyond.length > LIMIT) {
        const query = new URLSearchParams({ ...(kind && { kind }), ...(state && { status: state }), ...asked });
        links.unshift(link(`${root}search.html?${query}`, `The other ${beyond.length - LIMIT} are found by the search`), ", ");
      }
      say(`${told(asked)}: ${count}. `, ...links);
    }

    function topics() {
      const kinds = (form.dataset.kind || "").split(",");
      const known = new Set(indexed().documents.filter((it) => kinds.includes(it.kind) && it.topic).map((it) => it.topic));
      form.elements.topic.list.replaceChildren(...[...known].sort().map((topic) => new Option(topic)));
    }

    function answer() {
      try {
        show();
      } catch (error) {
        if (!(error instanceof globalThis.handoffsiteSearch.QueryError)) throw error;
        say(globalThis.handoffsiteVisible.readable(error.message));
      }
    }

    const fail = () => say("The index of this site could not be read.");
    form.hidden = false;
    if (Object.keys(asked).length) load(scripts.split(" "), answer, fail);
    if (form.elements.topic) form.elements.topic.addEventListener("focus", () => load(scripts.split(" "), topics, fail), { once: true });
  });
})();
