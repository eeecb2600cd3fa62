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

/** Says something to those who see the page (unless quietly) and to those who hear it. */
let toast;
export function say(message, { quietly = false } = {}) {
  const status = $("#status");
  status.textContent = "";
  requestAnimationFrame(() => (status.textContent = message));
  if (quietly) return;
  clearTimeout(toast?.timer);
  toast?.element.remove();
  const element = Object.assign(document.createElement("div"), { className: "toast", textContent: message });
  element.setAttribute("aria-hidden", "true");
  document.body.append(element);
  toast = { element, timer: setTimeout(() => element.remove(), 5000) };
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
  ["[data-import]", "./import.js"],
];
for (const [selector, module] of parts) if ($(selector)) import(module).then((part) => part.start(), () => {});

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
// Empty fields stay out of the address.
document.addEventListener("formdata", ({ target, formData }) => {
  if (target.method !== "get") return;
  for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
});

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
  const poster = link && $("img.poster", link.closest(".card"));
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

// Offline, and back again.
addEventListener("offline", () => say(text("offlineNote")));
addEventListener("online", () => say(text("onlineAgain")));

// Signing out ends the pages of other tabs as well. They are told when the answer is there: before, they would still get their own pages.
// The channel is closed with the page, since browsers keep no page with an open one for going back. What was personal is asked for again
// when someone comes back to it: it may be of someone who has signed out since.
let session, isEnding = false;
const join = () => {
  session = new BroadcastChannel("session");
  session.onmessage = () => location.reload();
};
join();
document.addEventListener("submit", (event) => { if (["/sign-out", "/my/erase"].includes(path(event.target.action))) isEnding = true; });
addEventListener("pagehide", () => {
  if (isEnding) session.postMessage("over");
  session.close();
});
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  const isPersonal = [...document.querySelectorAll("input[name=token]")].some((field) => field.value !== "0");
  if (isPersonal) location.reload();
  else join();
});

if ("serviceWorker" in navigator && "worker" in document.body.dataset) {
  const address = "/service-worker.js";
  const policy = window.trustedTypes?.createPolicy("onesheet", { createScriptURL: () => address });
  // Refused where the browser keeps nothing, as in some private windows: then there are no pages offline.
  addEventListener("load", () => navigator.serviceWorker.register(policy ? policy.createScriptURL("") : address).catch(() => {}));
}
