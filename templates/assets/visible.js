// Characters that hide, or turn others around, are written out: see handoffsite/records/visible.py.
"use strict";

(function () {
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

  globalThis.handoffsiteVisible = { shown, readable };
})();
