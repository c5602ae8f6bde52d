"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

  // Light and dark.
  $("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  // Help.
  const help = $("help");
  $("help-open").addEventListener("click", () => help.showModal());
  $("help-close").addEventListener("click", () => help.close());

  // Search: whatever can be found and does not match is hidden.
  const search = $("search");
  const kinds = [["#episode-list > li", "episode"], ["#files tr[data-find]", "file"], ["#failures li[data-find]", "error"], ["#sessions tr[data-find]", "session"]];
  function find() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    for (const [selector, noun] of kinds) {
      const items = all(selector);
      let hits = 0;
      for (const item of items) {
        const text = words.length ? item.textContent.toLowerCase() : "";
        const hit = words.every((word) => text.includes(word));
        item.hidden = !hit;
        hits += hit ? 1 : 0;
      }
      if (items.length) found.push(`${hits} of ${items.length} ${noun}${items.length === 1 ? "" : "s"}`);
    }
    $("found").textContent = words.length ? found.join(", ") : "";
  }
  search.addEventListener("input", find);

  // Keys.
  const stops = () => all("#episode-list > li:not([hidden]) > details > summary, #sessions tr:not([hidden]) a");
  function step(by) {
    const list = stops();
    if (!list.length) return;
    const here = document.activeElement;
    let at = list.findIndex((one) => one === here || one.closest("li, tr").contains(here));
    at = at < 0 ? (by > 0 ? 0 : list.length - 1) : Math.min(Math.max(at + by, 0), list.length - 1);
    list[at].focus();
    list[at].scrollIntoView({ block: "nearest" });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const typing = event.target === search;
    if (event.key === "Escape" && typing) {
      search.value = "";
      find();
      search.blur();
      return;
    }
    if (typing) return;
    const scrolls = event.target.closest && event.target.closest(".scroll, .clamp, .excerpt");
    if (event.key === "j" || (event.key === "ArrowDown" && !scrolls)) step(1);
    else if (event.key === "k" || (event.key === "ArrowUp" && !scrolls)) step(-1);
    else if (event.key === "/") search.focus();
    else if (event.key === "?") help.showModal();
    else return;
    event.preventDefault();
  });

  // The fleet's table is sorted by the values that its cells carry.
  const table = $("sessions");
  let order = null;
  function sort() {
    if (!table || !order) return;
    const body = table.tBodies[0];
    const value = (row) => row.cells[order.column].dataset.v ?? row.cells[order.column].textContent;
    const rows = Array.from(body.rows).sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      const [n, m] = [Number(x), Number(y)];
      const by = Number.isNaN(n) || Number.isNaN(m) ? x.localeCompare(y) : n - m;
      return by * order.sign;
    });
    if (rows.some((row, at) => body.rows[at] !== row)) body.append(...rows);
  }
  if (table) {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
      const was = head.getAttribute("aria-sort");
      const sign = was ? (was === "ascending" ? -1 : 1) : (head.dataset.first === "down" ? -1 : 1);
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      order = { column, sign };
      sort();
    }));
  }

  // Live: the server tells which parts changed, and they are patched in place.
  const events = document.body.dataset.events;
  if (!events) return;
  const link = $("link");
  let revision = Number(document.body.dataset.revision);

  // Makes `old` like `neu` and keeps what the reader did: open drill-downs, focus, what the search hides.
  const kept = new Set(["open", "hidden", "data-kept"]);
  function morph(old, neu) {
    if (old.isEqualNode(neu)) return;
    for (const { name, value } of neu.attributes) if (!kept.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
    for (const { name } of Array.from(old.attributes)) if (!kept.has(name) && !neu.hasAttribute(name)) old.removeAttribute(name);
    let at = old.firstChild;
    for (const child of Array.from(neu.childNodes)) {
      let match = at;
      if (child.id) match = Array.from(old.childNodes).find((node) => node.id === child.id) ?? null;
      else while (match && (match.nodeType !== child.nodeType || match.nodeName !== child.nodeName || match.id)) match = match.nextSibling;
      if (!match) { old.insertBefore(child, at); continue; }
      if (match !== at) old.insertBefore(match, at); else at = at.nextSibling;
      if (child.nodeType === Node.ELEMENT_NODE) morph(match, child);
      else if (match.data !== child.data) match.data = child.data;
    }
    while (at) { const next = at.nextSibling; at.remove(); at = next; }
  }
  function element(html, row) {
    const text = row ? `<table><tbody>${html}</tbody></table>` : html;
    const body = new DOMParser().parseFromString(text, "text/html").body;
    return document.adoptNode(row ? body.querySelector("tr") : body.firstElementChild);
  }
  // What the reader looks at: it stays where it is on the screen.
  function anchor() {
    if (scrollY === 0) return () => {};
    const marks = all("#episode-list > li:not([hidden]), .wide > section, .narrow > section, #sessions tbody tr");
    const mark = marks.find((one) => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().top < innerHeight)
      ?? marks.filter((one) => one.getBoundingClientRect().bottom > 0).pop();
    if (!mark) return () => {};
    const top = mark.getBoundingClientRect().top;
    return () => { if (mark.isConnected) scrollBy(0, mark.getBoundingClientRect().top - top); };
  }
  function apply(change) {
    if (change.reload) { location.reload(); return; }
    const restore = anchor();
    if (change.title) document.title = change.title;
    const list = $(change.list);
    for (const { id, html } of change.units) {
      const old = $(id);
      const neu = element(html, list.tagName === "TBODY" && id.startsWith("s-"));
      if (old) morph(old, neu); else list.append(neu);
    }
    if (change.order) {
      const wanted = new Set(change.order);
      for (const item of Array.from(list.children)) if (!wanted.has(item.id)) item.remove();
      change.order.forEach((id, at) => {
        const item = $(id);
        if (item && list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null);
      });
    }
    sort();
    if (search.value) find();
    restore();
    revision = change.revision;
    document.body.dataset.revision = revision;
  }
  function connect() {
    const source = new EventSource(`${events}?since=${revision}`);
    source.onopen = () => { link.textContent = ""; };
    source.onmessage = (event) => apply(JSON.parse(event.data));
    source.onerror = () => {
      link.textContent = "Not connected: the page may be out of date";
      source.close();
      setTimeout(connect, 1000);
    };
  }
  connect();
})();
