// What every page can do for those who have JavaScript: "/" goes to the search box, Escape puts away what an ID stands for.
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
    if (event.key === "Escape" && event.target.matches("a.id")) {
      event.target.classList.add("quiet");
      event.target.addEventListener("blur", () => event.target.classList.remove("quiet"), { once: true });
    }
  });
});
