// "Show more" loads the next page into this one; sections that were late when the page was made are loaded when they come near.
// The entry of the history has the number of loaded pages and the position: back, forward and reload restore both.
import { adopt, adoptPaint, fetchDocument, isPlain, say, text } from "./onesheet.js";

/** So many pages of a list are restored at most. */
const restoreLimit = 20;
/** How long scrolling rests before the position is stored, in milliseconds. */
const rest = 150;

/** The address that identifies a film's row; undefined for other rows, such as reviews. */
const addressOf = (row) => row.querySelector("h3 a")?.href;

/** Rows of another page that a grid does not have: films move from page to page while lists change. */
function missing(page, grid) {
  const known = new Set([...grid.children].map(addressOf));
  return [...(page.querySelector("[data-grid]")?.children ?? [])].filter((row) => !addressOf(row) || !known.has(addressOf(row)));
}

/** Replaces the links to other pages by another page's, which continue a list that begins here. */
function follow(page, grid) {
  const next = page.querySelector("[data-more]");
  const box = grid.parentElement.querySelector("[data-more]");
  const replacement = next && document.importNode(next, true);
  if (grid.dataset.last) replacement?.querySelector("[rel=prev]")?.remove();
  // The last page may have lost its only film.
  const isOver = !replacement || !(replacement.querySelector("a") || page.querySelector("[data-grid]").children.length);
  if (isOver) box?.remove();
  else box ? box.replaceWith(replacement) : grid.after(replacement);
}

/** Adds the next page to a grid, and returns its rows. */
async function extend(grid, address) {
  const page = await fetchDocument(address);
  adoptPaint(page);
  const rows = adopt(missing(page, grid));
  grid.append(...rows);
  grid.dataset.last = address;
  grid.dataset.pages = Number(grid.dataset.pages ?? 1) + 1;
  follow(page, grid);
  return rows;
}

const nextOf = (grid) => grid.parentElement.querySelector("[data-more] [rel=next]");

async function load(link) {
  const box = link.closest("[data-more]");
  if (box.getAttribute("aria-busy") === "true") return;
  const grid = box.parentElement.querySelector("[data-grid]");
  box.setAttribute("aria-busy", "true");
  const label = link.textContent;
  link.textContent = text("moreLoading");
  try {
    const hadFocus = document.activeElement === link;
    const rows = await extend(grid, link.href);
    const focused = nextOf(grid) ?? rows[0]?.querySelector("a, summary");
    if (hadFocus) focused?.focus({ preventScroll: true });
    isRestoring = false;
    store();
    say(text("moreLoaded", { count: rows.length }), { quietly: true });
  } catch {
    link.textContent = label;
    box.removeAttribute("aria-busy");
    say(text("moreFailed"));
  }
}

let current;
/**
 * Corrects a list after a film was removed or put back: films that moved to its pages, the number of films, links to other pages and the
 * text of an empty list are the server's.
 */
export async function renew(grid) {
  current?.abort();
  const request = (current = new AbortController());
  const page = await fetchDocument(grid.dataset.last ?? location.href, request.signal);
  adoptPaint(page);
  grid.append(...adopt(missing(page, grid)));
  const kept = new Set([...(page.querySelector("[data-grid]")?.children ?? [])].map(addressOf));
  // A film that was put back moves the last one to the next page.
  while (kept.size && grid.lastElementChild && !kept.has(addressOf(grid.lastElementChild))) grid.lastElementChild.remove();
  const replace = (selector, insert) => {
    const [old, other] = [document.querySelector(selector), page.querySelector(selector)];
    old?.remove();
    if (other) insert(document.importNode(other, true));
  };
  replace("[data-summary]", (summary) => document.querySelector("h1").after(summary));
  replace("[data-empty]", (note) => { if (!grid.children.length) grid.before(note); });
  follow(page, grid);
  store();
}

// MARK: The history

let timer, isRestoring = false;
/** Stores the number of pages and the position in the entry of the history. */
function store() {
  clearTimeout(timer);
  const grid = document.querySelector("[data-grid][data-pages]");
  if (!grid || isRestoring) return;
  history.scrollRestoration = "manual";
  history.replaceState({ ...history.state, pages: Number(grid.dataset.pages), y: scrollY, height: grid.parentElement.offsetHeight }, "");
}

/** Loads the pages that this entry of the history had, and returns to its position. Nothing happens on other entries. */
export async function restore() {
  const { pages, y, height } = history.state ?? {};
  const grid = document.querySelector("[data-grid]");
  history.scrollRestoration = pages > 1 ? "manual" : "auto";
  if (!(pages > 1) || !grid || grid.dataset.pages || !nextOf(grid)) return;
  const scroll = () => scrollTo({ top: y, behavior: "instant" });
  isRestoring = true;
  // Room for the rows: the page is at its position before they are there. The rows have their own height, not an estimated one.
  grid.parentElement.style.minHeight = `${height}px`;
  // Firefox scrolls along with the link to the next page, before which the rows are added.
  grid.parentElement.style.overflowAnchor = "none";
  grid.dataset.whole = "";
  scroll();
  const start = scrollY;
  try {
    for (let count = 1; count < Math.min(pages, restoreLimit) && nextOf(grid); count++) await extend(grid, nextOf(grid).href);
    isRestoring = false;
  } catch {
    // The link to the next page stays, and the entry keeps its pages for the next time.
  }
  const isStill = Math.abs(scrollY - start) < 2;
  grid.parentElement.removeAttribute("style");
  if (isStill) scroll();
  requestAnimationFrame(() => requestAnimationFrame(() => delete grid.dataset.whole));
  store();
}

/** Replaces a link to a part by the part. */
async function complete(element) {
  try {
    const page = await fetchDocument(element.dataset.late);
    const part = page.querySelector(element.dataset.part ?? "main .row");
    if (!part) return;
    adoptPaint(page);
    const hadFocus = element.contains(document.activeElement);
    const replacement = document.importNode(part, true);
    element.replaceWith(replacement);
    if (hadFocus) replacement.querySelector("a")?.focus({ preventScroll: true });
  } catch {
    // The link stays.
  }
}

export function start() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-more] a[rel=next]");
    if (!link || !isPlain(event)) return;
    event.preventDefault();
    load(link);
  });
  addEventListener("scroll", () => { clearTimeout(timer); timer = setTimeout(store, rest); }, { passive: true });
  // A link leaves the page sooner.
  document.addEventListener("click", store, { capture: true });
  restore();
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { near.unobserve(entry.target); complete(entry.target); }
  }, { rootMargin: "600px" });
  for (const element of document.querySelectorAll("[data-late]")) near.observe(element);
}
