// What every page has. Pages are complete without it; nothing here is needed to read one.
// No HTML is made of strings: documents come from the server and are parsed by the browser (fetchDocument), so that the page's
// policy needs one Trusted Types policy only, for the address of the service worker.

const $ = (selector, root = document) => root.querySelector(selector);
const strings = JSON.parse(document.body.dataset.strings);

/** A text of the table, with its values filled in: {name}, and {count|one|other}. */
export function text(key, values = {}) {
  return (strings[key] ?? key)
    .replace(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (_, name, one, other) => (values[name] === 1 ? one : other))
    .replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

/**
 * Says something to those who see the page (unless quietly) and to those who hear it. With an action, { label, run }, the message has a
 * button, which is returned: it stays for ten seconds, and for as long as it has the focus or the pointer.
 */
let toast;
export function say(message, { quietly = false, action } = {}) {
  const status = $("#status");
  status.textContent = "";
  requestAnimationFrame(() => (status.textContent = message));
  if (quietly) return;
  clearTimeout(toast?.timer);
  toast?.element.remove();
  const element = Object.assign(document.createElement("div"), { className: "toast" });
  const spoken = Object.assign(document.createElement("span"), { textContent: message });
  spoken.setAttribute("aria-hidden", "true"); // the status has it
  element.append(spoken);
  $("main").append(element);
  const shown = (toast = { element });
  const wait = () => { clearTimeout(shown.timer); shown.timer = setTimeout(() => element.remove(), action ? 10000 : 5000); };
  wait();
  if (!action) return;
  for (const name of ["focusin", "pointerenter"]) element.addEventListener(name, () => clearTimeout(shown.timer));
  for (const name of ["focusout", "pointerleave"]) element.addEventListener(name, wait);
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: action.label });
  button.addEventListener("click", () => { clearTimeout(shown.timer); element.remove(); action.run(); });
  element.append(button);
  return button;
}

/** Whether a click is meant for this page, and not for a new tab, a window or a file. */
export const isPlain = (event) => !(event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

/**
 * The content of a page of this site as a document: with part=1 the server leaves out what every page has, styles above all, which this
 * page's policy would not know. XMLHttpRequest parses it without running anything; DOMParser would need a Trusted Types policy.
 */
export function fetchDocument(url, signal) {
  return new Promise((resolve, reject) => {
    const address = new URL(url, location.href);
    address.searchParams.set("part", "1");
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    request.onload = () => (request.status < 400 && request.response ? resolve(request.response) : reject(new Error(String(request.status))));
    request.onerror = request.ontimeout = () => reject(new Error("network"));
    request.timeout = 20000;
    signal?.addEventListener("abort", () => { request.abort(); reject(signal.reason); }, { once: true });
    request.send();
  });
}

/** Adds the colours of another page's pictures. Their classes are named by their colours, so that pages agree about them. */
const paintLimit = 1000;
const painted = new Set();
let sheet;
export function adoptPaint(page) {
  if (!("adoptedStyleSheets" in document)) return;
  if (!sheet) document.adoptedStyleSheets.push((sheet = new CSSStyleSheet()));
  for (const rule of $("meta[name=paint]", page)?.content.match(/\.p[0-9a-z]+\{[^{}]*\}/g) ?? []) {
    if (painted.has(rule)) continue;
    painted.add(rule);
    sheet.insertRule(rule, sheet.cssRules.length);
    if (painted.size <= paintLimit) continue;
    painted.delete(painted.values().next().value);
    sheet.deleteRule(0);
  }
}

/** Nodes of another page for this one. */
export const adopt = (nodes) => [...nodes].map((node) => document.importNode(node, true));

// Parts that a page may have, loaded when it has them. One that cannot be loaded leaves links and forms as they are.
const parts = [
  ["[data-search]", "./search.js"],
  ["[data-more], [data-late], [data-results]", "./more.js"],
  ["[data-mark], [data-rate], #marks", "./marks.js"],
  ["[data-visited]", "./visited.js"],
  ["[data-pictures], [data-picture]", "./viewer.js"],
  ["[data-import]", "./import.js"],
  ["[data-badges]", "./badges.js"],
];
for (const [selector, module] of parts) if ($(selector)) import(module).then((part) => part.start(), () => {});

// Suggestions are loaded when the field at the top is first used.
const finder = $(".finder");
const suggest = () => import("./finder.js").then((part) => part.start(), () => {});
if (finder?.contains(document.activeElement)) suggest();
else finder?.addEventListener("focusin", suggest, { once: true });

// "/" leads to the search field, or to the page with one where the field has no space.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, dialog")) return;
  const field = [...document.querySelectorAll("[data-search] [name=q], .finder [name=q]")].find((field) => field.offsetParent);
  event.preventDefault();
  if (!field) return $(".tool-search").click();
  field.focus();
  field.select();
});

// A trailer is loaded from YouTube after a click, and not before.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-video]");
  if (!link || !isPlain(event) || !navigator.onLine) return;
  event.preventDefault();
  const frame = document.createElement("iframe");
  frame.allow = "autoplay; encrypted-media; picture-in-picture";
  frame.allowFullscreen = true;
  frame.referrerPolicy = "strict-origin-when-cross-origin";
  frame.title = link.textContent.trim();
  frame.src = `https://www.youtube-nocookie.com/embed/${encodeURIComponent(link.dataset.video)}?autoplay=1&rel=0`;
  const box = Object.assign(document.createElement("div"), { className: "trailer" });
  box.append(frame);
  link.replaceWith(box);
  frame.focus();
});

// Sharing: the system's sheet, else the clipboard, else the address to copy by hand.
$("[data-share]")?.addEventListener("click", async () => {
  const url = $("link[rel=canonical]")?.href ?? location.href;
  try {
    if (navigator.share) return await navigator.share({ title: $("h1").textContent.trim(), url });
    await navigator.clipboard.writeText(url);
    say(text("filmShared"));
  } catch (error) {
    if (error.name !== "AbortError") prompt(text("filmShareLabel"), url);
  }
});

// A choice made with the pointer applies at once. With keys each step is a change, so there the button applies it.
for (const form of document.querySelectorAll("[data-filters], [data-calendar]")) {
  let isTyped = false;
  form.addEventListener("keydown", () => (isTyped = true));
  form.addEventListener("pointerdown", () => (isTyped = false));
  form.addEventListener("change", () => { if (!isTyped && form.reportValidity()) form.requestSubmit(); });
}
// Controls in a row that scrolls: the chosen one is shown.
for (const chip of document.querySelectorAll(".bar .chip[aria-current]")) {
  const bar = chip.closest(".bar");
  if (chip.getBoundingClientRect().right > bar.getBoundingClientRect().right) bar.scrollLeft += chip.getBoundingClientRect().right - bar.clientWidth + 48;
}
// Empty fields stay out of the address.
document.addEventListener("formdata", ({ target, formData }) => {
  if (target.method !== "get") return;
  for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
});

// A poster that fails becomes its film's title. The server redirects failures of sources to a drawn card; these are the network's.
// Events of errors do not bubble. Pictures may have failed before this script runs.
function showTitle(image) {
  const title = image.alt || ($("h3", image.parentElement)?.textContent ?? "");
  const card = Object.assign(document.createElement("div"), { className: "poster poster-none", textContent: title });
  if (!image.alt) card.setAttribute("aria-hidden", "true");
  image.replaceWith(card);
}
document.addEventListener("error", ({ target }) => { if (target.matches?.("img.poster")) showTitle(target); }, true);
for (const image of document.querySelectorAll("img.poster")) if (image.complete && !image.naturalWidth) showTitle(image);

// The poster of a film moves from a list to its page and back, where browsers can do that. A name may stand on a page once only.
const isStill = matchMedia("(prefers-reduced-motion: reduce)");
const path = (address) => new URL(address, location.href).pathname;
const own = $(".film-poster");
const named = new Map();
function namePoster(address) {
  for (const element of named.keys()) element.style.viewTransitionName = "";
  named.clear();
  if (!address || isStill.matches || !path(address).startsWith("/films/")) return;
  const link = [...document.querySelectorAll(".card h3 a")].find((link) => path(link.href) === path(address));
  const poster = link && $(".poster", link.closest(".card"));
  if (!poster) return;
  named.set(poster, "film");
  if (own) named.set(own, "none");
  for (const [element, name] of named) element.style.viewTransitionName = name;
}
/** A transition ends early where the next page has none, such as a picture: that is no failure. */
const end = (transition) => Promise.allSettled([transition.ready, transition.finished]);
addEventListener("pageswap", (event) => {
  if (!event.viewTransition) return;
  end(event.viewTransition);
  namePoster(event.activation?.entry.url);
});
addEventListener("pagereveal", async (event) => {
  namePoster(event.viewTransition && !own ? self.navigation?.activation?.from?.url : undefined);
  if (event.viewTransition) await end(event.viewTransition);
  namePoster();
});

// Notes of a preceding event are shown once: a reload, a bookmark or a shared address has none.
const address = new URL(location.href);
for (const name of ["signed-in", "note", "removed", "at"]) address.searchParams.delete(name);
if (address.href !== location.href) history.replaceState(history.state, "", address);
// A page of the service worker's store says so, with its age, for as long as it is shown.
const storedAt = Number(document.documentElement.dataset.stored);
if (storedAt) {
  const note = Object.assign(document.createElement("div"), { className: "stored" });
  const words = document.createElement("p");
  const again = Object.assign(document.createElement("a"), { href: "", textContent: text("errorRetry") });
  const language = document.documentElement.lang;
  const ago = () => {
    const minutes = Math.max(1, Math.floor((Date.now() - storedAt) / 60000));
    if (minutes < 60) return text("agoMinutes", { count: minutes });
    const hours = Math.floor(minutes / 60);
    return hours < 24 ? text("agoHours", { count: hours }) : text("agoDays", { count: Math.floor(hours / 24) });
  };
  let wasOffline = false;
  const update = () => {
    wasOffline ||= !navigator.onLine;
    const isToday = new Date(storedAt).toDateString() === new Date().toDateString();
    const time = new Intl.DateTimeFormat(language, { dateStyle: isToday ? undefined : "medium", timeStyle: "short" }).format(storedAt);
    const message = text(!navigator.onLine ? "storedOffline" : wasOffline ? "stored" : "storedAway", { time, ago: ago() });
    if (words.textContent !== message) words.textContent = message;
    again.hidden = !navigator.onLine;
  };
  update();
  note.append(words, again);
  $("main").prepend(note);
  say(words.textContent, { quietly: true }); // once: its age is not
  setInterval(update, 60000);
  for (const name of ["online", "offline", "pageshow"]) addEventListener(name, update);
}

// Offline, and back again.
addEventListener("offline", () => say(text("offlineNote")));
addEventListener("online", () => say(text("onlineAgain")));

// Signing out ends the pages of other tabs as well. They are told when the answer is there: before, they would still get their own pages.
// The channel is closed with the page, since browsers keep no page with an open one for going back.
let session, isEnding = false;
const join = () => {
  session = new BroadcastChannel("session");
  session.onmessage = () => location.reload();
};
join();
document.addEventListener("submit", (event) => {
  const target = path(event.target.action);
  if (["/sign-out", "/my/erase"].includes(target)) isEnding = true;
  // A form for badges that only asks for another preview changes nothing.
  const isSetting = target === "/badges" && event.target.method === "post";
  if (isEnding || isSetting || target === "/sign-in") noteChange({ isShown: false });
});
addEventListener("pagehide", () => {
  if (isEnding) session.postMessage("over");
  session.close();
});

// A page that the browser kept for going back is loaded again only if a visitor's films or session have changed since. Each change writes
// another value to the browser's storage, which signing out empties.
const changeKey = "changes";
const tokens = () => [...document.querySelectorAll("input[name=token]")];
const isPersonal = () => tokens().some((field) => field.value !== "0");
/** The latest change; undefined in browsers that store nothing, where it is unknown. */
function latestChange() {
  try {
    return localStorage.getItem(changeKey);
  } catch {
    return undefined;
  }
}
/** Records a change of the visitor's films or session. A page that does not show it is loaded again when someone comes back to it. */
export function noteChange({ isShown = true } = {}) {
  const change = `${Date.now()} ${Math.random()}`;
  seen = isShown ? change : undefined;
  try {
    localStorage.setItem(changeKey, change);
  } catch {
    seen = undefined;
  }
}
let seen = latestChange();
if (isPersonal()) {
  if (seen === null) noteChange(); // or an emptied storage would be no change
  // Going back without a kept page shows a response of the browser's cache, however old: its token, which is random, is known by then.
  const response = tokens()[0].value.slice(0, 16);
  if (history.state?.response === response && history.state.change !== seen) location.reload();
  else history.replaceState({ ...history.state, response, change: seen }, "");
}
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  const latest = latestChange();
  const isCurrent = latest === seen && (latest || !isPersonal());
  if (!tokens().length || isCurrent) return join();
  document.documentElement.style.visibility = "hidden"; // with its position, which the history has
  location.reload();
});

if ("serviceWorker" in navigator && "worker" in document.body.dataset) {
  const script = "/service-worker.js";
  const policy = window.trustedTypes?.createPolicy("onesheet", { createScriptURL: () => script });
  // Refused where the browser keeps nothing, as in some private windows: then there are no pages offline.
  addEventListener("load", () => navigator.serviceWorker.register(policy ? policy.createScriptURL("") : script).catch(() => {}));
}
