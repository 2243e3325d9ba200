// The overview: what is new since the day in the address, `?since=2026-11-01`. The index is fetched only where a day is asked for.
"use strict";

document.addEventListener("DOMContentLoaded", function () {
  const form = document.getElementById("since");
  const found = document.getElementById("new");
  const status = document.getElementById("new-status");
  if (!form || !found || !status) return;

  const LIMIT = 30;
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
  function load(addresses, then) {
    if (!addresses.length) return then();
    const script = document.createElement("script");
    script.src = addresses[0];
    script.addEventListener("load", () => load(addresses.slice(1), then));
    script.addEventListener("error", () => say("The index of this site could not be read."));
    return document.head.append(script);
  }

  function say(text) {
    status.textContent = text;
    status.hidden = false;
  }

  function row(index, it) {
    const { readable } = globalThis.handoffsiteVisible;
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.className = "t";
    link.href = it.url;
    link.dir = "auto";
    link.textContent = readable(index.text(it.title)) || readable(it.id);
    const about = document.createElement("span");
    about.className = "m";
    about.textContent = `${it.kind} · ${it.status} · ${it.date.slice(0, 10)}`;
    item.append(link, " ", about);
    return item;
  }

  function counted(hits) {
    const counts = {};
    for (const { document: it } of hits) counts[it.kind] = (counts[it.kind] || 0) + 1;
    const order = Object.keys(KINDS);
    return Object.keys(counts)
      .sort((one, other) => order.indexOf(one) - order.indexOf(other))
      .map((kind) => `${counts[kind]} ${counts[kind] === 1 ? kind : KINDS[kind] || kind}`)
      .join(", ");
  }

  function show(day) {
    const index = new globalThis.handoffsiteSearch.Index(globalThis.handoffsiteIndex);
    const { hits } = index.search(`since:${day}`);
    const newest = hits.slice().sort((one, other) => (one.document.date < other.document.date ? 1 : -1));
    const list = document.createElement("ol");
    list.className = "index";
    list.setAttribute("role", "list");
    list.append(...newest.slice(0, LIMIT).map((hit) => row(index, hit.document)));
    found.replaceChildren(list);
    if (hits.length > LIMIT) {
      const all = document.createElement("a");
      all.href = `search.html?since=${day}`;
      all.textContent = `All ${hits.length}`;
      found.append(all);
    }
    say(hits.length ? `Since ${day}: ${counted(hits)}.` : `Nothing is new since ${day}.`);
  }

  form.hidden = false;
  const day = new URLSearchParams(location.search).get("since") || "";
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return;
  form.elements.since.value = day;
  load(form.dataset.scripts.split(" "), () => show(day));
});
