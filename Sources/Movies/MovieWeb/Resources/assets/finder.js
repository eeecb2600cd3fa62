// Suggestions while typing into the field at the top: the first films and people of the search page. Enter searches, as without them.
import { adoptPaint, fetchDocument, say, text } from "./onesheet.js";

const delay = 120;
const limit = 8;
const peopleLimit = 2;

/** A film or a person of the search page. */
function option(row, number) {
  const source = row.querySelector("a");
  const link = Object.assign(document.createElement("a"), { href: source.href, id: `suggestion-${number}`, tabIndex: -1 });
  link.setAttribute("role", "option");
  link.setAttribute("aria-selected", "false");
  const image = row.querySelector("img");
  if (image) {
    const small = document.importNode(image);
    small.sizes = "2rem";
    small.classList.remove("poster");
    link.append(small);
  }
  const name = Object.assign(document.createElement("b"), { textContent: source.textContent, dir: "auto" });
  const language = row.querySelector("[lang]")?.lang;
  if (language) name.lang = language;
  const note = row.querySelector("p:not(.rank), span")?.textContent;
  link.append(name);
  if (note) link.append(Object.assign(document.createElement("span"), { className: "small", textContent: note, dir: "auto" }));
  return link;
}

export function start() {
  const form = document.querySelector(".finder");
  const input = form.querySelector("[name=q]");
  const list = Object.assign(document.createElement("div"), { className: "finder-list", id: "suggestions", hidden: true });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", text("suggestions"));
  form.append(list);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  let current, timer, shown = "";

  const chosen = () => list.querySelector("[aria-selected=true]");
  const isOpen = () => !list.hidden;

  function choose(link) {
    chosen()?.setAttribute("aria-selected", "false");
    link?.setAttribute("aria-selected", "true");
    if (link) input.setAttribute("aria-activedescendant", link.id);
    else input.removeAttribute("aria-activedescendant");
    link?.scrollIntoView({ block: "nearest" });
  }

  function toggle(opens) {
    if (!opens) choose();
    list.hidden = !opens;
    input.setAttribute("aria-expanded", String(opens));
  }

  function stop() {
    clearTimeout(timer);
    current?.abort();
    toggle(false);
  }

  async function suggest() {
    current?.abort();
    const request = (current = new AbortController());
    const query = input.value.trim();
    const url = new URL(form.action);
    for (const [name, value] of new FormData(form)) if (value.trim()) url.searchParams.set(name, value.trim());
    try {
      const page = await fetchDocument(url, request.signal);
      if (request.signal.aborted) return;
      adoptPaint(page);
      const people = [...page.querySelectorAll(".people li")].filter((row) => row.querySelector("a")).slice(0, peopleLimit);
      const films = [...page.querySelectorAll("[data-grid] .card")].slice(0, limit - people.length);
      choose();
      list.replaceChildren(...[...films, ...people].map(option));
      // More may have been typed meanwhile.
      shown = query;
      toggle(list.children.length > 0 && form.contains(document.activeElement));
      if (isOpen()) say(text("suggestionCount", { count: list.children.length }), { quietly: true });
    } catch {
      // Suggestions are an addition: without a network, or after too many requests, the form still searches.
      if (current === request) toggle(false);
    }
  }

  function typed(event) {
    // Half a syllable is a query as well; what a keyboard only marks is none.
    if (event.isComposing && !/\p{L}/u.test(event.data ?? "")) return;
    clearTimeout(timer);
    const query = input.value.trim();
    if (!query) {
      shown = "";
      return stop();
    }
    if (query === shown) {
      current?.abort();
      return toggle(list.children.length > 0);
    }
    timer = setTimeout(suggest, delay);
  }

  function move(step) {
    const links = [...list.children];
    // The field itself is between the last one and the first.
    const place = links.indexOf(chosen()) + step;
    choose(links[place === -2 ? links.length - 1 : place]);
  }

  toggle(false);
  input.addEventListener("input", typed);
  input.addEventListener("compositionend", typed);
  input.addEventListener("keydown", (event) => {
    // Keys belong to the composition of a syllable first.
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === "Escape" && isOpen()) toggle(false);
    else if (event.key === "Enter" && chosen()) chosen().click();
    else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && list.children.length && input.value.trim() === shown) {
      if (!isOpen()) toggle(true);
      move(event.key === "ArrowDown" ? 1 : -1);
    } else return;
    event.preventDefault();
  });
  // The field keeps the focus while a suggestion is clicked.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  form.addEventListener("focusout", (event) => { if (!form.contains(event.relatedTarget)) stop(); });
  form.addEventListener("submit", stop);
  addEventListener("pagehide", stop);
  // What was typed before this was loaded.
  if (input.value.trim()) typed({});
}
