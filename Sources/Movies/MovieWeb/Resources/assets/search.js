// Results while typing. The address follows, so that a result can be shared and the Back button works: a pause begins a new entry.
import { restore } from "./more.js";
import { adopt, adoptPaint, fetchDocument, say, text } from "./onesheet.js";

const delay = 120;
const pause = 1500;

export function start() {
  const form = document.querySelector("[data-search]");
  const input = form.querySelector("input[type=search]");
  let current, timer, spoken, typedAt = -Infinity;
  /** Whether the next results begin an entry of the history. */
  let isNew = false;
  let shown = location.pathname + location.search;

  const address = () => {
    const url = new URL(form.action);
    for (const [name, value] of new FormData(form)) if (value.trim()) url.searchParams.set(name, value.trim());
    return url;
  };

  /** @param isAsked - Whether this is what someone waits for, rather than what is typed on. */
  async function show(url, isAsked) {
    current?.abort();
    const request = (current = new AbortController());
    const results = document.querySelector("[data-results]");
    results.classList.add("busy");
    try {
      const page = await fetchDocument(url.href, request.signal);
      if (request.signal.aborted) return;
      adoptPaint(page);
      results.replaceChildren(...adopt(page.querySelector("[data-results]").childNodes));
      for (const selector of ["h1", "[data-summary]"]) {
        document.querySelector(selector).textContent = page.querySelector(selector).textContent;
      }
      document.title = page.title;
      if (url.href !== location.href) history[isNew ? "pushState" : "replaceState"](null, "", url);
      isNew = false;
      shown = url.pathname + url.search;
      follow(url);
      document.querySelector(".stored")?.remove();
      restore();
      clearTimeout(spoken);
      spoken = setTimeout(() => say(document.querySelector("[data-summary]").textContent, { quietly: true }), 700);
    } catch {
      if (request.signal.aborted) return;
      // Offline the page may be stored. Those who type on keep the results that are there.
      if (isAsked && !navigator.onLine) location.assign(url);
      else say(text("moreFailed"));
    } finally {
      if (current === request) results.classList.remove("busy");
    }
  }

  /** The links to this page in other languages keep the query. */
  function follow(url) {
    for (const link of document.querySelectorAll("a[hreflang]")) {
      const target = new URL(url);
      target.searchParams.set("language", link.hreflang);
      link.href = target.href;
    }
  }

  function typed(event) {
    // Half a syllable is a query as well; what a keyboard only marks is none.
    if (event.isComposing && !/\p{L}/u.test(event.data ?? "")) return;
    clearTimeout(timer);
    // Half a year is none.
    if (!form.checkValidity()) return;
    const url = address();
    if (url.pathname + url.search === shown) return current?.abort();
    if (performance.now() - typedAt > pause) isNew = true;
    typedAt = performance.now();
    timer = setTimeout(() => show(url), delay);
  }

  form.addEventListener("input", typed);
  form.addEventListener("compositionend", typed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    isNew = true;
    show(address(), true);
    if (matchMedia("(pointer: coarse)").matches) input.blur();
  });
  addEventListener("popstate", () => {
    clearTimeout(timer);
    const url = new URL(location.href);
    for (const field of form.querySelectorAll("input:not([type=hidden])")) field.value = url.searchParams.get(field.name) ?? "";
    // A jump within the page is one as well; and those who go back and forth at once are where they were.
    if (url.pathname + url.search === shown) return current?.abort();
    show(url, true);
  });
  // What was typed before this was loaded.
  const asked = new URL(location.href).searchParams;
  if ([...form.querySelectorAll("input:not([type=hidden])")].some((field) => field.value.trim() !== (asked.get(field.name) ?? ""))) typed({});
}
