// The preview of badges follows its form: the server makes it, and no page is loaded for it. Without this script the form's button does.
import { adopt, fetchDocument, say, text } from "./onesheet.js";

/** How long a text is left alone before it is shown, in milliseconds. */
const pause = 500;

export function start() {
  const form = document.querySelector("[data-badges]");
  const preview = document.querySelector("[data-preview]");
  let latest, timer;

  /** Addresses of a server without a public one begin at its root: elsewhere they need the server. */
  const complete = () => {
    const field = preview.querySelector("[data-url]");
    if (field) field.value = new URL(field.value, location.href).href;
  };

  async function update() {
    clearTimeout(timer);
    latest?.abort();
    const own = (latest = new AbortController());
    const fields = [...new FormData(form)].filter(([, value]) => value !== "");
    const address = `${new URL(form.action).pathname}?${new URLSearchParams(fields)}`;
    preview.classList.add("busy");
    try {
      const page = await fetchDocument(address, own.signal);
      if (own.signal.aborted) return;
      const nodes = adopt(page.querySelector("[data-preview]").childNodes);
      // Loaded first, so that what is below the poster does not jump. One that fails has its title as text.
      await Promise.allSettled(nodes.flatMap((node) => [...(node.querySelectorAll?.("img") ?? [])]).map((image) => image.decode()));
      if (own.signal.aborted) return;
      preview.replaceChildren(...nodes);
      history.replaceState(history.state, "", address);
      complete();
      say(text("badgesShown"), { quietly: true });
    } catch {
      if (!own.signal.aborted) say(text("moreFailed"));
    } finally {
      if (own === latest) preview.classList.remove("busy");
    }
  }

  complete();
  form.addEventListener("change", update);
  form.addEventListener("input", ({ target }) => {
    if (!target.matches("input")) return;
    clearTimeout(timer);
    timer = setTimeout(update, pause);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    update();
  });
  preview.addEventListener("click", async ({ target }) => {
    if (!target.closest("[data-copy]")) return;
    const field = preview.querySelector("[data-url]");
    try {
      await navigator.clipboard.writeText(field.value);
      say(text("filmShared"));
    } catch {
      // Without TLS there is no clipboard: the selected address is copied by hand.
      field.focus();
      field.select();
      say(text("filmShareLabel"));
    }
  });
}
