// Pictures over the page that links to them. Each has its own page; the dialog shows that page's content under its address, so that
// Back closes it, and a reload or a shared address shows the picture's page.
import { adopt, adoptPaint, fetchDocument, isPlain, text } from "./onesheet.js";

/** The least distance of a swipe, and the edge left to the browser's own gestures, in pixels. */
const swipe = 48;
const edge = 24;

let dialog, heading, stage, status, opener, request, title;

const link = (relation) => (dialog?.open ? stage : document.querySelector("[data-picture]"))?.querySelector(`a[rel=${relation}]`);

function make() {
  dialog = Object.assign(document.createElement("dialog"), { className: "viewer" });
  const close = Object.assign(document.createElement("button"), { className: "button", type: "button", textContent: text("close") });
  close.addEventListener("click", () => dialog.close());
  heading = Object.assign(document.createElement("h2"), { id: "viewer-title", dir: "auto" });
  const bar = document.createElement("header");
  bar.append(heading, close);
  stage = document.createElement("div");
  status = Object.assign(document.createElement("p"), { className: "hidden" });
  status.setAttribute("role", "status"); // the page's own is inert meanwhile
  dialog.setAttribute("aria-labelledby", heading.id);
  dialog.append(bar, stage, status);
  // By the button, Escape, or the system's Back.
  dialog.addEventListener("close", () => {
    request?.abort();
    stage.replaceChildren();
    document.title = title;
    opener?.focus();
    if (history.state?.isPicture) history.back();
  });
  document.body.append(dialog);
}

/** Shows the content of a picture's page; replaces the address once it is there. */
async function show(url) {
  request?.abort();
  const { signal } = (request = new AbortController());
  stage.classList.add("busy");
  try {
    const page = await fetchDocument(url, signal);
    if (signal.aborted) return;
    adoptPaint(page);
    const focused = stage.contains(document.activeElement) && document.activeElement.rel;
    stage.replaceChildren(...adopt(page.querySelectorAll("[data-picture]")));
    stage.classList.remove("busy");
    history.replaceState({ isPicture: true }, "", url);
    document.title = page.title;
    heading.textContent = page.querySelector("h1").textContent;
    status.textContent = page.querySelector("[data-position]").textContent;
    if (focused !== false) (link(focused) ?? stage.querySelector("a[rel]") ?? dialog.querySelector("button")).focus();
    prepare(signal);
  } catch {
    // The page itself shows the reason, or its stored copy.
    if (!signal.aborted) location.replace(url);
  }
}

/** Loads the next picture ahead. */
async function prepare(signal) {
  const next = link("next");
  if (!next || navigator.connection?.saveData) return;
  const image = await fetchDocument(next.href, signal).then((page) => page.querySelector("[data-picture] img"), () => {});
  if (image && !signal.aborted) Object.assign(new Image(), { sizes: image.sizes, srcset: image.srcset });
}

function open(url, thumbnail) {
  if (!dialog) make();
  title = document.title;
  // The small picture is there at once.
  const figure = Object.assign(document.createElement("figure"), { className: "picture" });
  if (thumbnail) figure.append(Object.assign(document.importNode(thumbnail), { className: "" }));
  heading.textContent = thumbnail?.alt ?? "";
  stage.replaceChildren(figure);
  dialog.showModal();
  show(url);
}

function clicked(event) {
  const target = event.target.closest("[data-pictures] a, .viewer a[rel]");
  if (!target || !isPlain(event)) return;
  event.preventDefault();
  if (dialog?.contains(target)) return show(target.href);
  opener = target;
  history.pushState({ isPicture: true }, "", target.href);
  open(target.href, target.querySelector("img"));
}

export function start() {
  document.addEventListener("click", clicked);
  const own = location.pathname;
  addEventListener("popstate", () => {
    if (document.querySelector("main [data-picture]")) {
      // A picture's page that was reloaded under the viewer's address: the entries before it count as the same document.
      if (location.pathname !== own) location.reload();
    } else if (!history.state?.isPicture) dialog?.close();
    else if (dialog?.open) show(location.href);
    else open(location.href);
  });
  const step = (relation) => link(relation)?.click();
  document.addEventListener("keydown", (event) => {
    const relation = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    if (!relation || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target.closest("input, select")) return;
    if (link(relation)) event.preventDefault();
    step(relation);
  });
  // Swipes. Pinching is the browser's own; a finger then moves the enlarged picture.
  let from;
  const isZoomed = () => (visualViewport?.scale ?? 1) > 1.05;
  addEventListener("touchstart", ({ touches, target }) => {
    const [{ clientX }] = touches;
    const isSwipe = touches.length === 1 && !isZoomed() && target.closest?.(".picture") && clientX > edge && clientX < innerWidth - edge;
    from = isSwipe ? touches[0] : undefined;
  }, { passive: true });
  addEventListener("touchend", ({ changedTouches: [to] }) => {
    if (!from || isZoomed()) return;
    const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
    from = undefined;
    if (Math.abs(x) > swipe && Math.abs(x) > 2 * Math.abs(y)) step(x < 0 ? "next" : "prev");
  }, { passive: true });
  // An enlarged picture needs more pixels.
  visualViewport?.addEventListener("resize", () => {
    const image = (dialog?.open ? stage : document).querySelector(".picture img");
    if (image && isZoomed()) image.sizes = `${Math.ceil(visualViewport.scale) * 100}vw`;
  });
}
