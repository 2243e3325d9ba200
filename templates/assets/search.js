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

  // ---- characters that hide are written out, as everywhere else: see handoffsite/records/visible.py
  const HIDES =
    /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u;
  const PICTURE =
    /[\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\u{1f000}-\u{1faff}]/u;
  const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u;
  const JOINING = /[\u0600-\u061b\u061d-\u07ff\u0860-\u109f\u1780-\u18af\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\u{10a00}-\u{11fff}]/u;
  const JAMO = /[\u1100-\u115e\u1161-\u11ff]/;

  const FLAGS = /^\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u;

  function isInFlag(signs, at) {
    const start = signs.lastIndexOf("\u{1f3f4}", at - 1);
    return start >= 0 && at - start < 7 && FLAGS.test(signs.slice(start, start + 7).join(""));
  }

  function stays(signs, at) {
    const [sign, before, after] = [signs[at], signs[at - 1] || "", signs[at + 1] || ""];
    const code = sign.codePointAt(0);
    if (code >= 0xfe00 && code <= 0xfe0f) {
      return PICTURE.test(before) || (/[0-9#*]/.test(before) && after === "\u20e3") || IDEOGRAPH.test(before);
    }
    const ended = before === "\ufe0f" ? signs[at - 2] || "" : before;
    if (sign === "\u200d" && PICTURE.test(ended) && PICTURE.test(after)) return true;
    if (sign === "\u200c" || sign === "\u200d") return JOINING.test(before) && (JOINING.test(after) || sign === "\u200d");
    if (code >= 0xe0100 && code <= 0xe01ef) return IDEOGRAPH.test(before);
    if (code >= 0x180b && code <= 0x180f) return /[\u1820-\u18aa]/.test(before);
    if (code >= 0xe0020 && code <= 0xe007f) return isInFlag(signs, at);
    return (sign === "\u115f" || sign === "\u1160") && (JAMO.test(before) || JAMO.test(after));
  }

  // Each character as it is shown.
  function shown(signs) {
    return signs.map(function (sign, at) {
      if (!HIDES.test(sign) || stays(signs, at)) return sign;
      return `[U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
    });
  }

  const readable = (text) => shown(Array.from(text)).join("");

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

  box.value = new URLSearchParams(location.search).get("q") || "";
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
