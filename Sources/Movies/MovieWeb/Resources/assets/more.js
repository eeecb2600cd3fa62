// "Show more" loads the next page into this one; sections that were late when the page was made are loaded when they come near.
import { adopt, adoptPaint, fetchDocument, isPlain, say, text } from "./onesheet.js";

async function load(link) {
  const box = link.closest("[data-more]");
  if (box.getAttribute("aria-busy") === "true") return;
  const grid = box.parentElement.querySelector("[data-grid]");
  box.setAttribute("aria-busy", "true");
  const label = link.textContent;
  link.textContent = text("moreLoading");
  try {
    const page = await fetchDocument(link.href);
    adoptPaint(page);
    const rows = adopt(page.querySelector("[data-grid]")?.children ?? []);
    const next = page.querySelector("[data-more]");
    const hadFocus = document.activeElement === link;
    grid.append(...rows);
    const replacement = next && document.importNode(next, true);
    replacement?.querySelector("[rel=prev]")?.remove();
    box.replaceWith(...(replacement ? [replacement] : []));
    const focused = replacement?.querySelector("[rel=next]") ?? rows[0]?.querySelector("a, summary");
    if (hadFocus) focused?.focus({ preventScroll: true });
    say(text("moreLoaded", { count: rows.length }), { quietly: true });
  } catch {
    link.textContent = label;
    box.removeAttribute("aria-busy");
    say(text("moreFailed"));
  }
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
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { near.unobserve(entry.target); complete(entry.target); }
  }, { rootMargin: "600px" });
  for (const element of document.querySelectorAll("[data-late]")) near.observe(element);
}
