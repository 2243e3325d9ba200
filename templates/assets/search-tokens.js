// Cuts text into terms exactly as handoffsite/search/tokens.py does: read it there why. A test runs both on the same texts.
// Lengths count characters (code points), not UTF-16 units.
"use strict";

(function () {
  const LONGEST = 128;
  const ABBREVIATION = 7;
  const UNSPACED =
    "\\u0e00-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30fa\\u30fc-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf" +
    "\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3ffff}";
  const SPACE = "\\x09-\\x0d\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const BETWEEN =
    SPACE +
    "\\x00-\\x1f\\x7f-\\xa9\\xab\\xac\\xae-\\xb1\\xb4\\xb6-\\xb8\\xbb\\xbf\\xd7\\xf7`'\"()\\[\\]\\{\\}<>\\|,;!?*=" +
    "\\u2012-\\u2027\\u2030-\\u205e\\u20a0-\\u20bf\\u2190-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u303f\\u30fb" +
    "\\ud800-\\udfff\\ue000-\\uf8ff\\ufe10-\\ufe1f\\ufe30-\\ufe6f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65" +
    "\\u{1f000}-\\u{1faff}";
  const RUN = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}${BETWEEN}]+`, "gu");
  const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
  const SPACES = new RegExp(`[${SPACE}]+`, "gu");
  const ASCII = /^[\x00-\x7f]*$/;
  const ASCII_RUN = /[^\s\x00-\x1f\x7f`'"()[\]{}<>|,;!?*=]+/g; // within ASCII the same, and faster
  const PLAIN = /^(?:[A-Z]?[a-z]+|[a-z0-9]+)$/; // one word, which nothing divides
  const HIDDEN = /[\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\u{e0000}-\u{e01ef}]+/gu;
  const SPELT = { ß: "ss", ς: "σ", ı: "i", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", ħ: "h", þ: "th", ŧ: "t" };
  // Characters of a combining class: Unicode 14.0.0
  const COMBINING = /[\u{300}-\u{34e}\u{350}-\u{36f}\u{483}-\u{487}\u{591}-\u{5bd}\u{5bf}\u{5c1}-\u{5c2}\u{5c4}-\u{5c5}\u{5c7}\u{610}-\u{61a}\u{64b}-\u{65f}\u{670}\u{6d6}-\u{6dc}\u{6df}-\u{6e4}\u{6e7}-\u{6e8}\u{6ea}-\u{6ed}\u{711}\u{730}-\u{74a}\u{7eb}-\u{7f3}\u{7fd}\u{816}-\u{819}\u{81b}-\u{823}\u{825}-\u{827}\u{829}-\u{82d}\u{859}-\u{85b}\u{898}-\u{89f}\u{8ca}-\u{8e1}\u{8e3}-\u{8ff}\u{93c}\u{94d}\u{951}-\u{954}\u{9bc}\u{9cd}\u{9fe}\u{a3c}\u{a4d}\u{abc}\u{acd}\u{b3c}\u{b4d}\u{bcd}\u{c3c}\u{c4d}\u{c55}-\u{c56}\u{cbc}\u{ccd}\u{d3b}-\u{d3c}\u{d4d}\u{dca}\u{e38}-\u{e3a}\u{e48}-\u{e4b}\u{eb8}-\u{eba}\u{ec8}-\u{ecb}\u{f18}-\u{f19}\u{f35}\u{f37}\u{f39}\u{f71}-\u{f72}\u{f74}\u{f7a}-\u{f7d}\u{f80}\u{f82}-\u{f84}\u{f86}-\u{f87}\u{fc6}\u{1037}\u{1039}-\u{103a}\u{108d}\u{135d}-\u{135f}\u{1714}-\u{1715}\u{1734}\u{17d2}\u{17dd}\u{18a9}\u{1939}-\u{193b}\u{1a17}-\u{1a18}\u{1a60}\u{1a75}-\u{1a7c}\u{1a7f}\u{1ab0}-\u{1abd}\u{1abf}-\u{1ace}\u{1b34}\u{1b44}\u{1b6b}-\u{1b73}\u{1baa}-\u{1bab}\u{1be6}\u{1bf2}-\u{1bf3}\u{1c37}\u{1cd0}-\u{1cd2}\u{1cd4}-\u{1ce0}\u{1ce2}-\u{1ce8}\u{1ced}\u{1cf4}\u{1cf8}-\u{1cf9}\u{1dc0}-\u{1dff}\u{20d0}-\u{20dc}\u{20e1}\u{20e5}-\u{20f0}\u{2cef}-\u{2cf1}\u{2d7f}\u{2de0}-\u{2dff}\u{302a}-\u{302f}\u{3099}-\u{309a}\u{a66f}\u{a674}-\u{a67d}\u{a69e}-\u{a69f}\u{a6f0}-\u{a6f1}\u{a806}\u{a82c}\u{a8c4}\u{a8e0}-\u{a8f1}\u{a92b}-\u{a92d}\u{a953}\u{a9b3}\u{a9c0}\u{aab0}\u{aab2}-\u{aab4}\u{aab7}-\u{aab8}\u{aabe}-\u{aabf}\u{aac1}\u{aaf6}\u{abed}\u{fb1e}\u{fe20}-\u{fe2f}\u{101fd}\u{102e0}\u{10376}-\u{1037a}\u{10a0d}\u{10a0f}\u{10a38}-\u{10a3a}\u{10a3f}\u{10ae5}-\u{10ae6}\u{10d24}-\u{10d27}\u{10eab}-\u{10eac}\u{10f46}-\u{10f50}\u{10f82}-\u{10f85}\u{11046}\u{11070}\u{1107f}\u{110b9}-\u{110ba}\u{11100}-\u{11102}\u{11133}-\u{11134}\u{11173}\u{111c0}\u{111ca}\u{11235}-\u{11236}\u{112e9}-\u{112ea}\u{1133b}-\u{1133c}\u{1134d}\u{11366}-\u{1136c}\u{11370}-\u{11374}\u{11442}\u{11446}\u{1145e}\u{114c2}-\u{114c3}\u{115bf}-\u{115c0}\u{1163f}\u{116b6}-\u{116b7}\u{1172b}\u{11839}-\u{1183a}\u{1193d}-\u{1193e}\u{11943}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d42}\u{11d44}-\u{11d45}\u{11d97}\u{16af0}-\u{16af4}\u{16b30}-\u{16b36}\u{16ff0}-\u{16ff1}\u{1bc9e}\u{1d165}-\u{1d169}\u{1d16d}-\u{1d172}\u{1d17b}-\u{1d182}\u{1d185}-\u{1d18b}\u{1d1aa}-\u{1d1ad}\u{1d242}-\u{1d244}\u{1e000}-\u{1e006}\u{1e008}-\u{1e018}\u{1e01b}-\u{1e021}\u{1e023}-\u{1e024}\u{1e026}-\u{1e02a}\u{1e130}-\u{1e136}\u{1e2ae}\u{1e2ec}-\u{1e2ef}\u{1e8d0}-\u{1e8d6}\u{1e944}-\u{1e94a}]/gu;
  const WORD = /[\p{L}\p{N}]/u;
  const LETTER = /^\p{L}$/u;
  const LAST = ".:-/\\~&@$%^+#";
  const AROUND = /^[._\-/\\#@~$%+]+/;
  const LEVELS = [/[/\\:@&~$%^]+|[+#]+(?=[\p{L}\p{N}_])/u, /\.+/, /[-_]+/];
  const CASE = /(?<=[a-z])(?=[A-Z])|(?<=[0-9])(?=[A-Z][a-z])|(?<=[A-Z])(?=[A-Z](?!s(?![A-Za-z]))[a-z])/;
  const VERSION = /^[vV](?=[0-9]+\.)/;
  const HASH = /^[0-9a-f]{8,64}$/;
  const ONE_KIND = /^(?:[0-9]+|[a-f]+)$/;
  const ID = /^([sdcthma]-[0-9]{1,9})-[0-9a-hjkmnp-tv-z]{3}(\.[cd][0-9]+)?$/;

  function cut(text) {
    return text.length <= LONGEST ? text : Array.from(text).slice(0, LONGEST).join("");
  }

  function lower(piece) {
    const plain = piece.toLowerCase();
    return cut(ASCII.test(plain) ? plain : plain.replace(/[ßςıæœøđðłħþŧ]/g, (sign) => SPELT[sign]));
  }

  const isHash = (word) => word.length > ABBREVIATION && HASH.test(word) && !ONE_KIND.test(word);

  function withoutEnd(piece) {
    if (!LAST.includes(piece[piece.length - 1])) return piece;
    const signs = Array.from(piece);
    let end = signs.length;
    while (end && LAST.includes(signs[end - 1])) {
      const last = signs.slice(Math.max(0, end - 3), end);
      const isDoublePlus = LETTER.test(last[0]) && last.slice(1).join("") === "++";
      const isSharp = last[last.length - 1] === "#" && last.length > 1 && LETTER.test(last[last.length - 2]);
      if (isDoublePlus || isSharp) break;
      end -= 1;
    }
    return signs.slice(0, end).join("");
  }

  function pairs(run) {
    const signs = Array.from(run.normalize("NFKC"));
    const terms = [];
    signs.forEach(function (sign, place) {
      if (place + 1 < signs.length) terms.push([place, sign + signs[place + 1]]);
      terms.push([place, sign]);
    });
    return { terms, width: signs.length };
  }

  function folded(run) {
    if (ASCII.test(run)) return run;
    const plain = run.replace(HIDDEN, "").replace(/[\u2010\u2011]/g, "-").normalize("NFKD");
    return plain.replace(COMBINING, "").replace(SPACES, "");
  }

  // The terms of one run, each with its position in the run, the longest first; and how many positions the run fills.
  function split(run) {
    if (PLAIN.test(run)) {
      const word = run.toLowerCase().slice(0, LONGEST);
      return { terms: isHash(word) ? [[0, word], [0, word.slice(0, ABBREVIATION)]] : [[0, word]], width: 1 };
    }
    if (IS_UNSPACED.test(run)) return pairs(run);
    const terms = [];
    // Places never fall, so what stands at the same one is at the end.
    function find(place, term) {
      for (let at = terms.length - 1; at >= 0 && terms[at][0] === place; at -= 1) if (terms[at][1] === term) return at;
      return -1;
    }
    function add(place, term) {
      if (find(place, term) < 0) terms.push([place, term]);
    }
    function enter(piece, place) {
      const term = lower(piece);
      add(place, term);
      const id = ID.exec(term);
      if (id) add(place, id[1] + (id[2] || ""));
    }
    function words(bare, place) {
      const found = bare.split(CASE).map(lower);
      found.forEach(function (word, which) {
        const at = find(place + which, word);
        if (at >= 0) terms.splice(at, 1);
        terms.push([place + which, word]);
        if (isHash(word)) add(place + which, word.slice(0, ABBREVIATION));
      });
      return place + found.length;
    }
    function walk(given, level, place) {
      let piece = withoutEnd(given);
      if (!WORD.test(piece)) return place;
      enter(piece, place);
      let bare = piece.replace(AROUND, "").replace(/_+$/, "");
      if (VERSION.test(bare)) {
        bare = piece = bare.slice(1);
        enter(bare, place);
      } else if (bare !== piece) enter(bare, place);
      if (level === LEVELS.length) return words(bare, place);
      for (const part of piece.split(LEVELS[level])) place = walk(part, level + 1, place);
      return place;
    }
    const width = walk(folded(run).replace(/^[:&^]+/, ""), 0, 0);
    return { terms, width };
  }

  // Each run of a text: where it starts and ends in UTF-16 units, without the signs that only end it, and how it is split.
  function runs(text) {
    const found = [];
    for (const match of text.matchAll(ASCII.test(text) ? ASCII_RUN : RUN)) {
      found.push({ start: match.index, end: match.index + withoutEnd(match[0]).length, run: match[0], ...split(match[0]) });
    }
    return found;
  }

  globalThis.handoffsiteTokens = { runs, split, isUnspaced: (text) => IS_UNSPACED.test(text), SPACE };
})();
