// Finds and ranks what the index holds, exactly as the command line does: syntax.py, linear.py, ranker.py and snippet.py of
// handoffsite/search in the language of browsers. A test asks both the same questions.
"use strict";

(function () {
  const tokens = globalThis.handoffsiteTokens;
  const KINDS = ["session", "completed", "decision", "constraint", "dependency", "thread", "handoff", "task", "artefact", "mail"];
  const STATUSES = [
    "recorded", "incomplete", "approved", "proposed", "accepted", "running", "blocked", "verifying", "succeeded", "failed", "cancelled",
    "proven", "claimed", "retired", "rejected", "superseded", "expired", "active", "lifted", "waiting", "paused", "done",
  ];
  const LONGEST_QUERY = 1000;
  const MOST_WORDS = 128;
  const SHORTEST_BEGINNING = 3;
  const ENOUGH = 10;
  const FOLDERS = { S: "sessions", D: "decisions", C: "constraints", T: "threads" };
  const BODY = 1 << 24;
  const ID = /^([SDCTHMA]-[1-9][0-9]{0,8})(?:-[0-9a-hjkmnp-tv-z]{3})?(\.[cd][1-9][0-9]{0,5})?$/i;

  class QueryError extends Error {}

  const length = (text) => (/[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length);
  const SPACES = new RegExp(`[${tokens.SPACE}]+`, "u");
  const PARTS = new RegExp(
    `(?<filter>kind|status|topic|since):(?:"(?<quoted>[^"]+)"|(?<plain>[^${tokens.SPACE}"]+))` +
      `|"(?<phrase>[^"]*)"?|(?<words>[^${tokens.SPACE}"]+)`,
    "giu",
  );

  // ---- the question

  const pieces = (text) => text.split(SPACES).filter(Boolean);
  const foldedTopic = (topic) => pieces(topic).join(" ").toLowerCase().replace(/ß/g, "ss").replace(/ς/g, "σ");

  // At each position of a run the first of its terms, which is the longest, or the last, which is the single word.
  function edges(split) {
    const first = [];
    const last = [];
    for (const [place, term] of split.terms) {
      if (first[place] === undefined) first[place] = term;
      last[place] = term;
    }
    return { first, last };
  }

  function wordsOf(text) {
    const found = [];
    for (const run of tokens.runs(text)) {
      const { first, last } = edges(run);
      if (tokens.isUnspaced(run.run)) {
        found.push({ steps: first.slice(0, Math.max(1, run.width - 1)), parts: [], beginning: false });
      } else if (run.terms.length) {
        const whole = run.terms[0][1];
        const parts = last.slice(0, run.width);
        found.push({ steps: [whole], parts: parts.length === 1 && parts[0] === whole ? [] : parts, beginning: false });
      }
    }
    return found;
  }

  function phraseOf(text) {
    const steps = tokens.runs(text).flatMap((run) => edges(run).first.slice(0, run.width));
    return steps.length ? [{ steps, parts: [], beginning: false }] : [];
  }

  function known(filter, given, all) {
    const wanted = new Set(given.map((one) => one.trim().toLowerCase()));
    const unknown = [...wanted].filter((one) => !all.includes(one)).sort()[0];
    if (unknown !== undefined) throw new QueryError(`No ${filter} is called “${unknown.slice(0, 80)}”. There are ${all.join(", ")}.`);
    return wanted;
  }

  function time(text) {
    const found = /^([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})(?:T[0-9]{2}(?::[0-9]{2}){0,2}Z?)?)?)?$/.exec(text.trim());
    const [year, month, day] = found ? found.slice(1).map((part) => Number(part || 1)) : [0, 0, 0];
    const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    if (!(year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1])) {
      throw new QueryError(`“${text.slice(0, 80)}” is no date. A date looks like 2026-11-30 or 2026-11 or 2026.`);
    }
    return found[0];
  }

  function parse(text) {
    if (length(text) > LONGEST_QUERY) throw new QueryError(`A query has at most ${LONGEST_QUERY} characters.`);
    const filters = { kind: [], status: [], topic: [], since: [] };
    const words = [];
    let mayGoOn = false;
    for (const { groups } of text.matchAll(PARTS)) {
      if (groups.filter) {
        const name = groups.filter.toLowerCase();
        const content = groups.quoted || groups.plain;
        filters[name].push(...(name === "topic" ? [content] : content.split(",")));
      } else if (groups.words) {
        words.push(...wordsOf(groups.words));
        mayGoOn = true;
      } else {
        words.push(...phraseOf(groups.phrase));
        mayGoOn = false;
      }
    }
    const end = words[words.length - 1];
    if (end && mayGoOn && end.steps.length === 1 && length(end.steps[0]) >= SHORTEST_BEGINNING) end.beginning = true;
    const once = [...new Map(words.map((word) => [JSON.stringify([word.steps, word.parts, word.beginning]), word])).values()];
    if (once.reduce((sum, word) => sum + word.steps.length, 0) > MOST_WORDS) {
      throw new QueryError(`A query has at most ${MOST_WORDS} words.`);
    }
    if (!pieces(text).length) throw new QueryError("Give words, a “phrase”, or filters such as kind:decision status:accepted.");
    return { words: once, ...understood(filters) };
  }

  // The filters of a question, each a list of texts: those that are given let only pass what has one of them.
  function understood({ kind = [], status = [], topic = [], since = [] }) {
    return {
      kinds: known("kind", kind, KINDS),
      statuses: known("status", status, STATUSES),
      topics: new Set(topic.map(foldedTopic)),
      since: since.map(time).reduce((latest, one) => (one > latest ? one : latest), ""),
    };
  }

  function passes({ kinds, statuses, topics, since }, document) {
    return (
      (!kinds.size || kinds.has(document.kind)) &&
      (!statuses.size || statuses.has(document.status)) &&
      (!topics.size || topics.has(document.topic)) &&
      document.date >= since
    );
  }

  // ---- the index

  class Index {
    constructor(packed) {
      this.words = packed.words.split(" ");
      this._read(packed);
      this._analyse();
    }

    _read(packed) {
      const values = new Uint8Array(128);
      for (let value = 0; value < packed.signs.length; value += 1) values[packed.signs.charCodeAt(value)] = value;
      const ends = packed.ends;
      const base = packed.signs.length - ends;
      function reader(text) {
        let at = 0;
        return {
          more: () => at < text.length,
          next() {
            let sum = 0;
            for (let weight = 1; ; weight *= base) {
              const value = values[text.charCodeAt(at)];
              at += 1;
              sum += weight * value;
              if (value < ends) return sum;
            }
          },
        };
      }
      const list = (from) => {
        const found = new Array(from.next());
        for (let which = 0; which < found.length; which += 1) found[which] = from.next();
        return found;
      };
      const lines = reader(packed.lines);
      this.lines = [];
      while (lines.more()) this.lines.push(list(lines));
      const documents = reader(packed.documents);
      this.documents = [];
      while (documents.more()) {
        const place = this.documents.length;
        const [kind, status, live] = packed.states[documents.next()];
        const date = packed.dates[documents.next()];
        const [title, body, names] = [list(documents), list(documents), list(documents)];
        const topic = this.text([names.pop()]);
        const id = packed.ids[place] || this.text(names.slice(0, 1));
        const url = packed.addresses[place] || this._address(id);
        this.documents.push({ place, id, kind, status, live, date, topic, title, body, names, url });
      }
    }

    _address(id) {
      const [page, part] = id.split(".");
      return `${FOLDERS[id[0]]}/${page}.html${part ? "#" + part : ""}`;
    }

    // The terms of each word, once: what stands between two spaces is cut alone as it is cut in its line.
    _analyse() {
      const widths = new Uint32Array(this.words.length);
      const holders = new Map();
      this.whole = new Array(this.words.length); // the first term of a word that is one run
      for (let word = 0; word < this.words.length; word += 1) {
        let start = 0;
        for (const { terms, width, run } of tokens.runs(this.words[word])) {
          if (run === this.words[word] && terms.length) this.whole[word] = terms[0][1];
          for (const [place, term] of terms) {
            const held = holders.get(term);
            if (held) held.push(word, start + place);
            else holders.set(term, [word, start + place]);
          }
          start += width;
        }
        widths[word] = start;
      }
      this.widths = widths;
      this.holders = holders;
      this.positions = 0;
      for (const document of this.documents) {
        document.length = this._width(document.title) + this._width(document.body);
        this.positions += document.length;
      }
      this.called = new Map(); // of each line that is a name: the terms that mean what bears it
      for (const { names } of this.documents) for (const name of names) if (!this.called.has(name)) this.called.set(name, this._called(name));
    }

    _called(name) {
      const words = this.lines[name];
      const text = this.text([name]);
      const known = words.length === 1 ? this.whole[words[0]] : undefined;
      const own = known === undefined ? tokens.split(text).terms.slice(0, 1).map((one) => one[1]) : [known];
      const id = ID.exec(text);
      if (id) own.push((id[1] + (id[2] || "")).toLowerCase());
      return own;
    }

    _isNamed(document, terms) {
      return document.names.some((name) => this.called.get(name).some((term) => terms.has(term)));
    }

    _width(lines) {
      let sum = 0;
      for (const line of lines) for (const word of this.lines[line]) sum += this.widths[word];
      return sum;
    }

    text(lines) {
      return lines.map((line) => this.lines[line].map((word) => this.words[word]).join(" ")).join("\n");
    }

    // For each document that holds any of the terms or begins so: where each stands, by its number.
    _places(terms, beginnings) {
      const marks = new Array(this.words.length);
      const mark = (held, number) => {
        for (let at = 0; at < held.length; at += 2) (marks[held[at]] = marks[held[at]] || []).push(number, held[at + 1]);
      };
      terms.forEach((number, term) => mark(this.holders.get(term) || [], number));
      if (beginnings.size) {
        const all = [...beginnings];
        for (const [term, held] of this.holders) {
          for (const [beginning, number] of all) if (term.startsWith(beginning)) mark(held, number);
        }
      }
      const marked = this.lines.map((line) => line.some((word) => marks[word] !== undefined));
      const widths = this.lines.map((line) => line.reduce((sum, word) => sum + this.widths[word], 0));
      const found = new Map();
      for (const document of this.documents) {
        const { title, body, names } = document;
        if (![title, body, names].some((part) => part.some((line) => marked[line]))) continue;
        const places = [];
        const walk = (line, start) => {
          if (marked[line]) {
            let at = start;
            for (const word of this.lines[line]) {
              const hits = marks[word];
              if (hits) for (let hit = 0; hit < hits.length; hit += 2) (places[hits[hit]] = places[hits[hit]] || []).push(at + hits[hit + 1]);
              at += this.widths[word];
            }
          }
          return start + widths[line];
        };
        title.reduce((start, line) => walk(line, start), 0);
        let end = body.reduce((start, line) => walk(line, start), BODY);
        for (const line of names) end = walk(line, end + 1);
        found.set(document.place, places);
      }
      return found;
    }

    find(question) {
      const terms = new Map();
      const beginnings = new Map();
      let count = 0;
      for (const word of question.words) {
        for (const term of [...word.steps, ...word.parts]) if (!terms.has(term)) terms.set(term, count++);
        if (word.beginning) beginnings.set(word.steps[0], count++);
      }
      const spread = question.words.map(() => 0);
      const candidates = [];
      const places = this._places(terms, beginnings);
      const single = new Set(question.words.filter((word) => word.steps.length === 1).map((word) => word.steps[0]));
      for (const document of this.documents) {
        const own = places.get(document.place);
        const matches = question.words.map((word) => (own ? match(own, word, terms, beginnings) : null));
        matches.forEach((one, which) => (spread[which] += one !== null));
        if (question.words.length && !matches.some(Boolean)) continue;
        if (!passes(question, document)) continue;
        candidates.push({ document, matches, named: this._isNamed(document, single) });
      }
      return { spread, candidates };
    }

    // All that *filters* let pass, the newest first.
    listed(filters) {
      const question = understood(filters);
      return this.documents.filter((document) => passes(question, document));
    }

    // What was found, best first: documents with their scores, and how many there are in all.
    search(text) {
      const question = parse(text);
      const found = ranked(question, this.find(question), this);
      const complete = found.filter((one) => one.named || one.matches.every(Boolean));
      return { question, hits: complete.length >= ENOUGH ? complete : found };
    }

    snippet(question, document) {
      return snippet(question, this.text(document.body) || this.text(document.title));
    }
  }

  function following(places, steps, terms) {
    let found = new Set(places[terms.get(steps[0])] || []);
    for (let distance = 1; distance < steps.length && found.size; distance += 1) {
      const next = new Set(places[terms.get(steps[distance])] || []);
      found = new Set([...found].filter((place) => next.has(place + distance)));
    }
    return found;
  }

  function match(places, word, terms, beginnings) {
    const exact = following(places, word.steps, terms);
    const near = word.parts.length ? following(places, word.parts, terms) : new Set();
    if (word.beginning) for (const place of places[beginnings.get(word.steps[0])] || []) near.add(place);
    for (const place of exact) near.delete(place);
    if (!exact.size && !near.size) return null;
    let title = 0;
    for (const place of exact) title += place < BODY;
    return { title, body: exact.size - title, near: near.size };
  }

  // ---- the rank

  const SATURATION = 1.2;
  const LENGTH = 0.75;
  const TITLE = 2.0;
  const NEAR = 0.5;
  const MIDDLE = 5.0;

  function ranked(question, found, index) {
    const documents = index.documents.length;
    const weights = found.spread.map((count) => Math.log(1 + (documents - count + 0.5) / (count + 0.5)));
    const mean = index.positions ? index.positions / documents : 1.0;
    for (const candidate of found.candidates) candidate.score = score(candidate, question, weights, mean);
    return found.candidates.sort((one, other) => other.score - one.score); // stable: the newest first, then the smallest ID
  }

  function score({ document, matches, named }, question, weights, mean) {
    let everything = true;
    let inTitle = true;
    let whole = true;
    let relevance = 0;
    const norm = SATURATION * (1 - LENGTH + (LENGTH * document.length) / mean);
    matches.forEach(function (one, which) {
      const isIdentifier = question.words[which].parts.length > 0;
      if (one === null) {
        everything = inTitle = false;
        whole = whole && !isIdentifier;
        return;
      }
      const count = one.body + TITLE * one.title + NEAR * one.near;
      relevance += (weights[which] * count * (SATURATION + 1)) / (count + norm);
      inTitle = inTitle && one.title > 0;
      whole = whole && (!isIdentifier || one.title + one.body > 0);
    });
    let tier = 2 * named + everything;
    tier = 2 * tier + whole;
    tier = 2 * tier + (everything && (document.kind === "decision" || document.kind === "constraint"));
    tier = 4 * tier + (document.live ? 2 : Number(document.status === "proposed"));
    tier = 2 * tier + inTitle;
    return Number((tier + relevance / (relevance + MIDDLE)).toFixed(6));
  }

  // ---- the part of a text that shows why it was found

  const LONGEST = 160;
  const MOST_MATCHES = 64;
  const CUT = "…";

  function snippet(question, text) {
    const line = pieces(text).join(" ");
    const signs = Array.from(line);
    const wanted = new Map();
    for (const word of question.words) for (const term of [...word.steps, ...word.parts]) wanted.set(term, 1);
    for (const word of question.words) if (word.parts.length) wanted.set(word.steps[0], word.parts.length + 1);
    const beginnings = question.words.filter((word) => word.beginning).map((word) => word.steps[0]);
    const hits = hitsOf(line, signs.length, wanted, beginnings);
    const [start, end] = stretch(signs, densest(hits, wanted));
    const before = start ? CUT : "";
    const shift = before.length - start;
    const marks = [];
    for (const hit of hits) {
      if (hit.start >= end || hit.end <= start) continue;
      const [from, to] = [Math.max(hit.start, start) + shift, Math.min(hit.end, end) + shift];
      const last = marks[marks.length - 1];
      if (last && from <= last[1]) last[1] = Math.max(to, last[1]);
      else marks.push([from, to]);
    }
    return { signs: Array.from(before).concat(signs.slice(start, end), end < signs.length ? [CUT] : []), marks };
  }

  function hitsOf(line, count, wanted, beginnings) {
    const hits = [];
    const character = characters(line, count);
    let total = 0;
    for (const run of tokens.runs(line)) {
      const found = run.terms.filter(([, term]) => wanted.has(term) || beginnings.some((beginning) => term.startsWith(beginning)));
      if (!found.length) continue;
      const [start, end] = [character(run.start), character(run.end)];
      if (run.width === end - start && tokens.isUnspaced(run.run)) {
        for (const [place, term] of found) hits.push({ start: start + place, end: start + place + length(term), terms: [term] });
      } else hits.push({ start, end, terms: found.map(([, term]) => term) });
      total += found.length;
      if (total > MOST_MATCHES) break;
    }
    return hits;
  }

  // From a place in UTF-16 units to one in characters.
  function characters(line, count) {
    if (count === line.length) return (place) => place;
    const places = new Map();
    let at = 0;
    let which = 0;
    for (const sign of line) {
      places.set(at, which);
      at += sign.length;
      which += 1;
    }
    places.set(at, which);
    return (place) => places.get(place);
  }

  function densest(hits, wanted) {
    let best = 0;
    let found = [0, 0];
    hits.forEach(function (first, place) {
      const terms = new Set();
      let end = first.end;
      for (const hit of hits.slice(place)) {
        if (hit.end - first.start > LONGEST && hit !== first) break;
        hit.terms.forEach((term) => terms.add(term));
        end = hit.end;
      }
      let sum = 0;
      for (const term of terms) sum += wanted.get(term) || 1;
      if (sum > best) {
        best = sum;
        found = [first.start, end];
      }
    });
    return found;
  }

  function stretch(signs, [first, last]) {
    if (signs.length <= LONGEST) return [0, signs.length];
    const room = Math.max(0, LONGEST - (last - first));
    let start = Math.max(0, Math.min(first - Math.floor(room / 3), signs.length - LONGEST));
    if (start) {
      const gap = signs.slice(start, first).indexOf(" ");
      if (gap >= 0) start += gap + 1;
    }
    let end = Math.min(signs.length, start + LONGEST);
    if (end < signs.length) {
      const from = Math.max(last, start + 1);
      const gap = signs.slice(from, end + 1).lastIndexOf(" ");
      if (gap >= 0 && from + gap > 0) end = from + gap;
    }
    return [start, end];
  }

  globalThis.handoffsiteSearch = { Index, QueryError, KINDS, STATUSES };
})();
